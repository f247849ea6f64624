package scheme

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// singleWords are words in single precision: those of step joins first, in their order.
var singleWords = append(append(joiningWords[:0:0], joiningWords...), []struct {
	grain flow.Grain
	word  Scheme
}{
	{flow.All, thermostatted},
	{flow.Coordinate, singleEuler}, {flow.All, singleEuler},
	{flow.Constant, Scheme{Word: "X V", Letters: singleEuler.Letters}},
}...)

var singleEuler = Scheme{Word: "X V T", Letters: map[string][]flow.Kind{"X": {flow.Drift},
	"V": {flow.DampedKick},
	"T": {flow.Thermostat}}}

// singleProgram is a program whose state is in single precision, with the force of newState.
func singleProgram(t *testing.T, i, n int, silent bool) *Program {
	t.Helper()
	steps, err := Compile(singleWords[i].word)
	if err != nil {
		t.Fatal(err)
	}
	s := newState(t, singleWords[i].grain, 0, n)
	s.Extra = nil
	p := NewProgram(s, steps)
	if !p.BeSingle(rng.New(9, 0, rng.Test), silent) {
		t.Fatalf("%s is not single", singleWords[i].word.Word)
	}
	if i < len(flow.Joins) && p.joining.join != &flow.Joins[i] {
		t.Fatalf("%s has not the join %d", singleWords[i].word.Word, i)
	}
	s.Gradient = func() {
		for i, x := range s.Single.X {
			s.Single.Force[i] = -x - 0.1*x*x*x
		}
	}
	return p
}

// In single precision too, joined steps are those of the flows one after the other, and
// what is published is what goes on: a program that takes it up has the same bits.
func TestSingle(t *testing.T) {
	g := rand.New(rand.NewPCG(3, 2))
	for i := range singleWords {
		for _, n := range []int{1, 7, 15, 16, 33, 124, 1024, 1057, 2100, 9001} {
			fast, plain := singleProgram(t, i, n, n == 33), singleProgram(t, i, n, n == 33)
			if i == 0 {
				fast.state.Xi, plain.state.Xi = widely(fast.state.Xi), widely(plain.state.Xi)
			}
			for step := range 30 {
				leave, h := g.IntN(3) > 0, 0.03+0.01*float64(step%3)
				fast.state.Drawing.Moment, plain.state.Drawing.Moment = uint64(step), uint64(step)
				if !fast.Step(h, leave) {
					t.Fatal("a finite state is not")
				}
				plain.RunPlainly(h)
				if leave && g.IntN(3) > 0 {
					continue
				}
				fast.Settle()
				if !fast.Finite() {
					t.Fatal("the state blew up")
				}
				if !sameStates(fast.state, plain.state) {
					t.Fatalf("%s, %d coordinates: the joined step differs at step %d",
						singleWords[i].word.Word, n, step)
				}
				if g.IntN(4) == 0 { // as from a checkpoint
					next := singleProgram(t, i, n, n == 33)
					for _, c := range [][2][]float64{{next.state.X, fast.state.X},
						{next.state.V, fast.state.V}, {next.state.Xi, fast.state.Xi},
						{next.state.Square, fast.state.Square}} {
						copy(c[0], c[1])
					}
					next.state.Primed = true
					fast = next
				}
			}
		}
	}
}

// A state in single precision goes where that in double goes, given the same noise: here none.
func TestSingleNearDouble(t *testing.T) {
	for i := range singleWords {
		const n = 40
		p := singleProgram(t, i, n, true)
		s := newState(t, singleWords[i].grain, 0, n)
		s.Extra = nil
		s.GradNoise, p.state.GradNoise = 0, 0
		s.Friction, p.state.Friction = 0.7, 0.7
		steps, _ := Compile(singleWords[i].word)
		q := NewProgram(s, steps)
		for step := range 50 {
			p.state.Drawing.Moment = uint64(step)
			p.Step(0.03, false)
			clear(s.Noise)
			q.Run(0.03)
		}
		for k, pair := range [][2][]float64{{s.X, p.state.X}, {s.V, p.state.V}, {s.Xi, p.state.Xi},
			{s.Square, p.state.Square}} {
			for j, x := range pair[0] {
				if d := math.Abs(x - pair[1][j]); !(d < 3e-5*(1+math.Abs(x))) {
					t.Fatalf("%s, %v, array %d: coordinate %d is %v, in double precision %v",
						singleWords[i].word.Word, singleWords[i].grain, k, j, pair[1][j], x)
				}
			}
		}
	}
}

// A state that is not finite is reported before the next gradient.
func TestSingleStops(t *testing.T) {
	for i := range singleWords {
		for _, at := range []int{0, 900, 1499} {
			for _, bad := range []float64{math.NaN(), math.Inf(1), 3e38} {
				p := singleProgram(t, i, 1500, false)
				name := fmt.Sprint(singleWords[i].word.Word, " ", at, " ", bad)
				force := p.state.Gradient
				for step := range 5 {
					p.state.Drawing.Moment = uint64(step)
					h := 0.01
					if step == 3 {
						h = 10
						p.state.Gradient = func() {
							force()
							p.state.Single.Force[at] = float32(bad)
						}
					}
					good := p.Step(h, true) && (p.Left() || p.Finite())
					if step < 3 && !good {
						t.Fatalf("%s: step %d is not finite", name, step)
					}
					if !good {
						break
					}
					if step == 4 {
						t.Fatalf("%s: went on", name)
					}
					if step == 3 {
						p.state.Gradient = func() { t.Fatalf("%s: took a gradient", name) }
					}
				}
				p.Publish()
				if flow.Finite(p.state.X) && flow.Finite(p.state.V) && flow.Finite(p.state.Xi) {
					t.Fatalf("%s: what is published is finite", name)
				}
			}
		}
	}
}

// Steps allocate nothing.
func TestSingleAllocates(t *testing.T) {
	for i := range singleWords {
		p := singleProgram(t, i, 2100, false)
		step := func() { p.Step(0.01, p.state.Drawing.Moment%3 > 0); p.state.Drawing.Moment++ }
		step()
		if n := testing.AllocsPerRun(20, step); n != 0 {
			t.Errorf("%s: %v allocations a step", singleWords[i].word.Word, n)
		}
	}
}
