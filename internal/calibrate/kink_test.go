package calibrate

import (
	"testing"

	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// bent is max(a x, b x) + x² around a kink at a place, with the gradient that claims a slope.
type bent struct{ at, a, b, claimed float64 }

func (f bent) LogDensity(x []float64) float64 {
	y := x[0] - f.at
	return max(f.a*y, f.b*y) + x[0]*x[0]
}

func (f bent) Gradient(x, g []float64) { g[0] = f.claimed + 2*x[0] }

// Near a kink all larger steps reach across it: there a derivative that is one
// of the slopes is not called wrong, and one that is neither is.
func TestKink(t *testing.T) {
	factors, err := manifold.Product([]target.Block{{Name: "x", Len: 1,
		Geometry: target.Geometry{Kind: "euclidean", Points: 1, Dim: 1}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		f    bent
		what string
	}{
		{bent{5e-5, -1, 2, -1}, "unresolved"}, // the steps above 1e-4 reach across
		{bent{5e-6, -1, 2, -1}, "unresolved"}, // every step does
		{bent{0, -1, 2, 0.5}, "right"},        // the mean of the slopes is what differences say
		{bent{5e-5, -1, 2, 2.5}, "off"},
		{bent{5e-6, -1, 2, -1.3}, "off"},
		{bent{1, -1, 2, -1}, "right"},
		{bent{1, -1, 2, -1.001}, "off"},
	} {
		g := newGradientCheck(c.f, nil, nil, factors, []string{"x"}, 1)
		g.point([]float64{0})
		r := g.done()
		got := "right"
		switch {
		case len(r.Off) > 0:
			got = "off"
		case r.Unresolved > 0:
			got = "unresolved"
		}
		if got != c.what {
			t.Errorf("%+v is %s, want %s", c.f, got, c.what)
		}
	}
}
