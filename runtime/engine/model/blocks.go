package model

// BlockRows is the largest number of rows that a full pass processes at a time. It determines the
// order of summation, and so the bits of a full gradient.
const BlockRows = 1024

// BlockNumbers limits how many numbers a function holds for the rows of one block: 16 MiB in double
// precision. If a row is wide, a block has fewer rows; for example, the windows of a convolution
// hold many times the numbers of the picture. The size of a block depends only on the model and its
// sizes, so results do not depend on the machine, the engine or the precision.
const BlockNumbers = 2 << 20

// blockRows returns the number of rows in a block for a model of the given sizes.
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
