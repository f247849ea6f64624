package plan

import (
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// Copies of entries that lie one after another become views, unless the other array, or the copy,
// is written again.
func TestViews(t *testing.T) {
	n, k := &ir.Axis{ID: 1, Name: "n", Size: size.Dim("N")}, &ir.Axis{ID: 2, Size: size.Const(3)}
	less := &ir.Axis{ID: 3, Size: size.Dim("N").Sub(size.Const(1))}
	j := &ir.Axis{ID: 4, Size: size.Const(2)}
	temp := func(axes ...*ir.Axis) *Buffer { return &Buffer{Where: Temp, Axes: axes, Slot: -1} }
	fill := func(b *Buffer) Step {
		return Step{Loop: &Loop{Axes: b.Axes, Body: []Instr{{Args: []Operand{{Kind: Const}},
			Stores: []Store{{Buf: b}}}}}}
	}
	copied := func(to, from *Buffer, at ...Index) Step {
		return Step{Loop: &Loop{Axes: to.Axes, Body: []Instr{{Args: []Operand{{Kind: Load,
			Buf: from, At: at}}, Stores: []Store{{Buf: to}}}}}}
	}
	one := size.Const(1)
	for _, c := range []struct {
		name  string
		axes  []*ir.Axis
		at    []Index
		later func(to, from *Buffer) []Step
		want  string // the entries before it; - for a copy
	}{
		{"all but the first", []*ir.Axis{less, k}, []Index{{Axis: less, Off: one}, {Axis: k}}, nil,
			"3"},
		{"other names", []*ir.Axis{n, k}, []Index{{Axis: n}, {Axis: k}}, nil, "0"},
		{"one row", []*ir.Axis{k}, []Index{{Off: size.Dim("N").Sub(one)}, {Axis: k}}, nil,
			"3*N - 3"},
		{"a part of each row", []*ir.Axis{n, j}, []Index{{Axis: n}, {Axis: j}}, nil, "-"},
		{"one column", []*ir.Axis{n}, []Index{{Axis: n}, {Off: one}}, nil, "-"},
		{"the array is written later", []*ir.Axis{n, k}, []Index{{Axis: n}, {Axis: k}},
			func(to, from *Buffer) []Step { return []Step{fill(from)} }, "-"},
		{"the copy is written later", []*ir.Axis{n, k}, []Index{{Axis: n}, {Axis: k}},
			func(to, from *Buffer) []Step { return []Step{fill(to)} }, "-"},
	} {
		from, to := temp(n, k), temp(c.axes...)
		p := &Program{Buffers: []*Buffer{from, to}}
		p.Steps[Prepare] = []Step{fill(from), copied(to, from, c.at...)}
		if c.later != nil {
			p.Steps[Prepare] = append(p.Steps[Prepare], c.later(to, from)...)
		}
		steps := len(p.Steps[Prepare])
		p.views()
		got := "-"
		if to.Shares == from {
			got = to.Before().String()
		}
		if got != c.want || (got == "-") != (len(p.Steps[Prepare]) == steps) {
			t.Errorf("%s: %s, not %s, with %d of %d steps", c.name, got, c.want,
				len(p.Steps[Prepare]), steps)
		}
	}
}
