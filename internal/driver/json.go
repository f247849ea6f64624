package driver

import (
	"bufio"
	"bytes"
	"math"
	"strconv"
)

// JSON writes named arrays as one object of nested row-major lists, a name a
// line, in their order. Numbers read back exactly; those that are not finite
// are the strings of CmdStan's format.
func JSON(list []Named) []byte {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	_ = WriteJSON(w, list) // a buffer takes all
	w.Flush()
	return b.Bytes()
}

// WriteJSON is JSON into a writer: the text is never in memory as a whole.
func WriteJSON(w *bufio.Writer, list []Named) error {
	if err := OpenJSON(w, list); err != nil {
		return err
	}
	_, err := w.WriteString("\n}\n")
	return err
}

// OpenJSON is WriteJSON without the end of the object, to which more may be added.
func OpenJSON(w *bufio.Writer, list []Named) error {
	w.WriteString("{")
	for i := range list {
		n := &list[i]
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString("\n  " + strconv.Quote(n.Name) + ": ")
		if err := n.Write(w); err != nil {
			return err
		}
	}
	return nil
}

// Write writes the value as nested lists.
func (n *Named) Write(w *bufio.Writer) error {
	if l := n.Lists; l != nil {
		(&listWriter{w: w, levels: l.Lists, at: make([]int, len(l.Lists)), x: l.F64,
			whole: n.Whole}).list(0)
		_, err := w.Write(nil) // what failed before
		return err
	}
	dense := n.Value.Floats()
	if n.Value.CSR != nil {
		dense = n.Value.CSR.Dense(n.Value.CSR.Cols)
	}
	return WriteNested(w, dense, n.Value.Shape, n.Whole)
}

// A listWriter writes lists of different lengths.
type listWriter struct {
	w      *bufio.Writer
	levels [][]int
	at     []int // the next list of each level
	x      []float64
	whole  bool
}

func (l *listWriter) list(k int) {
	if k == len(l.levels) {
		l.w.Write(appendNumber(l.w.AvailableBuffer(), l.x[0], l.whole))
		l.x = l.x[1:]
		return
	}
	n := l.levels[k][l.at[k]]
	l.at[k]++
	l.w.WriteByte('[')
	for i := range n {
		if i > 0 {
			l.w.WriteString(", ")
		}
		l.list(k + 1)
	}
	l.w.WriteByte(']')
}

// WriteNested writes one row-major array as nested lists.
func WriteNested(w *bufio.Writer, x []float64, shape []int, whole bool) error {
	nested(w, x, shape, whole)
	_, err := w.Write(nil) // what failed before
	return err
}

// nested writes one array and returns what is left of the numbers.
func nested(w *bufio.Writer, x []float64, shape []int, whole bool) []float64 {
	if len(shape) == 0 {
		w.Write(appendNumber(w.AvailableBuffer(), x[0], whole))
		return x[1:]
	}
	w.WriteByte('[')
	for i := range shape[0] {
		if i > 0 {
			w.WriteString(", ")
		}
		x = nested(w, x, shape[1:], whole)
	}
	w.WriteByte(']')
	return x
}

func appendNumber(b []byte, x float64, whole bool) []byte {
	switch {
	case math.IsNaN(x):
		return append(b, `"NaN"`...)
	case math.IsInf(x, 1):
		return append(b, `"Inf"`...)
	case math.IsInf(x, -1):
		return append(b, `"-Inf"`...)
	case whole:
		return strconv.AppendFloat(b, x, 'f', -1, 64)
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}
