package model

// BlockRows is how many rows a full pass takes at a time at most. It is part
// of the order of summation, and so of the bits of a full gradient.
const BlockRows = 1024

// BlockNumbers is how many numbers a function may work on for the rows of one
// block: 16 MiB of them in double precision. Where a row is wide (what a
// convolution reads through its windows is many times the picture) a block has
// fewer rows. It depends on the model and its sizes alone, so the bits do not
// depend on the machine, the engine or the precision.
const BlockNumbers = 2 << 20

// blockRows is how many rows a block has for a model of the given sizes.
func (s *Spec) blockRows(dims map[string]int) int {
	rows := BlockRows
	for _, w := range s.Work {
		if n, ok := w.Eval(dims); ok && n > 0 {
			rows = min(rows, BlockNumbers/n)
		}
	}
	if rows > 8 {
		rows -= rows % 8 // whole tiles of a product
	}
	return max(rows, 1)
}
