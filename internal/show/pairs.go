package show

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show/chart"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/math/special"
)

const (
	mostPairs  = 3    // that are chosen
	pairDraws  = 800  // of a chart: more are thinned evenly
	pairWrong  = 400  // divergent ones likewise
	enoughGone = 5    // divergent draws by which a number can be chosen
	someRank   = 0.3  // rank correlation above which a pair is shown
	rankDraws  = 1000 // by which rank correlations are measured
)

// pairs is the section of numbers drawn against each other: those asked for, or chosen by
// where the divergent draws are or, without, by their correlation. nil where there are none.
func (x *Report) pairs(list []Number, diverging [][]float64) (*Section, error) {
	gone := flat(diverging)
	if len(list) > 0 && len(gone) != len(flat(list[0].Chains)) {
		gone, diverging = nil, nil
	}
	count := 0
	for _, d := range gone {
		if d != 0 {
			count++
		}
	}
	s := &Section{Heading: "Pairs"}
	var chosen [][2]*Number
	logs := func(n *Number) bool {
		name, _, _ := strings.Cut(n.Name, "[")
		return x.Record.Types[name] == "positive"
	}
	switch {
	case len(x.Pairs) > 0:
		for _, p := range x.Pairs {
			var two [2]*Number
			for i, name := range p {
				n, err := x.number(name)
				if err != nil {
					return nil, err
				}
				two[i] = n
			}
			chosen = append(chosen, two)
		}
		s.Text = append(s.Text, "The pairs that --pairs names.")
	case count >= enoughGone:
		chosen = apartPairs(list, gone)
		s.Text = append(s.Text, "Of the numbers with pictures, the one whose divergent draws lie "+
			"most unlike the others (by the largest distance of their distribution functions), "+
			"against the next of them.")
	default:
		chosen = correlatedPairs(list)
		s.Text = append(s.Text, fmt.Sprintf("Of the numbers with pictures, the pairs with the "+
			"largest rank correlation, where it is above %g: narrow ridges and funnels are slow.",
			someRank))
	}
	if len(chosen) == 0 {
		return nil, nil
	}
	switch {
	case diverging == nil:
	case count == 0:
		s.Text = append(s.Text, "No draw is divergent.")
	default:
		s.Text = append(s.Text, fmt.Sprintf("Crosses are divergent draws, %d of %d: where they "+
			"crowd, the posterior is too curved for the step, and draws beyond are missing. A "+
			"larger --target-accept, or effects written as scale times standard normal, helps.",
			count, len(gone)))
	}
	for _, p := range chosen {
		s.Charts = append(s.Charts, Pair(p[0], p[1], logs(p[0]), logs(p[1]), gone))
	}
	return s, nil
}

// flat puts chains behind each other.
func flat(chains [][]float64) []float64 { return slices.Concat(chains...) }

// number reads a number of the run by its name.
func (x *Report) number(name string) (*Number, error) {
	var names []string
	for _, v := range session.StoredDraws(x.Store) {
		for i, element := range v.Elements() {
			if element != name {
				if len(names) < 10000 {
					names = append(names, element)
				}
				continue
			}
			chains, err := ElementDraws(x.Store, v, i)
			return &Number{SummaryVar: SummaryVar{Name: name}, Chains: chains}, err
		}
	}
	hint := ""
	if near := spelling.Nearest(name, names); near != "" {
		hint = "; did you mean " + near + "?"
	}
	return nil, session.Usagef("--pairs: no number of the run is called %s%s", name, hint)
}

// apartPairs returns pairs of numbers to plot for a run with divergent draws. Each pair has the
// number in which the divergent draws differ most from the others, and one of the next numbers in
// this order.
func apartPairs(list []Number, gone []float64) [][2]*Number {
	type apart struct {
		n *Number
		d float64
	}
	var all []apart
	for i := range list {
		if varies(&list[i]) {
			all = append(all, apart{&list[i], distance(flat(list[i].Chains), gone)})
		}
	}
	slices.SortStableFunc(all, func(a, b apart) int {
		switch {
		case a.d > b.d:
			return -1
		case a.d < b.d:
			return 1
		}
		return 0
	})
	var out [][2]*Number
	for i := 1; i < len(all) && len(out) < mostPairs; i++ {
		out = append(out, [2]*Number{all[i].n, all[0].n})
	}
	return out
}

func varies(n *Number) bool {
	all := finite(n.Chains)
	return len(all) > 2 && all[0] < all[len(all)-1]
}

