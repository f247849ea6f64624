package main

import (
	"bufio"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// predictedMeans describes every entry over the draws: of numbers the mean, the
// standard deviation and quantiles, of classes their probabilities. Where the
// expected value at a draw is known, the mean is the average of those, and so
// are probabilities: they vary less than draws do.
type predictedMeans struct {
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
func (s *predictedMeans) name(b *session.Binding) {
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

func newPredictedMeans(
	sites []driver.Predicted, width int, draws *session.RunDraws,
) (*predictedMeans, error) {
	if total := float64(draws.Total()) * float64(width); total > mostNumbers {
		return nil, session.Usagef("quantiles of %d entries over %d draws want %.3g numbers in "+
			"memory, more than %.3g; try --draws %d, or a .zarr without --mean",
			width, draws.Total(), total, float64(mostNumbers), max(1, mostNumbers/width))
	}
	s := &predictedMeans{sites: sites, width: width, all: make([]float64, 0, draws.Total()*width),
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
func (s *predictedMeans) take(g *driver.Predictor, x, out []float64) {
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

// A predictedEntry is what is said of an entry.
type predictedEntry struct {
	mean, sd, q5, q50, q95 float64
	chances                []float64
	class                  float64
}

// entry describes entry i of site k; col has room for its draws.
func (s *predictedMeans) entry(k, i int, col []float64) predictedEntry {
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
	e := predictedEntry{mean: mean, sd: math.Sqrt(square / float64(s.n-1))}
	if x.Expected {
		e.mean = s.expected[at] / float64(s.n)
	}
	slices.Sort(col) // NaN first, and then all are
	e.q5, e.q50, e.q95 = quantile(col, 0.05), quantile(col, 0.5), quantile(col, 0.95)
	return e
}

// classes are the probabilities of an entry's classes, and the most probable.
func (s *predictedMeans) classes(k, i int, col []float64) predictedEntry {
	x := &s.sites[k]
	e := predictedEntry{chances: make([]float64, x.Classes), class: float64(x.From)}
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

// write writes the description.
func (s *predictedMeans) write(e *session.Session, out, format string) error {
	if format == "csv" {
		return session.FilesError(trace.WriteStream(out, s.csv))
	}
	return session.FilesError(e.Stream(out, s.json))
}

// csv has a line an entry. Columns of classes are there when a name has them.
func (s *predictedMeans) csv(b *bufio.Writer) error {
	most, numbers := 0, false
	for _, x := range s.sites {
		most, numbers = max(most, x.Classes), numbers || x.Classes == 0
	}
	labels := slices.ContainsFunc(s.labels, func(l [][]string) bool { return l != nil })
	named := slices.ContainsFunc(s.named, func(l []string) bool { return l != nil })
	b.WriteString("name")
	if labels {
		b.WriteString(",label")
	}
	if numbers {
		b.WriteString(",mean,sd,q5,q50,q95")
	}
	if most > 0 {
		b.WriteString(",class")
	}
	if named {
		b.WriteString(",class_name")
	}
	for c := range most {
		b.WriteString(",p" + strconv.Itoa(c))
	}
	col := make([]float64, s.n)
	for k := range s.sites {
		x := &s.sites[k]
		for i, name := range session.EntryNames(x) {
			b.WriteByte('\n')
			session.WriteQuoted(b, name, len(x.Shape) > 0)
			if labels {
				b.WriteByte(',')
				writeText(b, session.EntryName(x.Shape, s.labels[k], i))
			}
			v := s.entry(k, i, col)
			cells := []float64{v.mean, v.sd, v.q5, v.q50, v.q95}
			if x.Classes > 0 {
				cells = slices.Concat([]float64{v.class}, v.chances)
				if numbers {
					b.WriteString(",,,,,")
				}
			}
			for j, c := range cells {
				b.Write(trace.AppendNumber(append(b.AvailableBuffer(), ','), c))
				if x.Classes > 0 && j == 0 && named {
					b.WriteByte(',')
					writeText(b, className(s.named[k], v.class-float64(x.From)))
				}
			}
			if x.Classes == 0 && named {
				b.WriteByte(',')
			}
			for n := len(cells); x.Classes > 0 && n < most+1; n++ {
				b.WriteByte(',')
			}
			for n := 0; x.Classes == 0 && most > 0 && n < most+1; n++ {
				b.WriteByte(',')
			}
		}
	}
	return session.WriteError(b.WriteByte('\n'))
}

// className is the name of a class, counted from 0; "" where it has none.
func className(names []string, class float64) string {
	if !(class >= 0 && class < float64(len(names))) {
		return ""
	}
	return names[int(class)]
}

// writeText writes a cell of text, in quotes where it needs them.
func writeText(b *bufio.Writer, text string) {
	if strings.ContainsAny(text, "\",\r\n") {
		text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	b.WriteString(text)
}

// json has for every name an object of arrays in the name's shape; classes are
// the names of the classes, labels for every axis those of its entries, or null.
func (s *predictedMeans) json(b *bufio.Writer) error {
	col := make([]float64, s.n)
	for k := range s.sites {
		x := &s.sites[k]
		start := ",\n  "
		if k == 0 {
			start = "{\n  "
		}
		b.WriteString(start + strconv.Quote(x.Name) + ": {")
		var columns [5][]float64
		var class, chances []float64
		for i := range x.Len {
			v := s.entry(k, i, col)
			for j, n := range []float64{v.mean, v.sd, v.q5, v.q50, v.q95} {
				columns[j] = append(columns[j], n)
			}
			class, chances = append(class, v.class), append(chances, v.chances...)
		}
		if x.Classes > 0 {
			b.WriteString("\n    \"class\": ")
			driver.WriteNested(b, class, x.Shape, true)
			b.WriteString(",\n    \"p\": ")
			driver.WriteNested(b, chances, append(slices.Clone(x.Shape), x.Classes), false)
		} else {
			for j, name := range []string{"mean", "sd", "q5", "q50", "q95"} {
				if j > 0 {
					b.WriteByte(',')
				}
				b.WriteString("\n    " + strconv.Quote(name) + ": ")
				driver.WriteNested(b, columns[j], x.Shape, false)
			}
		}
		for _, l := range []struct {
			key   string
			value any
			some  bool
		}{{"classes", s.named[k], s.named[k] != nil}, {"labels", s.labels[k], s.labels[k] != nil}} {
			if l.some {
				text, err := json.Marshal(l.value)
				if err != nil {
					return err
				}
				b.WriteString(",\n    " + strconv.Quote(l.key) + ": ")
				b.Write(text)
			}
		}
		b.WriteString("\n  }")
	}
	_, err := b.WriteString("\n}\n")
	return session.WriteError(err)
}
