package model

import (
	"slices"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// BlockDim is the size of the axis of rows in the function statistics, which takes some
// of the rows at a time.
const BlockDim = "rows at hand"

// A Merge says how a statistic of some rows and that of others give that of both.
type Merge string

const (
	Once   Merge = "once"     // does not depend on rows: both sets have the same
	Sum    Merge = "sum"      // they add up
	Square Merge = "triangle" // part of a sum of squares, with others: see Triangle
)

// A Statistic is an output of the function statistics for some rows.
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
	Groups  size.Poly   // 1 without
	Rest    []size.Poly // axes for each entry of which the sum is there anew
	Columns []Column
	Rows    Member // R; no name: without
}

// A Column is a column of a Triangle, or several.
type Column struct {
	Width   size.Poly
	Grouped bool     // is swept within groups
	Square  Member   // D; no name: of a column that R has
	Means   []Member // m of the columns after it
}

// A Member is a statistic: its name, and for each of its axes the loop that the axis belongs to.
// Loop 0 is over groups, the loops of Rest follow, then the remaining axes. A Member without a name
// is 0.
type Member struct {
	Name string
	Axes []int
}

// Entries are all that have a name.
func (t *Triangle) Members() []Member {
	all := []Member{t.Rows}
	for _, c := range t.Columns {
		all = append(append(all, c.Square), c.Means...)
	}
	return slices.DeleteFunc(all, func(e Member) bool { return e.Name == "" })
}

// StatisticData are the statistics as data.
func (s *Spec) StatisticData() []Datum {
	var out []Datum
	for _, d := range s.Statistics {
		out = append(out, d.Datum)
	}
	return out
}

// OfAllRows is a shape with all rows in place of those at hand.
func (s *Spec) OfAllRows(shape []size.Poly) []size.Poly {
	for i := range shape {
		if shape[i].Equal(size.Dim(BlockDim)) {
			shape[i] = size.Dim(s.RowDim)
		}
	}
	return shape
}

// SettleMerges says how each statistic merges; once are those that are not of rows.
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
