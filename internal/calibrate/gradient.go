package calibrate

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Density is a log density on a state with the gradient that samplers use.
type Density interface {
	LogDensity(x []float64) float64
	// Gradient writes the gradient in the coordinates of the state.
	Gradient(x, grad []float64)
}

// A Summand is a part of a density with its own gradient.
type Summand struct {
	Name string
	Density
}

// A GradientReport says how a gradient compares with central differences.
type GradientReport struct {
	Points  int `json:"points"`
	Entries int `json:"entries"` // coordinates compared, of all points
	// those whose differences do not settle: kinks, and sums that cancel
	Unresolved int           `json:"unresolved"`
	Worst      *GradientOff  `json:"worst,omitempty"`
	Off        []GradientOff `json:"off"` // the first of each coordinate that is off
	Verdict    string        `json:"verdict"`
}

// A GradientOff is one coordinate of one point.
type GradientOff struct {
	Entry      string  `json:"entry"` // mu[2], in the coordinates of the state
	Gradient   Float   `json:"gradient"`
	Difference Float   `json:"difference"`
	Relative   Float   `json:"relative_error"`
	Term       string  `json:"term,omitempty"` // the summand whose own gradient is off most
	Line       int     `json:"line,omitempty"`
	OffPoints  int     `json:"off_points,omitempty"` // at how many points it is off
	tolerance  float64 // of the difference
	exact      bool    // the difference is known to relativeTolerance of its size
}

// maxEntries and leastEntries bound the coordinates compared at a point: a network
// has many, and they share their code. Between them budget counts, in the rows
// times coordinates of a density, what all comparisons may cost: a few seconds.
const (
	maxEntries   = 200
	leastEntries = 10
	budget       = 4e8
)

// entries is how many coordinates are compared at each point of a model of so
// many rows and coordinates: a rule of sizes, so that the same is always done.
func entries(rows, dim int) int {
	each := float64(max(rows, 1)) * float64(dim) * float64(4*len(steps)*2*gradientPoints)
	return min(dim, int(min(maxEntries, max(leastEntries, budget/each))))
}

// steps of the differences, in the coordinates of the state: from the one that
// curvature spoils to the one that rounding spoils.
var steps = [...]float64{3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5}

// relativeTolerance is what a gradient may differ by besides the error of the
// difference itself.
const relativeTolerance = 1e-5

// A gradientCheck compares at one point after another.
type gradientCheck struct {
	f       Density
	parts   []Summand
	factors []manifold.Factor
	names   []string // of the coordinates
	most    int      // coordinates compared at a point
	lines   func(part int) int
	report  GradientReport
	seen    map[string]int // entries that are off, to their place in report.Off
	x, v, g []float64
	scratch []float64
}

func newGradientCheck(
	f Density, parts []Summand, lines func(int) int, factors []manifold.Factor, names []string,
	most int,
) *gradientCheck {
	n := len(names)
	return &gradientCheck{f: f, parts: parts, lines: lines, factors: factors, names: names,
		most: most, seen: map[string]int{},
		x: make([]float64, n), v: make([]float64, n), g: make([]float64, n),
		scratch: make([]float64, n)}
}

// point compares at x; points where the density is not finite are left to the
// check of finite terms.
func (c *gradientCheck) point(x []float64) {
	if !special.Finite(c.f.LogDensity(x)) {
		return
	}
	c.report.Points++
	c.f.Gradient(x, c.g)
	manifold.Pull(c.factors, x, c.g)
	n := len(x)
	k := min(n, c.most)
	for j := range k {
		i := j * n / k
		if !c.direction(x, i) {
			continue
		}
		c.report.Entries++
		along := dot(c.g, c.v)
		d, fail := c.compare(c.f, x, along)
		switch {
		case math.IsNaN(d.tolerance):
			c.report.Unresolved++
			continue
		case fail || d.exact && (c.report.Worst == nil || d.Relative > c.report.Worst.Relative):
			d.Entry = c.names[i]
			worst := d
			c.report.Worst = &worst
		}
		if !fail {
			continue
		}
		if at, ok := c.seen[c.names[i]]; ok {
			c.report.Off[at].OffPoints++
			continue
		}
		d.Entry, d.OffPoints = c.names[i], 1
		d.Term, d.Line = c.blame(x)
		c.seen[d.Entry] = len(c.report.Off)
		c.report.Off = append(c.report.Off, d)
	}
}

