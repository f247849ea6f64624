package predict

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
)

// means describes every entry over the draws: of numbers the mean, the
// standard deviation and quantiles, of classes their probabilities. Where the
// expected value at a draw is known, the mean is the average of those, and so
// are probabilities: they vary less than draws do.
type means struct {
	sites    []driver.Predicted
	n        int
	all      []float64 // [draw][entry]
	width    int
	expected []float64    // sums
	expect   []float64    // of one draw
	chances  [][]float64  // by site: sums
	labels   [][][]string // by site and axis: names of its entries
	named    [][]string   // by site: names of its classes; nil without
}

// name gives entries and classes the names of their dims.
func (s *means) name(b *session.Binding) {
	for k := range s.sites {
		x := &s.sites[k]
		s.labels = append(s.labels, session.AxisNames(session.VariableOf(x), b.Bound.Labels))
		var classes []string
		if len(b.Bound.Labels[x.ClassDim]) == x.Classes && x.Classes > 0 {
			classes = b.Bound.Labels[x.ClassDim]
		}
		if in := b.Compiled.Spec.Schema.Input(x.Name); in != nil && x.Classes > 0 {
			if dim, one := in.Below.Name(); one && len(b.Bound.Labels[dim]) == x.Classes {
				classes = b.Bound.Labels[dim]
			}
		}
		s.named = append(s.named, classes)
	}
}

// mostNumbers bounds what is in memory for quantiles.
const mostNumbers = 1 << 27

func newMeans(
	sites []driver.Predicted, width int, draws *session.RunDraws,
) (*means, error) {
	if total := float64(draws.Total()) * float64(width); total > mostNumbers {
		return nil, session.Usagef("quantiles of %d entries over %d draws want %.3g numbers in "+
			"memory, more than %.3g; try --draws %d, or a .zarr without --mean",
			width, draws.Total(), total, float64(mostNumbers), max(1, mostNumbers/width))
	}
	s := &means{sites: sites, width: width, all: make([]float64, 0, draws.Total()*width),
		expected: make([]float64, width), expect: make([]float64, width)}
	for _, x := range sites {
		var sum []float64
		if x.Chances {
			sum = make([]float64, x.Len*x.Classes)
		}
		s.chances = append(s.chances, sum)
	}
	return s, nil
}

// take adds a draw.
func (s *means) take(g *driver.Predictor, x, out []float64) {
	s.n++
	s.all = append(s.all, out...)
	if g == nil { // latent values are known by their draws
		return
	}
	g.Expect(x, s.expect)
	for i, v := range s.expect {
		s.expected[i] += v
	}
	for k := range s.sites {
		if s.chances[k] != nil {
			g.Chances(&s.sites[k], x, s.chances[k])
		}
	}
}

// A entry is what is said of an entry.
type entry struct {
	mean, sd, q5, q50, q95 float64
	chances                []float64
	class                  float64
}

// entry describes entry i of site k; col has room for its draws.
func (s *means) entry(k, i int, col []float64) entry {
	x := &s.sites[k]
	at := x.Offset + i
	for d := range col {
		col[d] = s.all[d*s.width+at]
	}
	if x.Classes > 0 {
		return s.classes(k, i, col)
	}
	sum, square := 0.0, 0.0
	for _, v := range col {
		sum += v
	}
	mean := sum / float64(s.n)
	for _, v := range col {
		square += float64((v - mean) * (v - mean))
	}
	e := entry{mean: mean, sd: math.Sqrt(square / float64(s.n-1))}
	if x.Expected {
		e.mean = s.expected[at] / float64(s.n)
	}
	slices.Sort(col) // NaN first, and then all are
	e.q5, e.q50, e.q95 = quantile(col, 0.05), quantile(col, 0.5), quantile(col, 0.95)
	return e
}

// classes are the probabilities of an entry's classes, and the most probable.
func (s *means) classes(k, i int, col []float64) entry {
	x := &s.sites[k]
	e := entry{chances: make([]float64, x.Classes), class: float64(x.From)}
	for c := range e.chances {
		if x.Chances {
			e.chances[c] = s.chances[k][i*x.Classes+c] / float64(s.n)
		}
	}
	if !x.Chances {
		for _, v := range col {
			if c := v - float64(x.From); c >= 0 && c < float64(x.Classes) {
				e.chances[int(c)] += 1 / float64(s.n)
			}
		}
	}
	best := 0
	for c, p := range e.chances {
		if p > e.chances[best] {
			best = c
		}
	}
	e.class += float64(best)
	if math.IsNaN(col[0]) { // not observed by any statement
		e.class = math.NaN()
		for c := range e.chances {
			e.chances[c] = math.NaN()
		}
	}
	return e
}

// quantile is linear between the order statistics (type 7 of Hyndman and Fan).
func quantile(sorted []float64, p float64) float64 {
	at := float64(len(sorted)-1) * p
	i := int(at)
	q := sorted[i]
	if part := at - float64(i); part > 0 && sorted[i+1] != q {
		q = float64((1-part)*q) + float64(part*sorted[i+1])
	}
	return q
}
