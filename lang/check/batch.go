package check

func (c *checker) batchAxes() {}
