package scheme

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

var thermostatted = Scheme{Name: "split", Word: "A B O B A", Letters: map[string][]flow.Kind{
	"A": {flow.Drift, flow.Thermostat}, "B": {flow.Friction}, "O": {flow.Kick},
}}

func TestCompile(t *testing.T) {
	steps, err := Compile(thermostatted)
	if err != nil {
		t.Fatal(err)
	}
	want := []Step{
		{flow.Drift, 0.5}, {flow.Thermostat, 0.5}, {flow.Friction, 0.5},
		{flow.Gradient, 0}, {flow.Kick, 1}, {flow.FrictionAgain, 0.5},
		{flow.Drift, 0.5}, {flow.Thermostat, 0.5},
	}
	if !slices.Equal(steps, want) {
		t.Errorf("got %v\nwant %v", steps, want)
	}
	for word, want := range map[string]string{
		"A C A": "stands for nothing", "A B A": "0 gradients", "O A O": "2 gradients",
	} {
		s := thermostatted
		s.Word = word
		if _, err := Compile(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, got %v", word, want, err)
		}
	}
	// Friction is not repeated across a thermostat.
	s := thermostatted
	s.Word = "B A O A B"
	if steps, err = Compile(s); err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		if s.Flow == flow.FrictionAgain {
			t.Errorf("%s: a friction was repeated after ξ had changed", "B A O A B")
		}
	}
}

// newState is a state of blocks with the given lengths on R^n and a quartic
// potential.
func newState(t testing.TB, grain flow.Grain, diffusion float64, lens ...int) *flow.State {
	var blocks []target.Block
	n := 0
	for i, l := range lens {
		blocks = append(blocks,
			target.Block{Name: fmt.Sprint("b", i), Offset: n, Len: l,
				Geometry: target.Geometry{Kind: "euclidean", Points: 1, Dim: l}})
		n += l
	}
	factors, err := manifold.Product(blocks, n)
	if err != nil {
		t.Fatal(err)
	}
	s := flow.NewState(factors, n,
		flow.Params{Temperature: 1.3, Friction: 0.7, GradNoise: 0.1, Diffusion: diffusion,
			Decay: 0.9, Lambda: 1e-3, Rows: 10},
		flow.Options{Velocity: true, Grain: grain, Preconditioner: true, Synthetic: true})
	s.Gradient = func() {
		for i, x := range s.X {
			s.Force[i] = -x - 0.1*x*x*x
		}
	}
	r := rng.New(3, 0, rng.Test)
	r.Normals(0, s.X)
	r.Normals(1, s.V)
	for i := range s.Xi {
		s.Xi[i] = 0.7
	}
	return s
}

func bitsEqual(a, b []float64) bool {
	return slices.EqualFunc(a, b,
		func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// TestFusedBits: a program gives the bits of its word taken flow by flow, for
// every grain, word, and lengths around those of unrolled loops.
func TestFusedBits(t *testing.T) {
	constant := thermostatted
	constant.Letters = map[string][]flow.Kind{"A": {flow.Drift}, "B": {flow.Friction},
		"O": {flow.Kick}}
	euler := Scheme{Word: "X V T",
		Letters: map[string][]flow.Kind{"X": {flow.Drift}, "V": {flow.DampedKick},
			"T": {flow.Thermostat}}}
	eulerConstant := Scheme{Word: "X V", Letters: euler.Letters}
	langevin := Scheme{Word: "L", Letters: map[string][]flow.Kind{"L": {flow.Langevin}}}
	preconditioned := Scheme{Word: "P",
		Letters: map[string][]flow.Kind{"P": {flow.PreconditionedLangevin}}}
	fused := map[int]bool{}
	for _, c := range []struct {
		grain flow.Grain
		words []Scheme
	}{
		{flow.Constant, []Scheme{constant, eulerConstant, langevin, preconditioned}},
		{flow.Coordinate, []Scheme{thermostatted, euler}},
		{flow.Point, []Scheme{thermostatted, euler}},
		{flow.All, []Scheme{thermostatted, euler}},
	} {
		for _, word := range c.words {
			for _, diffusion := range []float64{0, 0.4} {
				for _, lens := range [][]int{{1}, {3, 1}, {8, 5, 20}} {
					name := fmt.Sprint(c.grain, "/", word.Word, "/", diffusion, "/", lens)
					steps, err := Compile(word)
					if err != nil {
						t.Fatal(name, err)
					}
					a, b := newState(t, c.grain, diffusion, lens...),
						newState(t, c.grain, diffusion, lens...)
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
							if h := 0.05 + 0.01*float64(step%3); i == 0 {
								fast.Run(h)
							} else {
								plain.RunPlainly(h)
							}
						}
						if !bitsEqual(a.X, b.X) || !bitsEqual(a.V, b.V) || !bitsEqual(a.Xi, b.Xi) {
							t.Fatalf("%s: the fused step differs at step %d", name, step)
						}
					}
					if bitsEqual(start, a.X) || !a.Finite() {
						t.Fatalf("%s: the state did not move, or blew up", name)
					}
				}
			}
		}
	}
	for i := range flow.Fusions {
		if !fused[i] && !flow.Fusions[i].Curved {
			t.Errorf("fusion %v was never used", flow.Fusions[i].Flows)
		}
	}
}

func TestSchedule(t *testing.T) {
	for _, c := range []struct {
		text string
		t    int64
		want float64
	}{
		{"constant", 99, 0.2},
		{"", 0, 0.2},
		{"halve@0.5", 49, 0.2},
		{"halve@0.5", 50, 0.1},
		{"halve:4", 19, 0.2},
		{"halve:4", 20, 0.1},
		{"halve:4", 99, 0.2 / 16},
		{"poly:0.01,1000,0.55", 0, 0.01 * math.Pow(1000, -0.55)},
		{"poly:0.01,1000,0.55", 77, 0.01 * math.Pow(1077, -0.55)},
		{"cyclic:4", 0, 0.2},
		{"cycle:20,0.5", 0, 0.2},
		{"cycle:20,0.5", 40, 0.2},
		{"cycle:20,0.5", 45, 0.1 * (math.Cos(math.Pi*5/20) + 1)},
		{"cyclic:4", 25, 0.2},
		{"cyclic:4", 10, 0.1 * (math.Cos(math.Pi*10/25) + 1)},
		{"cyclic:4", 99, 0.1 * (math.Cos(math.Pi*24/25) + 1)},
		{"cyclic:3", 33, 0.1 * (math.Cos(math.Pi*33/34) + 1)},
	} {
		s, err := ParseSchedule(c.text, 0.2, 100)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.At(c.t); math.Abs(got-c.want) > 2e-16 {
			// 1 + cos cancels: of the step, not of the value
			t.Errorf("%s at %d: %g, want %g", c.text, c.t, got, c.want)
		}
	}
	for _, bad := range []string{"linear", "halve@", "halve:0", "halve:x", "halve@2", "halve@NaN",
		"poly:1,2", "poly:-1,2,3", "poly:1,0,1", "poly:Inf,1,1", "cyclic:0", "cyclic:x",
		"cycle:5", "cycle:1,0.5", "cycle:9,1", "cycle:9,-0.1", "cycle:9,x"} {
		if _, err := ParseSchedule(bad, 0.2, 100); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
	for x := 0.0; x <= 1; x += 1.0 / 512 {
		if d := math.Abs(cosPi(x) - math.Cos(math.Pi*x)); d > 4.5e-16 { // two roundings of πx to 3
			t.Errorf("cosPi(%g) is off by %g", x, d)
		}
	}
}
