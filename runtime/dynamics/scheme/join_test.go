package scheme

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// joining words, one for every row of flow.Joins.
var joiningWords = []struct {
	grain flow.Grain
	word  Scheme
}{
	{flow.Coordinate, thermostatted},
	{flow.Constant, Scheme{Word: "A B O B A",
		Letters: map[string][]flow.Kind{"A": {flow.Drift}, "B": {flow.Friction},
			"O": {flow.Kick}}}},
	{flow.Constant, Scheme{Word: "L", Letters: map[string][]flow.Kind{"L": {flow.Langevin}}}},
	{flow.Constant, Scheme{Word: "P",
		Letters: map[string][]flow.Kind{"P": {flow.PreconditionedLangevin}}}},
}

// programs are two of one word on equal states that draw the same normals.
func programs(t *testing.T, i, n int, silent bool) (fast, plain *Program) {
	t.Helper()
	c := joiningWords[i]
	steps, err := Compile(c.word)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []**Program{&fast, &plain} {
		s := newState(t, c.grain, 0, n)
		s.Extra = nil
		*p = NewProgram(s, steps)
		if !(*p).DrawFrom(rng.New(9, 0, rng.Test), silent) || (*p).joining.join != &flow.Joins[i] {
			t.Fatalf("%s has not the join %d", c.word.Word, i)
		}
	}
	return fast, plain
}

func sameStates(a, b *flow.State) bool {
	return bitsEqual(a.X, b.X) && bitsEqual(a.V, b.V) && bitsEqual(a.Xi, b.Xi) &&
		bitsEqual(a.Square, b.Square)
}

// Steps whose ends are joined with the next ones, settled or not, are those of
// the flows one after the other, at lengths around those of vectors and pieces.
func TestJoins(t *testing.T) {
	if len(joiningWords) != len(flow.Joins) {
		t.Fatal("a join without a test")
	}
	g := rand.New(rand.NewPCG(1, 2))
	for i := range joiningWords {
		for _, n := range []int{1, 3, 4, 7, 8, 9, 16, 31, 124, 1023, 1024, 1030, 2100, 17001} {
			fast, plain := programs(t, i, n, n == 9)
			fast.state.Xi, plain.state.Xi = widely(fast.state.Xi), widely(plain.state.Xi)
			for step := range 40 {
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
						joiningWords[i].word.Word, n, step)
				}
			}
		}
	}
}

// widely makes one friction so large that its exponential is 0 for a while.
func widely(xi []float64) []float64 {
	if len(xi) > 5 {
		xi[5] = 1e5
	}
	return xi
}

// A state that is not finite is reported before the next step has touched any
// number of it that is not, with the end of its own step everywhere behind.
func TestJoinsStop(t *testing.T) {
	for i, c := range joiningWords {
		for _, n := range []int{1, 20, 1500} {
			for _, at := range []int{0, n / 2, n - 1} {
				for _, bad := range []float64{math.NaN(), math.Inf(1), 1e308} {
					fast, plain := programs(t, i, n, false)
					name := fmt.Sprint(c.word.Word, " ", n, " ", at, " ", bad)
					for step := range 5 {
						for _, p := range []*Program{fast, plain} {
							p.state.Drawing.Moment = uint64(step)
							force := p.state.Gradient
							if step == 3 {
								p.state.Gradient = func() { force(); p.state.Force[at] = bad }
							} else if step == 4 {
								p.state.Gradient = func() { t.Fatalf("%s: went on", name) }
							}
						}
						h := 10.0
						if step < 3 {
							h = 0.01
						}
						if step < 4 {
							plain.RunPlainly(h)
						}
						if good := fast.Step(h, true); good != (step < 4) {
							t.Fatalf("%s: step %d says %v", name, step, good)
						}
						if len(flow.Joins[i].Head) == 0 && step == 3 {
							break
						}
					}
					if fast.Finite() || plain.state.Finite() {
						t.Fatalf("%s: finite", name)
					}
					for _, q := range [][2][]float64{{fast.state.V, plain.state.V},
						{fast.state.X, plain.state.X}, {fast.state.Xi, plain.state.Xi}} {
						for k, v := range q[1] {
							if v-v != 0 || q[0][k]-q[0][k] != 0 {
								if g := q[0][k]; g != v && (g == g || v == v) {
									t.Fatalf("%s: %v at %d, want %v", name, g, k, v)
								}
							}
						}
					}
				}
			}
		}
	}
}
