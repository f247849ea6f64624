// Package ode solves initial value problems dz/dt = f(t, z, θ) together with
// their sensitivities, the derivatives of z(t) by its start and by θ.
//
// Two methods: the explicit Runge–Kutta pair of Dormand and Prince, and for
// stiff problems the implicit Radau IIA method of order five. Both choose
// their steps by an estimate of the error of z alone, so that z has the same
// bits with and without sensitivities.
//
// Source: Hairer, Nørsett & Wanner (1993), Solving Ordinary Differential
// Equations I, §II.4–II.6; Hairer & Wanner (1996), Solving Ordinary Differential
// Equations II, §IV.8.
package ode

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// Options of a solution.
type Options struct {
	Stiff      bool    // Radau IIA instead of Dormand–Prince
	Rtol, Atol float64 // an entry's error in a step is to stay below Atol + Rtol·|z|
	MaxSteps   int     // between two output times; 0: DefaultMaxSteps
}

// DefaultMaxSteps bounds the steps between two output times.
const DefaultMaxSteps = 100000

// A Block is one set of sensitivities: of z's n entries by Len numbers.
type Block struct {
	// [n, Len]: ∂f/∂θ, as the slope leaves it; nil for the start, of which Len is n
	Forcing []float64
	Out     []float64 // [times, n, Len]
	Len     int
}

// A Slope computes f and its derivatives at a time and a point: it leaves them
// in F, Jacobian and the forcing of every block of the solver.
type Slope func(t float64, z []float64)

// A Solver keeps a problem and the memory of solutions; it is not for several
// goroutines at once. Once it has solved, solving again allocates nothing.
type Solver struct {
	Options
	F        []float64 // [n]
	Jacobian []float64 // [n, n], ∂f/∂z; nil where neither method nor sensitivities need it
	Blocks   []Block   // the sensitivities that are wanted

	n, q   int // q columns of sensitivities in all
	z, s   []float64
	memory []float64

	stages  [7][]float64 // slopes of z
	columns [7][]float64 // slopes of s
	zi, si  []float64    // a stage
	next    []float64
	err     []float64

	radau radau
}

// Solve writes z at the times, in rising order from t0 on, to out [times, n],
// and the sensitivities to their blocks. What cannot be reached (the steps
// became too many or too small, or f is not finite) is NaN; it then reports false.
func (s *Solver) Solve(slope Slope, z0 []float64, t0 float64, ts, out []float64) bool {
	s.n = len(z0)
	s.q = 0
	for _, b := range s.Blocks {
		s.q += b.Len
	}
	s.reserve()
	copy(s.z, z0)
	clear(s.s)
	for at, b := 0, 0; b < len(s.Blocks); b++ {
		if s.Blocks[b].Forcing == nil {
			for i := range s.n {
				s.s[at+i*s.Blocks[b].Len+i] = 1
			}
		}
		at += s.n * s.Blocks[b].Len
	}
	t, h := t0, 0.0
	fresh := true
	for k, end := range ts {
		ok := end >= t && !math.IsInf(end, 0)
		if ok && end > t {
			if s.Stiff {
				h, ok = s.radauTo(slope, t, end, h, fresh)
			} else {
				h, ok = s.dormandTo(slope, t, end, h, fresh)
			}
			fresh = false
		}
		if !ok {
			s.lost(k, len(ts), out)
			return false
		}
		t = end
		copy(out[k*s.n:(k+1)*s.n], s.z)
		at := 0
		for _, b := range s.Blocks {
			w := s.n * b.Len
			copy(b.Out[k*w:(k+1)*w], s.s[at:at+w])
			at += w
		}
	}
	return true
}

func (s *Solver) lost(from, to int, out []float64) {
	nan := func(x []float64) {
		for i := range x {
			x[i] = math.NaN()
		}
	}
	nan(out[from*s.n : to*s.n])
	for _, b := range s.Blocks {
		w := s.n * b.Len
		nan(b.Out[from*w : to*w])
	}
}

// reserve allocates n entries and their sensitivities.
func (s *Solver) reserve() {
	n, m := s.n, s.n*s.q
	need := 11*n + 9*m
	if len(s.memory) < need {
		s.memory = make([]float64, need)
	}
	rest := s.memory
	take := func(k int) []float64 {
		out := rest[:k:k]
		rest = rest[k:]
		return out
	}
	s.z, s.zi, s.next, s.err = take(n), take(n), take(n), take(n)
	for i := range s.stages {
		s.stages[i] = take(n)
	}
	s.s, s.si = take(m), take(m)
	for i := range s.columns {
		s.columns[i] = take(m)
	}
}

// variation is the slope of the sensitivities at a stage, J s + ∂f/∂θ, with the derivatives that
// the last call of Slope computed.
func (s *Solver) variation(dst, cols []float64) {
	at := 0
	for _, b := range s.Blocks {
		for i := range s.n {
			row := dst[at+i*b.Len : at+(i+1)*b.Len]
			if b.Forcing != nil {
				copy(row, b.Forcing[i*b.Len:(i+1)*b.Len])
			} else {
				clear(row)
			}
			for j := range s.n {
				a := s.Jacobian[i*s.n+j]
				if a == 0 {
					continue
				}
				for c, v := range cols[at+j*b.Len : at+(j+1)*b.Len] {
					row[c] += float64(a * v)
				}
			}
		}
		at += s.n * b.Len
	}
}

// norm is the root mean square of x by the tolerances at z and y.
func norm(x, z, y []float64, rtol, atol float64) float64 {
	sum := 0.0
	for i, v := range x {
		e := v / (atol + float64(rtol*max(math.Abs(z[i]), math.Abs(y[i]))))
		sum += float64(e * e)
	}
	return math.Sqrt(sum / float64(len(x)))
}

// power is x^a for x > 0, the same on every machine.
func power(x, a float64) float64 { return special.Exp(a * special.Log(x)) }

// firstStep is a step to begin with (Hairer, Nørsett & Wanner, §II.4), for a
// method of an order, where stages[0] is the slope at t.
func (s *Solver) firstStep(slope Slope, t, span float64, order int) float64 {
	f0 := s.stages[0]
	d0 := norm(s.z, s.z, s.z, s.Rtol, s.Atol)
	d1 := norm(f0, s.z, s.z, s.Rtol, s.Atol)
	h := 1e-6
	if d0 >= 1e-5 && d1 >= 1e-5 {
		h = 0.01 * (d0 / d1)
	}
	h = min(h, span)
	for i, v := range s.z {
		s.zi[i] = v + float64(h*f0[i])
	}
	slope(t+h, s.zi)
	for i, v := range s.F {
		s.err[i] = v - f0[i]
	}
	d2 := norm(s.err, s.z, s.z, s.Rtol, s.Atol) / h
	top := max(d1, d2)
	if !(top > 1e-15) {
		return min(span, max(1e-6, float64(h*1e-3)))
	}
	return min(span, 100*h, power(0.01/top, 1/float64(order+1)))
}

func (s *Solver) maxSteps() int {
	if s.MaxSteps > 0 {
		return s.MaxSteps
	}
	return DefaultMaxSteps
}