// direction sets c.v to the tangent along coordinate i; false where there is none.
func (c *gradientCheck) direction(x []float64, i int) bool {
	clear(c.v)
	for k := range c.factors {
		f := &c.factors[k]
		if i < f.Offset || i >= f.Offset+f.Len {
			continue
		}
		c.v[i] = 1
		if f.Flat {
			return true
		}
		m := f.Space.Ambient()
		at := f.Offset + (i-f.Offset)/m*m
		v := c.v[at : at+m]
		f.Space.Project(x[at:at+m], v)
		size := math.Sqrt(dot(v, v))
		if size < 1e-3 {
			return false
		}
		for j := range v {
			v[j] /= size
		}
		return true
	}
	return false
}

// value is the density at the point that the geodesic along c.v reaches at time t.
func (c *gradientCheck) value(f Density, x []float64, t float64) float64 {
	copy(c.x, x)
	copy(c.scratch, c.v)
	for k := range c.factors {
		s := &c.factors[k]
		m := s.Space.Ambient()
		for at := s.Offset; at < s.Offset+s.Len; at += m {
			if v := c.scratch[at : at+m]; dot(v, v) > 0 {
				s.Space.Flow(c.x[at:at+m], v, t)
			}
		}
	}
	return f.LogDensity(c.x)
}

// compare holds a derivative along c.v against differences of fourth order,
//
//	(8 (f(h) − f(−h)) − (f(2h) − f(−2h))) / 12h
//
// (Abramowitz and Stegun 25.3.6), of the step at which those of neighbouring
// steps agree best. The tolerance is NaN where none agree.
func (c *gradientCheck) compare(f Density, x []float64, along float64) (d GradientOff, fail bool) {
	scale := math.Abs(f.LogDensity(x)) + 1
	best, doubt := math.NaN(), math.Inf(1)
	before := math.NaN()
	for _, h := range steps {
		up, down := c.value(f, x, h), c.value(f, x, -h)
		now := (8*(up-down) - (c.value(f, x, 2*h) - c.value(f, x, -2*h))) / (12 * h)
		noise := 0x1p-52 * scale / h
		if err := math.Abs(now-before) + noise; err < doubt && special.Finite(now) {
			best, doubt = now, err
		}
		before = now
	}
	size := max(math.Abs(along), math.Abs(best))
	d = GradientOff{Gradient: Float(along), Difference: Float(best),
		tolerance: relativeTolerance*size + 20*doubt, exact: doubt <= relativeTolerance*size}
	gap := math.Abs(along - best)
	if size > 0 {
		d.Relative = Float(gap / size)
	}
	if !special.Finite(best) || doubt > 0.01*size+1e-6*scale {
		d.tolerance = math.NaN()
		return d, false
	}
	if fail = !(gap <= d.tolerance); fail && c.kink(f, x, along, best, size) {
		d.tolerance, fail = math.NaN(), false
	}
	return d, fail
}

// kink reports that x lies close to a kink, as the largest of two entries has
// where they are equal: the steps that reach across it agree on the mean of two
// slopes. The slopes ahead and behind, by differences of second order of the
// smallest step, differ then from each other or from that mean, and the
// derivative is one of them or lies between. At a smooth point all are equal.
func (c *gradientCheck) kink(f Density, x []float64, along, best, size float64) bool {
	const h = 1e-5
	at := c.value(f, x, 0)
	ahead := (4*c.value(f, x, h) - c.value(f, x, 2*h) - 3*at) / (2 * h)
	behind := (3*at - 4*c.value(f, x, -h) + c.value(f, x, -2*h)) / (2 * h)
	near := relativeTolerance*size + 20*0x1p-52*(math.Abs(at)+1)/h
	lo, hi := min(ahead, behind), max(ahead, behind)
	return along >= lo-near && along <= hi+near &&
		(hi-lo > 3*near || math.Abs((lo+hi)/2-best) > 3*near)
}

// blame names the summand whose own gradient along c.v is off most.
func (c *gradientCheck) blame(x []float64) (name string, line int) {
	g := make([]float64, len(x))
	worst := 0.0
	name = "none by itself: the parts are right, and their sum is not"
	for i, p := range c.parts {
		p.Gradient(x, g)
		if d, fail := c.compare(p, x, dot(g, c.v)); fail && float64(d.Relative) >= worst {
			worst, name, line = float64(d.Relative), p.Name, c.lines(i)
		}
	}
	return name, line
}

func (c *gradientCheck) done() GradientReport {
	c.report.Verdict = verdict(len(c.report.Off) == 0)
	if c.report.Entries == 0 {
		c.report.Verdict = Skipped
	}
	if c.report.Off == nil {
		c.report.Off = []GradientOff{}
	}
	return c.report
}

func dot(a, b []float64) (s float64) {
	for i, x := range a {
		s += float64(x * b[i])
	}
	return s
}
