package scheme

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// newCurved is a state on spheres in R^dim for each of the dims, two points
// each, then a Stiefel manifold and R³, and a potential that pulls.
func newCurved(t testing.TB, grain flow.Grain, diffusion float64, dims ...int) *flow.State {
	var blocks []target.Block
	n := 0
	add := func(g target.Geometry) {
		size := g.Points * g.Dim * max(g.Cols, 1)
		blocks = append(blocks,
			target.Block{Name: fmt.Sprint("b", n), Offset: n, Len: size, Geometry: g})
		n += size
	}
	for _, d := range dims {
		add(target.Geometry{Kind: "sphere", Points: 2, Dim: d})
	}
	add(target.Geometry{Kind: "stiefel", Points: 1, Dim: 4, Cols: 2})
	add(target.Geometry{Kind: "euclidean", Points: 1, Dim: 3})
	factors, err := manifold.Product(blocks, n)
	if err != nil {
		t.Fatal(err)
	}
	s := flow.NewState(factors, n,
		flow.Params{Temperature: 1.3, Friction: 0.7, GradNoise: 0.1, Diffusion: diffusion},
		flow.Options{Velocity: true, Grain: grain, Synthetic: true})
	s.Gradient = func() {
		for i, x := range s.X {
			s.Force[i] = float64(i%3) - 0.1*x*x*x
		}
	}
	src := rng.New(3, 0, rng.Test).At(0)
	for _, f := range factors {
		m := f.Space.Ambient()
		for at := f.Offset; at < f.Offset+f.Len; at += m {
			f.Space.RandomPoint(&src, 1, s.X[at:at+m])
			f.Space.RandomTangent(&src, s.X[at:at+m], s.V[at:at+m])
		}
	}
	for i := range s.Xi {
		s.Xi[i] = 0.7
	}
	return s
}

// TestCurvedFusedBits: a program on curved blocks gives the bits of its word
// taken flow by flow.
func TestCurvedFusedBits(t *testing.T) {
	constant := thermostatted
	constant.Letters = map[string][]flow.Kind{"A": {flow.Drift}, "B": {flow.Friction},
		"O": {flow.Kick}}
	fused := map[int]bool{}
	for _, grain := range []flow.Grain{flow.Constant, flow.Coordinate, flow.Point, flow.All} {
		word := thermostatted
		if grain == flow.Constant {
			word = constant
		}
		for _, diffusion := range []float64{0, 0.4} {
			steps, err := Compile(word)
			if err != nil {
				t.Fatal(err)
			}
			dims := []int{2, 3, 4, 7, 8, 21}
			a, b := newCurved(t, grain, diffusion, dims...), newCurved(t, grain, diffusion, dims...)
			fast, plain := NewProgram(a, steps), NewProgram(b, steps)
			for _, o := range fast.ops {
				for i := range flow.Fusions {
					if o.fused == &flow.Fusions[i] {
						fused[i] = true
					}
				}
			}
			start := slices.Clone(a.X)
			r := rng.New(5, 0, rng.Test)
			for step := range 50 {
				for i, s := range []*flow.State{a, b} {
					r.Normals(uint64(2*step), s.Noise)
					r.Normals(uint64(2*step+1), s.Extra)
					if step == 20 { // a point at rest
						clear(s.V)
					}
					if h := 0.05 + 0.01*float64(step%3); i == 0 {
						fast.Run(h)
					} else {
						plain.RunPlainly(h)
					}
				}
				if !bitsEqual(a.X, b.X) || !bitsEqual(a.V, b.V) || !bitsEqual(a.Xi, b.Xi) {
					t.Fatalf("%s, B = %g: the fused step differs at step %d", grain,
						diffusion, step)
				}
			}
			if bitsEqual(start, a.X) || !a.Finite() {
				t.Fatalf("%s: the state did not move, or blew up", grain)
			}
		}
	}
	for i := range flow.Fusions {
		if !fused[i] && flow.Fusions[i].Curved {
			t.Errorf("fusion %v was never used on curved blocks", flow.Fusions[i].Flows)
		}
	}
}
