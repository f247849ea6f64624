package sketch

import (
	"cmp"
	"math"
	"slices"
)

// between returns bounds and an estimate of the number of draws of a chain that are at most x, or
// less than x if strict is true. The estimate, middle, is linear between the entries.
func (c *Chain) between(x float64, strict bool) (low, high, middle float64) {
	j, same := slices.BinarySearch(c.Value, x)
	if same && !strict {
		for j < len(c.Value) && c.Value[j] == x {
			j++
		}
	}
	high = c.Count
	if j < len(c.Value) {
		high = c.High[j] - 1
	}
	if j == 0 {
		return 0, high, 0
	}
	low = c.Low[j-1]
	before := float64((c.Low[j-1] + c.High[j-1]) / 2)
	if j == len(c.Value) {
		return low, high, c.Count
	}
	after := float64((c.Low[j] + c.High[j]) / 2)
	middle = before
	if gap := c.Value[j] - c.Value[j-1]; gap > 0 && !math.IsInf(gap, 0) {
		middle += float64((x - c.Value[j-1]) / gap * (after - before))
	}
	return low, high, middle
}

// Quantile returns the quantile p of the draws of all chains together, by linear interpolation
// between the entries. bound bounds the error of its rank as a share of the n draws: the rank of x
// differs from 1 + p (n − 1) by at most bound·n. Both are NaN without draws.
func Quantile(chains []Chain, p float64) (x, bound float64) {
	n := 0.0
	for i := range chains {
		n += chains[i].Count
	}
	want := 1 + float64(p*(n-1))
	if len(chains) == 1 {
		x = chains[0].quantile(want)
	} else {
		x = pooled(chains, want)
	}
	if math.IsNaN(x) {
		return x, x
	}
	atMost, below := 0.0, 0.0
	for i := range chains {
		low, _, _ := chains[i].between(x, false)
		_, high, _ := chains[i].between(x, true)
		atMost, below = atMost+low, below+high
	}
	return x, max(want-atMost, below+1-want, 0) / n
}

// A place is a value with its estimated rank among the draws of all chains.
type place struct{ value, rank float64 }

// quantile is the value at a rank, linear between the entries; NaN without any.
func (c *Chain) quantile(want float64) float64 {
	before := place{math.NaN(), 0}
	for j, v := range c.Value {
		here := place{v, float64((c.Low[j] + c.High[j]) / 2)}
		if here.rank >= want {
			return line(before, here, want)
		}
		before = here
	}
	return before.value
}

// pooled is the value at a rank among the draws of all chains.
func pooled(chains []Chain, want float64) float64 {
	var places []place
	for i := range chains {
		c := &chains[i]
		for j, v := range c.Value {
			rank := float64((c.Low[j] + c.High[j]) / 2)
			for o := range chains {
				if o != i && len(chains[o].Value) > 0 {
					_, _, middle := chains[o].between(v, o > i)
					rank += middle
				}
			}
			places = append(places, place{v, rank})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.rank, b.rank))
	})
	before := place{math.NaN(), 0}
	for _, here := range places {
		if here.rank >= want {
			return line(before, here, want)
		}
		before = here
	}
	return before.value
}

// line returns the value at rank want by linear interpolation from a to b. want is at most b.rank.
// It returns the value of b if no line is defined.
func line(a, b place, want float64) float64 {
	if d := b.value - a.value; d > 0 && b.rank > a.rank {
		return min(a.value+float64(d*((want-a.rank)/(b.rank-a.rank))), b.value)
	}
	return b.value
}
