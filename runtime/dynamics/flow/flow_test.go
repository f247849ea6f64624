package flow

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

func blocks(lens ...int) ([]manifold.Factor, int) {
	var out []target.Block
	n := 0
	for _, l := range lens {
		out = append(out, target.Block{Name: "b", Offset: n, Len: l,
			Geometry: target.Geometry{Kind: "euclidean"}})
		n += l
	}
	f, err := manifold.Product(out, n)
	if err != nil {
		panic(err)
	}
	return f, n
}

func state(grain Grain, lens ...int) *State {
	f, n := blocks(lens...)
	s := NewState(f, n, Params{Temperature: 0.8, Friction: 1.7, GradNoise: 0.3, Diffusion: 0.6},
		Options{Velocity: true, Grain: grain, Synthetic: true})
	r := rng.New(1, 0, rng.Test)
	r.Normals(0, s.X)
	r.Normals(1, s.V)
	r.Normals(2, s.Xi)
	return s
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-13*(1+math.Abs(want))) {
		t.Errorf("%s: %g, want %g", what, got, want)
	}
}

// TestExact: each flow is the exact solution of its equation.
func TestExact(t *testing.T) {
	const h = 0.3
	for _, grain := range []Grain{Constant, Coordinate, Point, All} {
		s, o := state(grain, 2, 5), state(grain, 2, 5)
		xi := func(o *State, i int) float64 {
			switch grain {
			case Coordinate:
				return o.Xi[i]
			case Point:
				return o.Xi[min(i/2, 1)]
			case All:
				return o.Xi[0]
			}
			return 1.7
		}
		s.Run(Drift, h)
		for i := range s.X {
			near(t, "drift", s.X[i], o.X[i]+h*o.V[i])
		}
		s.Run(Friction, h)
		for i := range s.V {
			near(t, "friction", s.V[i], o.V[i]*math.Exp(-h*xi(o, i)))
			s.V[i] = o.V[i]
		}
		s.Run(FrictionAgain, h)
		for i := range s.V {
			near(t, "friction again", s.V[i], o.V[i]*math.Exp(-h*xi(o, i)))
			s.V[i] = o.V[i]
		}
		s.Run(Thermostat, h)
		sum := func(lo, hi int) (v float64) {
			for _, x := range o.V[lo:hi] {
				v += x * x
			}
			return v / float64(hi-lo)
		}
		for i := range s.X {
			v2 := map[Grain]float64{Coordinate: o.V[i] * o.V[i], Point: sum(0, 2),
				All: sum(0, 7)}[grain]
			if grain == Point && i >= 2 {
				v2 = sum(2, 7)
			}
			if grain != Constant {
				near(t, grain.String()+" thermostat", xi(s, i), xi(o, i)+(v2-0.8)*h)
			}
		}
	}
}

// TestKick: with force f the kick adds f t and noise of variance
// 2DTt − V̂t² + 2Bt.
func TestKick(t *testing.T) {
	const h, draws = 0.3, 20000
	s := state(Constant, 4)
	r := rng.New(2, 0, rng.Test)
	var mean, square float64
	for k := range uint64(draws) {
		r.Normals(2*k, s.Noise)
		r.Normals(2*k+1, s.Extra)
		for i := range s.V {
			s.V[i], s.Force[i] = 0.1, 2
		}
		s.Run(Kick, h)
		for _, v := range s.V {
			mean += v
			square += (v - 0.7) * (v - 0.7)
		}
	}
	const n = 4 * draws
	want := 2*1.7*0.8*h - 0.3*h*h + 2*0.6*h
	if math.Abs(mean/n-0.7) > 5*math.Sqrt(want/n) {
		t.Errorf("mean %g, want 0.7", mean/n)
	}
	if math.Abs(square/n-want) > 5*want*math.Sqrt(2.0/n) {
		t.Errorf("variance %g, want %g", square/n, want)
	}
}

// TestTable: the rows stand in the order of the kinds.
func TestTable(t *testing.T) {
	for i, f := range Table {
		if int(f.Kind) != i || f.Name == "" || f.Doc == "" ||
			(f.run == nil) != (f.Kind == Gradient) {
			t.Errorf("row %d is %+v", i, f)
		}
	}
}

// TestSpans: neighbouring flat blocks are one loop, but points keep apart.
func TestSpans(t *testing.T) {
	for grain, want := range map[Grain]int{Constant: 1, Coordinate: 1, All: 1, Point: 3} {
		if s := state(grain, 1, 2, 3); len(s.Spans) != want || len(s.Factors) != 3 {
			t.Errorf("%s: %d spans of %d factors", grain, len(s.Spans), len(s.Factors))
		}
	}
}

func TestFinite(t *testing.T) {
	for n := 1; n < 12; n++ {
		for i := range n {
			for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				x := make([]float64, n)
				x[n-1] = math.MaxFloat64
				if !finite(x) {
					t.Fatal("finite numbers are not")
				}
				x[i] = bad
				if finite(x) {
					t.Errorf("%g at %d of %d was not seen", bad, i, n)
				}
			}
		}
	}
}
