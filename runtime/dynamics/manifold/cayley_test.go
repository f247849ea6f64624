package manifold

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// TestCayley: a chart's points lie on the space, its coordinates are those of its points,
// its Jacobian is the volume of what a small cube becomes, and its gradients are those of
// differences, also near what the chart leaves out and with more columns than fit.
func TestCayley(t *testing.T) {
	for _, c := range []struct{ d, k int }{{2, 1}, {3, 1}, {10, 1}, {2, 2}, {3, 3}, {4, 2}, {5, 3},
		{6, 1}} {
		space := Manifold(NewStiefel(c.d, c.k))
		if c.k == 1 && c.d != 6 {
			space = NewSphere(c.d)
		}
		chart := ChartOf(space)
		d := chart.Dim()
		if d != space.Dim() {
			t.Fatalf("%+v: %d coordinates of a space of dimension %d", c, d, space.Dim())
		}
		src := rng.New(3, c.d*10+c.k, 1).At(0)
		middle, x, g := make([]float64, c.d*c.k), make([]float64, c.d*c.k), make([]float64, c.d*c.k)
		u, back, pulled := make([]float64, d), make([]float64, d), make([]float64, d)
		space.RandomPoint(&src, 1, middle)
		chart.Center(middle)
		chart.Point(u, x)
		for i := range x {
			if math.Abs(x[i]-middle[i]) > 1e-14 {
				t.Errorf("%+v: the middle is %v, not %v", c, x, middle)
			}
		}
		if chart.LogJacobian() != 0 {
			t.Errorf("%+v: log J %g at the middle", c, chart.LogJacobian())
		}
		constant := math.NaN()
		for try, size := range []float64{0.01, 0.3, 1, 5} {
			for i := range u {
				u[i] = size * src.Normal()
			}
			for i := range g {
				g[i] = src.Normal()
			}
			chart.Point(u, x)
			logJ := chart.LogJacobian()
			if r := space.Residual(x); r > 1e-13 {
				t.Errorf("%+v, size %g: %g off the space", c, size, r)
			}
			chart.Pull(g, 0.7, pulled)
			f := func() float64 {
				chart.Point(u, x)
				return kernel.Dot(g, x) + 0.7*chart.LogJacobian()
			}
			const by = 1e-6
			columns := make([]float64, d*len(x))
			for i := range u {
				at := u[i]
				h := by * math.Max(1, size)
				u[i] = at + h
				up := f()
				copy(columns[i*len(x):], x)
				u[i] = at - h
				down := f()
				for j := range x {
					columns[i*len(x)+j] = (columns[i*len(x)+j] - x[j]) / (2 * h)
				}
				u[i] = at
				if want := (up - down) / (2 * h); math.Abs(pulled[i]-want) >
					1e-7*(1+math.Abs(want)) {
					t.Errorf("%+v, size %g: derivative %d is %g, not %g", c, size, i,
						pulled[i], want)
				}
			}
			gram := make([]float64, d*d)
			for i := range d {
				for j := range d {
					gram[i*d+j] = kernel.Dot(columns[i*len(x):(i+1)*len(x)],
						columns[j*len(x):(j+1)*len(x)])
				}
			}
			kernel.Cholesky(gram, append([]float64(nil), gram...), 1, d)
			volume := 0.0
			for i := range d {
				volume += math.Log(gram[i*d+i])
			}
			if try == 0 {
				constant = volume - logJ
			} else if math.Abs(volume-logJ-constant) > 1e-5 {
				t.Errorf("%+v, size %g: log J is %g, by volumes %g", c, size, logJ, volume-constant)
			}
			chart.Point(u, x)
			if !chart.Coordinates(x, back) {
				t.Errorf("%+v, size %g: no coordinates", c, size)
			}
			for i := range u {
				if math.Abs(back[i]-u[i]) > 1e-9*(1+math.Abs(u[i]))*(1+size*size) {
					t.Errorf("%+v, size %g: coordinate %d is %g, not %g", c, size, i, back[i], u[i])
				}
			}
		}
		if c.d > c.k { // the point opposite is left out
			for i := range x {
				x[i] = -middle[i]
			}
			if chart.Coordinates(x, back) {
				t.Errorf("%+v: coordinates of the point opposite: %v", c, back)
			}
		}
		if n := testing.AllocsPerRun(10, func() {
			chart.Point(u, x)
			chart.Pull(g, 1, pulled)
			chart.Coordinates(x, back)
		}); n > 0 {
			t.Errorf("%+v: %v allocations", c, n)
		}
	}
	// In the other component of the orthogonal group nothing has coordinates.
	chart, x, u := NewCayley(3, 3), make([]float64, 9), make([]float64, 3)
	src := rng.New(3, 1, 1).At(0)
	NewStiefel(3, 3).RandomPoint(&src, 1, x)
	chart.Center(x)
	for i := range 3 {
		x[i*3] = -x[i*3]
	}
	if chart.Coordinates(x, u) {
		t.Errorf("coordinates in the other component: %v", u)
	}
}
