package calibrate

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A FiniteReport says which terms of the log density were not finite where they
// should be.
type FiniteReport struct {
	Points  int         `json:"points"`
	Undrawn []Undrawn   `json:"undrawn"` // points that could not be drawn
	From    string      `json:"from"`    // what the points are: "prior draws", "random points"
	Terms   int         `json:"terms"`
	Off     []FiniteOff `json:"off"` // a term, or an entry of the gradient
	Verdict string      `json:"verdict"`
}

// A FiniteOff is a term, or a coordinate of the gradient, that was not finite.
type FiniteOff struct {
	Term string `json:"term,omitempty"` // y ~ normal(mu, sigma)
	Line int    `json:"line,omitempty"`
	// "at n = 3", of the first point; or "the gradient by w[3]", of the term or of all terms
	// together
	Entry  string `json:"entry,omitempty"`
	Value  string `json:"value"`  // NaN, +Inf, -Inf
	Points int    `json:"points"` // at how many of the points
}

// where says what of the density one is.
func (o *FiniteOff) where() string {
	if o.Term != "" && o.Entry != "" {
		return o.Term + ", " + o.Entry
	}
	return o.Term + o.Entry
}

// Undrawn are points that could not be drawn, for one reason.
type Undrawn struct {
	Error  string `json:"error"`
	Points int    `json:"points"`
}

// Terms are the summands of a log density by their entries.
type Terms interface {
	Len() int
	Values(i int, x []float64) []float64
	Gradient(i int, x, grad []float64) // of the sum of the entries of summand i
	Entry(i, k int) string             // where entry k of summand i stands
}

// A finiteCheck counts what is not finite, point by point.
type finiteCheck struct {
	report FiniteReport
	name   func(i int) (text string, line int)
	at     map[string]int
}

func newFiniteCheck(from string, name func(int) (string, int)) *finiteCheck {
	return &finiteCheck{report: FiniteReport{From: from, Off: []FiniteOff{}, Undrawn: []Undrawn{}},
		name: name, at: map[string]int{}}
}

// point looks at every term, and at the gradient where all terms are finite.
func (c *finiteCheck) point(t Terms, f Density, names []string, x, grad []float64) {
	c.report.Points++
	c.report.Terms = t.Len()
	all := true
	for i := range t.Len() {
		for k, v := range t.Values(i, x) {
			if special.Finite(v) {
				continue
			}
			all = false
			text, line := c.name(i)
			c.add(FiniteOff{Term: text, Line: line, Entry: t.Entry(i, k), Value: text64(v)},
				text+"\x00"+text64(v))
			break
		}
	}
	if !all {
		return
	}
	f.Gradient(x, grad)
	if firstNonFinite(grad) < 0 {
		return
	}
	off, k := FiniteOff{}, firstNonFinite(grad)
	v := grad[k]
	for i := range t.Len() { // the first summand that has such a gradient, if one has
		t.Gradient(i, x, grad)
		if j := firstNonFinite(grad); j >= 0 {
			off.Term, off.Line = c.name(i)
			k, v = j, grad[j]
			break
		}
	}
	off.Entry, off.Value = "the gradient by "+names[k], text64(v)
	c.add(off, off.Term+"\x00"+off.Entry)
}

func firstNonFinite(x []float64) int {
	return slices.IndexFunc(x, func(v float64) bool { return !special.Finite(v) })
}

// NotFinite names what of a model's log density or its gradient is not finite at a
// state: its terms with their lines, as a test of the model names them. It is empty
// where the model cannot be taken apart, or everything is finite.
func NotFinite(m *check.Model, bound *data.Bound, target *model.Model, x []float64) []string {
	b, _, err := driver.Break(m)
	if b == nil || err != nil {
		return nil
	}
	terms, err := b.Bind(bound)
	names := stateNames(target.Spec, target.Dims)
	if err != nil || len(names) != len(x) {
		return nil
	}
	c := newFiniteCheck("the start",
		func(i int) (string, int) { return b.Parts[i].String(), b.Parts[i].Line })
	c.point(terms, &world{eval: target.Evaluator(0)}, names, x, make([]float64, len(x)))
	var out []string
	for i, o := range c.report.Off {
		if i == shown {
			return append(out, fmt.Sprintf("… and %d more", len(c.report.Off)-shown))
		}
		out = append(out, o.where()+" is "+o.Value+at(o.Line))
	}
	return out
}

func (c *finiteCheck) add(o FiniteOff, key string) {
	at, ok := c.at[key]
	if !ok {
		at = len(c.report.Off)
		c.at[key] = at
		c.report.Off = append(c.report.Off, o)
	}
	c.report.Off[at].Points++
}

// undrawn counts a point that could not be drawn.
func (c *finiteCheck) undrawn(err error) {
	c.report.Points++
	for i := range c.report.Undrawn {
		if u := &c.report.Undrawn[i]; u.Error == err.Error() {
			u.Points++
			return
		}
	}
	c.report.Undrawn = append(c.report.Undrawn, Undrawn{err.Error(), 1})
}

func (c *finiteCheck) done() FiniteReport {
	c.report.Verdict = verdict(len(c.report.Off) == 0 && len(c.report.Undrawn) == 0)
	return c.report
}
