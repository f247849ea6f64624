package modeltest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// vectors walks the laws of vectors and matrices that stand in the tables of
// matrixLaws, countLaws and directionLaws: totals and draws.
func (w *walk) vectors(t *testing.T) {
	name := w.d.Name.Name + "("
	ran := func(on, call, draws string, f func(t *testing.T)) {
		if !strings.HasPrefix(call, name) {
			return
		}
		t.Run(strings.ReplaceAll(call, " ", ""), func(t *testing.T) {
			f(t)
			if w.has("mean") && !heavy[call] && !excused("mean", w.d.Name.Name) {
				meanOfDraws(t, on, call, draws)
				w.count["mean"]++
			}
		})
		w.count["total"]++
		w.count["draws"]++
	}
	for _, l := range matrixLaws {
		_, draws := l.texts()
		on := l.on
		if k, factor := strings.CutPrefix(on, "cov_chol["); factor {
			on = fmt.Sprintf("real[%s, %s", strings.TrimSuffix(k, "]"), k)
		}
		ran(on, l.call, draws, l.walk)
	}
	for _, call := range countLaws {
		ran("real[3]", call, "dim N\ndata x[N] : count[3]\nx ~ "+call+"\n",
			func(t *testing.T) { walkCounts(t, call) })
	}
	for _, l := range directionLaws {
		ran("real"+l.on[strings.Index(l.on, "["):], l.call,
			fmt.Sprintf("dim N\ndata x[N] : %s\nx ~ %s\n", l.on, l.call), l.walk)
	}
}

// heavy are laws without a second moment, whose draws have no standard error.
var heavy = map[string]bool{
	"inv_wishart(2.5, [[0.7]])": true, "inv_wishart(4.5, [[0.7, -0.4], [-0.4, 1.2]])": true,
}

// meanOfDraws holds the mean of draws to the line `mean`, entry by entry: as the
// gradient of Σ mean · z in an unknown z of the values' shape.
func meanOfDraws(t *testing.T, on, call, draws string) {
	t.Helper()
	name, args, _ := strings.Cut(call, "(")
	if on = strings.Replace(on, "simplex", "real", 1); strings.Contains(args, ", n = ") {
		t.Fatal("arguments are given by position here")
	}
	m := compiledAlone(t, fmt.Sprintf("param z : %s\nfactor sum(%s.mean(%s * z)\n", on, name, args))
	want := make([]float64, m.Dim())
	m.Evaluator(0).Gradient(make([]float64, m.Dim()), nil, 1, 0, want)
	const n = 3000
	x := drawsOf(t, draws, n, 23)
	for j, mean := range want {
		sum, square := 0.0, 0.0
		for i := range n {
			v := x[i*len(want)+j] - mean
			sum, square = sum+v/n, square+v*v/n
		}
		if se := math.Sqrt((square - sum*sum) / n); !(math.Abs(sum) <= 5*se+1e-12) {
			t.Errorf("entry %d of draws is %v ± %v off its mean %v", j, sum, se, mean)
		}
	}
}

// A directionLaw is a law of unit vectors, of matrices with orthonormal columns, of subspaces or
// of points of a hyperbolic space.
type directionLaw struct{ on, call string }

var directionLaws = []directionLaw{
	{"sphere[2]", "uniform_sphere()"}, {"sphere[3]", "uniform_sphere()"},
	{"sphere[2]", "vmf([0.6, 0.8], 0.7)"}, {"sphere[3]", "vmf([0, 0.6, -0.8], 9)"},
	{"sphere[2]", "power_spherical([0.6, 0.8], 0.7)"},
	{"sphere[3]", "power_spherical([0, 0.6, -0.8], 9)"},
	{"stiefel[2, 1]", "uniform_stiefel()"}, {"stiefel[2, 2]", "uniform_stiefel()"},
	{"stiefel[3, 2]", "uniform_stiefel()"},
	{"grassmann[2, 1]", "uniform_grassmann()"}, {"grassmann[3, 1]", "uniform_grassmann()"},
	{"grassmann[3, 2]", "uniform_grassmann()"},
	{"hyperbolic[2]", "hyperbolic_normal([1.25, -0.75], 0.8)"},
	{"hyperbolic[3]", "hyperbolic_normal([1, 0, 0], 0.5)"},
	{"hyperbolic[3]", "hyperbolic_normal([1.25, 0, 0.75], 0.6)"},
}