// distance returns the Kolmogorov–Smirnov distance between the divergent draws in x and the others.
// gone is not 0 for divergent draws.
func distance(x, gone []float64) float64 {
	order := make([]int, len(x))
	of := [2]float64{}
	for i := range x {
		order[i] = i
		if gone[i] != 0 {
			of[1]++
		} else {
			of[0]++
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
	have, most := [2]float64{}, 0.0
	for k, i := range order {
		if gone[i] != 0 {
			have[1]++
		} else {
			have[0]++
		}
		if k+1 == len(order) || x[order[k+1]] != x[i] {
			most = max(most, math.Abs(have[0]/of[0]-have[1]/of[1]))
		}
	}
	return most
}

// correlatedPairs returns the pairs of numbers with the largest rank correlations.
func correlatedPairs(list []Number) [][2]*Number {
	var of []*Number
	var ranks [][]float64
	for i := range list {
		if varies(&list[i]) {
			of = append(of, &list[i])
			ranks = append(ranks, standardRanks(evenly(flat(list[i].Chains), rankDraws)))
		}
	}
	type pair struct {
		two [2]*Number
		r   float64
	}
	var all []pair
	for i := range of {
		for j := range i {
			r := 0.0
			for k := range ranks[i] {
				r += float64(ranks[i][k] * ranks[j][k])
			}
			if r = math.Abs(r); r > someRank {
				all = append(all, pair{[2]*Number{of[j], of[i]}, r})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b pair) int {
		switch {
		case a.r > b.r:
			return -1
		case a.r < b.r:
			return 1
		}
		return 0
	})
	var out [][2]*Number
	for _, p := range all[:min(len(all), mostPairs)] {
		out = append(out, p.two)
	}
	return out
}

// evenly takes at most so many numbers, evenly spread.
func evenly(x []float64, most int) []float64 {
	if len(x) <= most {
		return x
	}
	out := make([]float64, most)
	for i := range out {
		out[i] = x[(2*i+1)*len(x)/(2*most)]
	}
	return out
}

// standardRanks are the ranks of numbers, with mean 0 and sum of squares 1.
func standardRanks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
	out, square := make([]float64, len(x)), 0.0
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && x[order[to]] == x[order[from]] {
			to++
		}
		r := float64(from+to-1)/2 - float64(len(x)-1)/2
		for _, i := range order[from:to] {
			out[i] = r
			square += float64(r * r)
		}
		from = to
	}
	if square = math.Sqrt(square); square > 0 {
		for i := range out {
			out[i] /= square
		}
	}
	return out
}

// Pair is a number against another, with crosses where draws are divergent. Positive numbers
// may be drawn by their logarithms. gone has 1 for every divergent draw of the chains behind
// each other, and may be empty.
func Pair(a, b *Number, logA, logB bool, gone []float64) chart.Chart {
	x, nameX := scaled(a, logA)
	y, nameY := scaled(b, logB)
	c := chart.Chart{Title: nameY + " against " + nameX, X: chart.Axis{Name: nameX},
		Y: chart.Axis{Name: nameY}}
	var at [2][]int
	for i := range x {
		wrong := 0
		if len(gone) > i && gone[i] != 0 {
			wrong = 1
		}
		at[wrong] = append(at[wrong], i)
	}
	pick := func(list []int, most int) (u, v []float64) {
		n := min(len(list), most)
		for k := range n {
			i := list[(2*k+1)*len(list)/(2*n)]
			u, v = append(u, x[i]), append(v, y[i])
		}
		return u, v
	}
	u, v := pick(at[0], pairDraws)
	c.Series = []chart.Series{{Mark: chart.Points, Name: "draws", Class: chart.Soft, X: u, Y: v}}
	if len(at[0]) > len(u) {
		c.Says = fmt.Sprintf("%d of %d draws.", len(u), len(at[0]))
	}
	if len(at[1]) > 0 {
		u, v = pick(at[1], pairWrong)
		c.Series = append(c.Series, chart.Series{Mark: chart.Crosses, Name: "divergent draws",
			Class: chart.Wrong, X: u, Y: v})
		c.Key = true
	}
	return c
}

func scaled(n *Number, logs bool) ([]float64, string) {
	x, name := flat(n.Chains), n.title()
	if !logs {
		return x, name
	}
	for i, v := range x {
		x[i] = special.Log(v)
	}
	return x, "log " + name
}
