package data

func (s *Schema) inputNames() []string {
	out := make([]string, len(s.Inputs))
	for i := range s.Inputs {
		out[i] = s.Inputs[i].Name
	}
	return out
}

func (s *Schema) dimNames() []string {
	out := make([]string, len(s.Dims))
	for i := range s.Dims {
		out[i] = s.Dims[i].Name
	}
	return out
}
