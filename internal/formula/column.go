package formula

import (
	"math"
	"slices"
)

// A Column is a column of a table.
type Column struct {
	Name   string
	Values []float64 // NaN where an entry is missing
	Levels []string  // of a column of words: Values are their places
	Order  bool      // the order of the levels was asked for
	Wrong  string    // why the column has neither numbers nor words; "" where it has
}

// A Table is what a formula is applied to.
type Table struct {
	File    string
	Columns []Column
}

// find returns the column of that name, or nil.
func (t *Table) find(name string) *Column {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	return nil
}

// names are the names of all columns.
func (t *Table) names() []string {
	var out []string
	for i := range t.Columns {
		out = append(out, t.Columns[i].Name)
	}
	return out
}

// missing counts the entries that are missing, and says which row has the first, from 0.
func (c *Column) missing() (count, first int) {
	first = -1
	for i, v := range c.Values {
		if math.IsNaN(v) {
			if count++; first < 0 {
				first = i
			}
		}
	}
	return count, first
}

// levels are the different values, in ascending order.
func levels(x []float64) []float64 {
	s := slices.Clone(x)
	slices.Sort(s)
	return slices.Compact(s)
}

// whole reports whether all values are whole numbers.
func whole(x []float64) bool {
	for _, v := range x {
		if v != math.Trunc(v) || math.Abs(v) > 1<<53 {
			return false
		}
	}
	return true
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// deviation is the standard deviation of x, with N - 1 as in R.
func deviation(x []float64) float64 {
	m, sum := mean(x), 0.0
	for _, v := range x {
		sum += (v - m) * (v - m)
	}
	return math.Sqrt(sum / float64(max(1, len(x)-1)))
}

// rootMeanSquare is the deviation of x from 0.
func rootMeanSquare(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(len(x)))
}

func median(x []float64) float64 { return quantile(x, 0.5) }

// quantile interpolates linearly between the sorted values, as R's type 7 does.
func quantile(x []float64, p float64) float64 {
	s := slices.Clone(x)
	slices.Sort(s)
	at := p * float64(len(s)-1)
	low := int(at)
	if low+1 >= len(s) {
		return s[len(s)-1]
	}
	return s[low] + (at-float64(low))*(s[low+1]-s[low])
}

// mad is the median absolute deviation times 1.4826, as in R: of normal values it is the
// standard deviation.
func mad(x []float64) float64 {
	m := median(x)
	d := make([]float64, len(x))
	for i, v := range x {
		d[i] = math.Abs(v - m)
	}
	return 1.4826 * median(d)
}
