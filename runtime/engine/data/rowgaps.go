package data

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A RowSet is a set of the rows of a file, a bit for each: bit i%64 of word i/64.
type RowSet []uint64

// Add adds row i ≥ 0.
func (s *RowSet) Add(i int) {
	for len(*s) <= i/64 {
		*s = append(*s, 0)
	}
	(*s)[i/64] |= 1 << (i % 64)
}

// Has reports whether row i ≥ 0 is in the set.
func (s RowSet) Has(i int) bool { return i/64 < len(s) && s[i/64]>>(i%64)&1 != 0 }

// LeaveOut excludes the rows of the set, in addition to those that the selectors exclude.
func (f *RowFile) LeaveOut(gone RowSet) { f.gone = gone }

// A Gaps finds the rows with missing entries that {na} leaves out. The rows are read a part at a
// time.
type Gaps struct {
	binder *RowBinder
	names  []string // inputs of {na}; nil for all whose missing entries are not unknowns

	By map[string]int // by input, the number of rows so far with missing entries
}

// Gaps returns a finder of the rows that a spec of {na} leaves out. It returns an error if the
// spec is wrong or rows of the dim cannot be left out.
func (b *RowBinder) Gaps(spec string) (*Gaps, *problem.Error) {
	n := newBinder(b.schema, Options{NA: spec})
	names := n.droppedInputs()
	if len(n.errs) > 0 {
		return nil, n.errs[0]
	}
	if d := b.schema.Dim(b.dim); d != nil {
		if why := n.indivisible(d); why != "" {
			return nil, &problem.Error{Code: "D0168", Name: d.Name,
				Message: n.cannotLeave(d, why)}
		}
	}
	return &Gaps{b, names, map[string]int{}}, nil
}

// Find reports for each row whether it is left out. rows has, for each file, equally many rows.
func (g *Gaps) Find(rows []*format.Rows) (gone []bool, errs []*problem.Error) {
	n, errs := g.binder.read(rows)
	if errs != nil {
		return nil, errs
	}
	if len(n.errs) > 0 {
		return nil, n.errs
	}
	gone = make([]bool, rows[0].Len())
	for _, name := range g.binder.Inputs {
		in := g.binder.schema.Input(name)
		v := n.given(name)
		if in == nil || v == nil || !in.counts(g.names) {
			continue
		}
		for _, row := range missingRows(v) {
			gone[row] = true
			g.By[name]++
		}
	}
	return gone, nil
}

// counts reports whether missing entries of the input leave rows out. names are the inputs of
// {na}.
func (in *Input) counts(names []string) bool {
	if len(names) == 0 {
		return !in.Unknown
	}
	return slices.Contains(names, in.Name)
}

// Dropped returns the counts of rows that were left out, and a note on them. It returns an error
// if all were left out. left is the number of rows left out, and of that of all rows.
func (g *Gaps) Dropped(spec string, left, of int) (Dropped, string, *problem.Error) {
	n := newBinder(g.binder.schema, Options{NA: spec})
	d := Dropped{Rows: left, Of: of, By: g.By}
	if left == of {
		return d, "", &problem.Error{Code: "D0168", Name: g.binder.dim,
			Message: n.noneLeft(g.binder.dim, of, g.By)}
	}
	return d, n.leftNote(g.binder.dim, d), nil
}

// leftNote returns a note on the rows that were left out.
func (b *binder) leftNote(dim string, d Dropped) string {
	return setting.Sprintf("{na} %s: %d of %d rows of %s are left out, where entries are missing: %s",
		b.opt.NA, d.Rows, d.Of, dim, b.byInput(d.By))
}

func (b *binder) noneLeft(dim string, rows int, by map[string]int) string {
	return setting.Sprintf("{na} %s leaves no row of %s: each of the %d has a missing entry (%s)",
		b.opt.NA, dim, rows, b.byInput(by))
}

func (b *binder) cannotLeave(d *Dim, why string) string {
	return setting.Sprintf("{na} %s cannot leave out entries of %s: %s", b.opt.NA, d.Name, why)
}
