package ir

import (
	"errors"
	"fmt"

	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// OpSplitCounts draws how counts are divided among the classes of a mixture.
var OpSplitCounts *Op

func init() {
	OpSplitCounts = row(Op{Name: "split_counts", Class: Structured, Arity: 4, NoGradient: "a draw",
		Rebuild: func(b *Builder, v *Value, args []*Value) *Value {
			return b.SplitCounts(args[0], args[1], args[2], args[3], v.Over[0], v.Over[1])
		},
		Shape:     verifySplit,
		Reference: (*evaluator).splitCounts,
		Doc: "args n, w, s, u: n[i] is parted among classes j with probabilities " +
			"proportional to w[i, j] s[j], each part a function of the uniform number u[i]; for " +
			"every class what it got, summed over i. Over is i, j"})
}

// SplitCounts divides each count n[i] at random among the classes j, with probabilities
// proportional to w[i, j]·s[j], and returns for each class the sum over i of its shares. The draw
// is a function of the uniform numbers u[i].
func (b *Builder) SplitCounts(n, w, s, u *Value, i, j *Axis) *Value {
	w = b.Spread(w, i, j)
	n, s, u = b.Spread(n, i), b.Spread(s, j), b.Spread(u, i)
	batch := without(union(union(n.Axes, w.Axes), union(s.Axes, u.Axes)), []*Axis{i, j})
	return b.Make(Value{Op: OpSplitCounts, Args: []*Value{n, w, s, u}, Over: []*Axis{i, j},
		Axes: append(batch, j)})
}

// splitArgs are the axes of each argument, which follow those of the batch.
func splitArgs(over []*Axis) [4][]*Axis {
	i, j := over[:1], over[1:]
	return [4][]*Axis{i, over, j, i}
}

// verifySplit is the shape rule.
func verifySplit(v *Value, all []*Axis) ([]*Axis, error) {
	if len(v.Over) != 2 {
		return nil, errors.New("parts counts along one axis among the classes along another")
	}
	for k, want := range splitArgs(v.Over) {
		if has := without(v.Over, without(v.Over, v.Args[k].Axes)); !SameAxes(has, want) {
			return nil, fmt.Errorf("argument %d has axes %s of the classes and counts, wants %s", k,
				axesText(has), axesText(want))
		}
	}
	return without(all, v.Over[:1]), nil
}

// splitCounts is the reference semantics: the kernel, for one array at a time.
func (e *evaluator) splitCounts(v *Value, args []Array) Array {
	i, j := v.Over[0], v.Over[1]
	m, k := e.length(i), e.length(j)
	out := e.make(v.Axes)
	e.each(without(v.Axes, []*Axis{j}), func(at index) {
		in := copyIndex(at)
		read := func(a Array, rows, cols int) []float64 {
			x := make([]float64, 0, rows*cols)
			for r := range rows {
				for c := range cols {
					in[i], in[j] = r, c
					x = append(x, a.get(in))
				}
			}
			return x
		}
		in[i], in[j] = 0, 0
		dst := make([]float64, k)
		kernel.SplitCounts(dst, read(args[0], m, 1), read(args[1], m, k), read(args[2], 1, k),
			read(args[3], m, 1), 1, m, k)
		for c, y := range dst {
			in[j] = c
			offset := 0
			for d, a := range out.Axes {
				offset = offset*out.Dims[d] + in[a]
			}
			out.Data[offset] = y
		}
	})
	return out
}
