package vm

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
)

// longer returns the index of an axis that may be much longer than the innermost one, so that
// strips along it save time: the axis of rows, or the longest. It returns −1 if there is none, or
// if the order of entries matters.
func longer(f *function, l *plan.Loop) int {
	last, k := len(l.Axes)-1, -1
	if last < 1 || l.Axes[last].Rows {
		return -1
	}
	for i, a := range l.Axes[:last] {
		switch {
		case a.Rows:
			k = i
		case k < 0 || !l.Axes[k].Rows && f.size(a.Size) > f.size(l.Axes[k].Size):
			k = i
		}
	}
	stored := map[int]bool{}
	for _, in := range l.Body {
		if in.Op != nil && in.Op.Class == ir.Random {
			return -1
		}
		for _, s := range in.Stores {
			stored[s.Buf.ID] = true
		}
	}
	for _, in := range l.Body {
		for _, o := range in.Args {
			if o.Kind == plan.Load && stored[o.Buf.ID] {
				return -1
			}
		}
	}
	return k
}

// lastly returns a list of axes with the k-th moved to the end.
func lastly(axes []*ir.Axis, k int) []*ir.Axis {
	return append(append(slices.Clone(axes[:k]), axes[k+1:]...), axes[k])
}

// muchLonger is the ratio of lengths above which strips run along a longer axis than the innermost
// one.
const muchLonger = 4

// either returns a function that runs the loop whose innermost axis suits the present lengths:
// inner, or turned, in which the k-th axis of inner is the innermost.
func either[T float](inner, turned *loop[T], k int) func() {
	last := len(inner.axes) - 1
	return func() {
		if inner.extent[k].now() > muchLonger*inner.extent[last].now() {
			turned.tiles()
			return
		}
		inner.run()
	}
}
