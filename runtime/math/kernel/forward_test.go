package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// inLogs is the recursion as it is written, and its flows.
func inLogs(init, step, seen, cot []float64, n, k int) (h, flow []float64) {
	h, flow = append(make([]float64, 0, (n+1)*k), init...), make([]float64, (n+1)*k*k)
	x := make([]float64, k)
	sums := make([]float64, n*k)
	for t := range n {
		for i := range k {
			for j := range k {
				x[j] = h[t*k+j] + step[j*k+i]
			}
			sums[t*k+i] = LogSumExp(x)
			h = append(h, sums[t*k+i]+seen[t*k+i])
		}
	}
	l := append([]float64(nil), cot[n*k:]...)
	for t := n - 1; t >= 0; t-- {
		next := append([]float64(nil), cot[t*k:][:k]...)
		for j := range k {
			for i := range k {
				if v := h[t*k+j] + step[j*k+i]; !math.IsInf(v, -1) && l[i] != 0 {
					flow[(t*k+j)*k+i] = special.Exp(v-sums[t*k+i]) * l[i]
				}
				next[j] += flow[(t*k+j)*k+i]
			}
		}
		l = next
	}
	return h, flow
}

// A recursion is one that is tried.
type recursion struct {
	what             string
	init, step, seen func(r *rand.Rand) float64
}

var inf = math.Inf(1)

func either(p float64, rare, usual func(r *rand.Rand) float64) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		if r.Float64() < p {
			return rare(r)
		}
		return usual(r)
	}
}

func around(m, s float64) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return m + s*r.NormFloat64() }
}

var recursions = []recursion{
	{"usual numbers", around(-1, 1), around(-1, 1), around(-5, 4)},
	{"large numbers", around(0, 5), around(20, 1), around(40, 9)},
	{"steps that never are", around(-1, 1), either(0.4, around(-inf, 0), around(-1, 1)),
		around(-3, 2)},
	{"states that are never seen", around(-1, 1), around(-1, 1),
		either(0.3, around(-inf, 0), around(-3, 2))},
	{"numbers far apart", around(-1, 1), around(-1, 1), either(0.1, around(0, 4000), around(-3, 2))},
	{"steps far apart", around(-1, 1), around(-30, 50), around(-3, 20)},
	{"small numbers", around(-800, 1), around(-1, 1), around(-1e5, 10)},
	{"starts far apart", around(0, 900), around(-1, 1), around(-3, 2)},
	{"no start", around(-inf, 0), around(-1, 1), around(-3, 2)},
	{"numbers that are not finite", either(0.02, around(inf, 0), around(0, 1)),
		either(0.01, around(math.NaN(), 0), around(-1, 1)),
		either(0.01, either(0.5, around(inf, 0), around(math.NaN(), 0)), around(-3, 2))},
}

// nearForward reports whether two numbers are the same to rounding of numbers as large as size.
func nearForward(a, b, size float64) bool {
	return sameBits(a, b) || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 4e-13*(1+size)
}

// Recursions of probabilities have the numbers of log-sum-exps, at every level and to rounding, and
// so have their flows, also of states and steps that never are or are far apart.
func TestLogForward(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(6, 1))
		for _, c := range recursions {
			for _, k := range []int{1, 2, 2, 2, 3, 5, 32, 33} {
				for _, n := range []int{0, 1, 7, 130, 700} {
					if k*k*n > 40000 {
						continue
					}
					tryRecursion(t, r, c, n, k)
				}
			}
		}
	})
}

func tryRecursion(t *testing.T, r *rand.Rand, c recursion, n, k int) {
	t.Helper()
	const batch = 2
	draw := func(m int, f func(r *rand.Rand) float64) []float64 {
		x := make([]float64, m)
		for i := range x {
			x[i] = f(r)
		}
		return x
	}
	init, step, seen := draw(batch*k, c.init), draw(batch*k*k, c.step), draw(batch*n*k, c.seen)
	cot := draw(batch*(n+1)*k, either(0.5, around(0, 0), around(0, 1)))
	h, flow := make([]float64, batch*(n+1)*k), make([]float64, batch*(n+1)*k*k)
	LogForward(h, init, step, seen, batch, n, k)
	LogForwardAdjoint(flow, h, step, cot, batch, n, k)
	for b := range batch {
		want, flows := inLogs(init[b*k:][:k], step[b*k*k:][:k*k], seen[b*n*k:][:n*k],
			cot[b*(n+1)*k:][:(n+1)*k], n, k)
		where := fmt.Sprintf("%s, %d states, %d steps", c.what, k, n)
		size := 0.0 // of the largest number on the way, which rounding is of
		for i, w := range want {
			got := h[b*(n+1)*k+i]
			if !math.IsInf(w, 0) && !math.IsNaN(w) {
				size = max(size, math.Abs(w))
			}
			if !nearForward(got, w, size) {
				t.Fatalf("%s: h[%d][%d] is %v, in logarithms %v", where, i/k, i%k, got, w)
			}
		}
		for i, w := range flows {
			if got := flow[b*(n+1)*k*k+i]; !nearForward(got, w, float64(n)*size) {
				t.Fatalf("%s: the flow %d of step %d is %v, in logarithms %v", where, i%(k*k),
					i/k/k, got, w)
			}
		}
	}
}

