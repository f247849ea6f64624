package calibrate

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
	Term   string `json:"term,omitempty"` // y ~ normal(mu, sigma)
	Line   int    `json:"line,omitempty"`
	Entry  string `json:"entry,omitempty"` // "at n = 3", of the first point; or the coordinate of the gradient
	Value  string `json:"value"`           // NaN, +Inf, -Inf
	Points int    `json:"points"`          // at how many of the points
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
	Entry(i, k int) string // where entry k of summand i stands
}

// A finiteCheck counts what is not finite, point by point.
type finiteCheck struct {
	report FiniteReport
	name   func(i int) (text string, line int)
	at     map[string]int
}

func newFiniteCheck(from string, name func(int) (string, int)) *finiteCheck {
	return &finiteCheck{report: FiniteReport{From: from, Off: []FiniteOff{}, Undrawn: []Undrawn{}}, name: name, at: map[string]int{}}
}

// point looks at every term, and at the gradient where all terms are finite.
func (c *finiteCheck) point(t Terms, f Density, names []string, x, grad []float64) {
	c.report.Points++
	c.report.Terms = t.Len()
	all := true
	for i := range t.Len() {
		for k, v := range t.Values(i, x) {
			if finite(v) {
				continue
			}
			all = false
			text, line := c.name(i)
			c.add(FiniteOff{Term: text, Line: line, Entry: t.Entry(i, k), Value: text64(v)}, text+"\x00"+text64(v))
			break
		}
	}
	if !all {
		return
	}
	f.Gradient(x, grad)
	for i, v := range grad {
		if !finite(v) {
			c.add(FiniteOff{Entry: "the gradient by " + names[i], Value: text64(v)}, names[i])
			return
		}
	}
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