// surface is points of a manifold with their areas, by midpoints in angles and heights.
func surface(on string) (points [][]float64, area []float64) {
	circle := func(n int, each func(c, s, w float64)) {
		for i := range n {
			a := 2 * math.Pi * (float64(i) + 0.5) / float64(n)
			each(math.Cos(a), math.Sin(a), 2*math.Pi/float64(n))
		}
	}
	sphere := func(n int, each func(x [3]float64, w float64)) {
		for i := range n {
			z := -1 + (2*float64(i)+1)/float64(n)
			r := math.Sqrt(1 - z*z)
			circle(n, func(c, s, w float64) { each([3]float64{r * c, r * s, z}, w*2/float64(n)) })
		}
	}
	put := func(w float64, x ...float64) { points, area = append(points, x), append(area, w) }
	switch on {
	case "sphere[2]", "stiefel[2, 1]":
		circle(2000, func(c, s, w float64) { put(w, c, s) })
	case "sphere[3]":
		sphere(200, func(x [3]float64, w float64) { put(w, x[:]...) })
	case "grassmann[2, 1]": // half a circle, and half a sphere
		circle(2000, func(c, s, w float64) { put(w/2, math.Abs(c), math.Copysign(1, c)*s) })
	case "grassmann[3, 1]":
		sphere(200, func(x [3]float64, w float64) {
			s := math.Copysign(1, x[0])
			put(w/2, s*x[0], s*x[1], s*x[2])
		})
	case "grassmann[3, 2]": // the planes across the points of half a sphere
		sphere(200, func(n [3]float64, w float64) {
			a := math.Sqrt(1 - n[0]*n[0])
			b := -n[0] * n[1] / a
			c := math.Sqrt(1 - n[1]*n[1] - b*b)
			low := -n[0] * n[2] / a
			put(w/2, a, 0, b, c, low, (-n[1]*n[2]-low*b)/c)
		})
	case "hyperbolic[2]":
		const n, most = 2000, 8.
		for i := range n {
			r := most * (2*(float64(i)+0.5)/n - 1)
			put(2*most/n, math.Cosh(r), math.Sinh(r))
		}
	case "hyperbolic[3]":
		const n, most = 300, 6.
		for i := range n {
			r := most * (float64(i) + 0.5) / n
			circle(200, func(c, s, w float64) {
				put(w*math.Sinh(r)*most/n, math.Cosh(r), c*math.Sinh(r), s*math.Sinh(r))
			})
		}
	case "stiefel[2, 2]": // two circles, along which both columns move
		circle(2000, func(c, s, w float64) {
			put(math.Sqrt2*w, c, -s, s, c)
			put(math.Sqrt2*w, c, s, s, -c)
		})
	case "stiefel[3, 2]":
		// the second column on the circle across the first; one direction moves both
		sphere(30, func(x [3]float64, w float64) {
			r := math.Hypot(x[0], x[1])
			u := [3]float64{-x[1] / r, x[0] / r, 0}
			v := [3]float64{-x[2] * u[1], x[2] * u[0], x[0]*u[1] - x[1]*u[0]}
			circle(30, func(c, s, w2 float64) {
				put(math.Sqrt2*w*w2, x[0], c*u[0]+s*v[0], x[1], c*u[1]+s*v[1], x[2], c*u[2]+s*v[2])
			})
		})
	}
	return points, area
}

// walk integrates the density over the manifold to one, and holds the first and
// second moments of draws to those of the density.
func (l directionLaw) walk(t *testing.T) {
	points, area := surface(l.on)
	size, rows := len(points[0]), len(points)
	var flat []float64
	for _, p := range points {
		flat = append(flat, p...)
	}
	shape := []int{rows, size}
	if strings.Contains(l.on, ",") {
		k := int(l.on[len(l.on)-2] - '0')
		shape = []int{rows, size / k, k}
	}
	c, diags := driver.Compile(source.New("law.sg",
		fmt.Sprintf("dim N\ndata x[N] : %s\nparam m : real\nfor n in N { x[n] ~ %s }\n", l.on,
			l.call)), driver.Options{})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	m, err := c.VM(bound(map[string]int{"N": rows},
		map[string]*data.Value{"x": data.Dense(flat, shape...)}), nil)
	if err != nil {
		t.Fatal(err)
	}
	logp := make([]float64, rows)
	m.Evaluator(0).LogLik([]float64{0}, nil, logp)
	first, second, total := make([]float64, size), make([]float64, size*size), 0.0
	for i, p := range points {
		w := area[i] * math.Exp(logp[i])
		total += w
		for j, x := range p {
			first[j] += w * x
			for k, y := range p {
				second[j*size+k] += w * x * y
			}
		}
	}
	if !(math.Abs(total-1) < 1e-3) {
		t.Errorf("the density integrates to %v", total)
	}
	const n = 4000
	draws := drawsOf(t, fmt.Sprintf("dim N\ndata x[N] : %s\nx ~ %s\n", l.on, l.call), n, 5)
	moment := func(what string, f func(x []float64) float64, want float64) {
		sum, square := 0.0, 0.0
		for i := range n {
			v := f(draws[i*size : (i+1)*size])
			sum, square = sum+v/n, square+v*v/n
		}
		if se := math.Sqrt((square - sum*sum) / n); !(math.Abs(sum-want) < 5*se+2e-3) {
			t.Errorf("%s of draws is %v ± %v, of the density %v", what, sum, se, want)
		}
	}
	for j := range size {
		moment(fmt.Sprint("E x", j), func(x []float64) float64 { return x[j] }, first[j])
		for k := range j + 1 {
			moment(fmt.Sprint("E x", j, " x", k), func(x []float64) float64 { return x[j] * x[k] },
				second[j*size+k])
		}
	}
}
