package model

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// BlockDim is the dim of the row axis in the function statistics, which processes a block of rows
// at a time.
const BlockDim = "rows at hand"

// A Merge says how to compute a statistic of two sets of rows from the statistic of each set.
type Merge string

const (
	Once   Merge = "once"     // does not depend on rows: equal for both sets
	Sum    Merge = "sum"      // the sum of both
	Square Merge = "triangle" // part of a sum of squares, merged with others: see Triangle
)

// A Statistic is an output of the function statistics, computed from some rows.
type Statistic struct {
	Datum
	Merge Merge
}

// A Triangle is Σ over rows of (Σ_k c_k u_k)², where the columns c_k are of data alone. The
// statistics have it as fewer squares, by an orthogonal decomposition,
//
//	Σ_k D_k·(u_k + Σ_{j>k} m_kj u_j)² + ‖R u‖²
//
// where the first columns are swept within groups of rows, each group with its own D and m, and the
// others over all rows. R is of the columns that are matrices, and of the last. Each of these
// squares counts as a row with a weight: the statistics of two sets of rows together are swept from
// the rows of both.
type Triangle struct {
	Groups  size.Poly   // the number of groups; 1 without groups
	Rest    []size.Poly // the sum exists once for each entry along these axes
	Columns []Column
	Rows    Member // R; without a name if there is no R
}

// A Column is one column of a Triangle, or Width adjacent columns.
type Column struct {
	Width   size.Poly
	Grouped bool     // swept within groups
	Square  Member   // D; without a name if the column belongs to R
	Means   []Member // m for the columns after this one
}

// A Member is a statistic: its name, and for each of its axes the loop that the axis belongs to.
// Loop 0 is over groups, the loops of Rest follow, then the remaining axes. A Member without a name
// is 0.
type Member struct {
	Name string
	Axes []int
}

// Members returns the members of t that have a name.
func (t *Triangle) Members() []Member {
	all := []Member{t.Rows}
	for _, c := range t.Columns {
		all = append(append(all, c.Square), c.Means...)
	}
	return slices.DeleteFunc(all, func(e Member) bool { return e.Name == "" })
}

// StatisticData returns the data of the statistics.
func (s *Spec) StatisticData() []Datum {
	var out []Datum
	for _, d := range s.Statistics {
		out = append(out, d.Datum)
	}
	return out
}

// OfAllRows replaces BlockDim in a shape by the row dim of the model, in place, and returns the
// shape.
func (s *Spec) OfAllRows(shape []size.Poly) []size.Poly {
	for i := range shape {
		if shape[i].Equal(size.Dim(BlockDim)) {
			shape[i] = size.Dim(s.RowDim)
		}
	}
	return shape
}

// SettleMerges sets how each statistic merges. The function once reports whether a statistic does
// not depend on rows.
func (s *Spec) SettleMerges(once func(name string) bool) {
	squares := map[string]bool{}
	for i := range s.Triangles {
		for _, e := range s.Triangles[i].Members() {
			squares[e.Name] = true
		}
	}
	for i := range s.Statistics {
		d := &s.Statistics[i]
		switch d.Merge = Sum; {
		case once(d.Name):
			d.Merge = Once
		case squares[d.Name]:
			d.Merge = Square
		}
	}
	s.Triangles = slices.DeleteFunc(s.Triangles, func(t Triangle) bool {
		return !slices.ContainsFunc(t.Members(), func(e Member) bool { return !once(e.Name) })
	})
}
