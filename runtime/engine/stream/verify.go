package stream

// Verify reads every block of the rows and holds it against its check sum in the
// index. It returns how many blocks there are, and the first error of each file.
func (s *Source) Verify() (blocks int, problems []error) {
	var scratch []byte
	for i := range s.Plan.Files {
		f := &s.Plan.Files[i]
		blocks += len(f.Blocks)
		for k := range f.Blocks {
			b := &f.Blocks[k]
			text, err := f.read(s.files[i], b, scratch)
			if err == nil && crcOf(text) != b.CRC {
				err = f.differs(b)
			}
			if scratch = text; err != nil {
				problems = append(problems, err)
				break
			}
		}
	}
	return blocks, problems
}