// A chain from left to right has states that get less and less probable, and one that is seen at
// last decides: the numbers that are far below the others are still there.
func TestLogForwardRecovers(t *testing.T) {
	const n, k = 900, 3
	init := []float64{0, -inf, -inf}
	step := []float64{math.Log(0.1), math.Log(0.9), -inf, -inf, math.Log(0.5), math.Log(0.5),
		-inf, -inf, 0}
	seen, cot := make([]float64, n*k), make([]float64, (n+1)*k)
	seen[(n-1)*k+1], seen[(n-1)*k+2] = -1e6, -1e6
	cot[n*k] = 1
	h, flow := make([]float64, (n+1)*k), make([]float64, (n+1)*k*k)
	LogForward(h, init, step, seen, 1, n, k)
	if want := n * math.Log(0.1); math.Abs(h[n*k]-want) > 1e-9 {
		t.Errorf("the first state has %v, wants %v", h[n*k], want)
	}
	LogForwardAdjoint(flow, h, step, cot, 1, n, k)
	for i := range n {
		if f := flow[i*k*k:][:k*k]; math.Abs(f[0]-1) > 1e-9 || sumOf(f[1:]) != 0 {
			t.Fatalf("step %d has the flows %v", i, f)
		}
	}
}

// In single precision the numbers are those of double precision, rounded.
func TestLogForward32(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, k := range []int{1, 2, 5, 32, 34} {
		for _, n := range []int{0, 1, 300} {
			const batch = 2
			draw := func(m int) ([]float64, []float32) {
				x, y := make([]float64, m), make([]float32, m)
				for i := range x {
					y[i] = float32(r.NormFloat64() - 1)
					x[i] = float64(y[i])
				}
				return x, y
			}
			init, init32 := draw(batch * k)
			step, step32 := draw(batch * k * k)
			seen, seen32 := draw(batch * n * k)
			cot, cot32 := draw(batch * (n + 1) * k)
			h, flow := make([]float64, len(cot)), make([]float64, len(cot)*k)
			h32, flow32 := make([]float32, len(cot)), make([]float32, len(cot)*k)
			LogForward(h, init, step, seen, batch, n, k)
			LogForward32(h32, init32, step32, seen32, batch, n, k)
			LogForwardAdjoint(flow, h, step, cot, batch, n, k)
			LogForwardAdjoint32(flow32, h32, step32, cot32, batch, n, k)
			for i, v := range h {
				if math.Abs(float64(h32[i])-v) > 1e-6*(1+math.Abs(v)) {
					t.Fatalf("%d states, %d steps: %v, in double precision %v", k, n, h32[i], v)
				}
			}
			for i, v := range flow {
				if math.Abs(float64(flow32[i])-v) > 2e-4*(10+math.Abs(v)) {
					t.Fatalf("%d states, %d steps: flow %v, in double precision %v", k, n,
						flow32[i], v)
				}
			}
		}
	}
}

func BenchmarkLogForward(b *testing.B) {
	const n = 99
	r := rand.New(rand.NewPCG(9, 1))
	for _, k := range []int{2, 3, 8} {
		init, step := make([]float64, k), make([]float64, k*k)
		seen, cot := make([]float64, n*k), make([]float64, (n+1)*k)
		for i := range seen {
			seen[i] = -3 * r.ExpFloat64()
		}
		for i := range k {
			cot[n*k+i] = 0.5
		}
		h, flow := make([]float64, (n+1)*k), make([]float64, (n+1)*k*k)
		b.Run(fmt.Sprintf("forward/states=%d", k), func(b *testing.B) {
			for b.Loop() {
				LogForward(h, init, step, seen, 1, n, k)
			}
		})
		b.Run(fmt.Sprintf("adjoint/states=%d", k), func(b *testing.B) {
			for b.Loop() {
				LogForwardAdjoint(flow, h, step, cot, 1, n, k)
			}
		})
	}
}

// A forward recursion and its adjoint allocate nothing: they run in every step of a sampler.
func TestLogForwardAllocates(t *testing.T) {
	const n = 20
	for _, k := range []int{2, fewForward, mostForward, mostForward + 1} {
		init, step, seen := make([]float64, k), make([]float64, k*k), make([]float64, n*k)
		h, flow := make([]float64, (n+1)*k), make([]float64, (n+1)*k*k)
		calls := testing.AllocsPerRun(10, func() {
			LogForward(h, init, step, seen, 1, n, k)
			LogForwardAdjoint(flow, h, step, h, 1, n, k)
		})
		if calls != 0 {
			t.Errorf("%d states: allocates %v times a call", k, calls)
		}
	}
}
