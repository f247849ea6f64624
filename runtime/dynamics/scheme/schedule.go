package scheme

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Schedule gives the step size of every step. Steps count from 0 and over
// the whole run, warm-up included.
type Schedule struct {
	kind    string
	step    float64 // h
	total   int64
	at      float64 // of halve@at
	a, b, g float64 // of poly:a,b,gamma
	cycles  int64   // or halvings
	length  int64   // of a cycle of cycle:L,f
}

// Schedules describes what ParseSchedule reads.
const Schedules = "constant, halve@0.5, halve:n, poly:a,b,gamma, cyclic:n, cycle:L,f"

// ParseSchedule reads
//
//	constant           h
//	halve@f            h, and h/2 from the fraction f of all steps on
//	halve:n            h 2^−k, k = ⌊(n + 1) t/total⌋: halved n times, at equal intervals
//	poly:a,b,gamma     a (b + t)^−gamma, whatever h (Welling and Teh 2011)
//	cyclic:n           n cycles of h/2 (cos(π t'/⌈total/n⌉) + 1), t' = t mod ⌈total/n⌉
//	                   (Zhang et al. 2020, equation 1)
//	cycle:L,f          the same in cycles of L steps, of which the fraction f explores: without noise
//	                   (Zhang et al. 2020, algorithm 1)
//
// where h is the step and total the number of steps.
func ParseSchedule(text string, h float64, total int64) (Schedule, error) {
	s := Schedule{kind: "constant", step: h, total: total}
	fail := func() (Schedule, error) {
		return Schedule{}, fmt.Errorf("step schedule %q: known are %s", text, Schedules)
	}
	switch {
	case text == "" || text == "constant":
	case strings.HasPrefix(text, "halve@"):
		f, err := strconv.ParseFloat(text[len("halve@"):], 64)
		if err != nil || !(f >= 0 && f <= 1) {
			return fail()
		}
		s.kind, s.at = "halve", f
	case strings.HasPrefix(text, "halve:"):
		n, err := strconv.ParseInt(text[len("halve:"):], 10, 64)
		if err != nil || n < 1 || n > 500 {
			return fail()
		}
		s.kind, s.cycles = "halves", n
	case strings.HasPrefix(text, "poly:"):
		parts := strings.Split(text[len("poly:"):], ",")
		if len(parts) != 3 {
			return fail()
		}
		for i, dst := range []*float64{&s.a, &s.b, &s.g} {
			x, err := strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
			if err != nil {
				return fail()
			}
			*dst = x
		}
		if !(s.a > 0 && s.b > 0 && s.g >= 0) || math.IsInf(s.a+s.b+s.g, 0) {
			return Schedule{},
				fmt.Errorf("step schedule %q: poly needs a > 0, b > 0 and gamma ≥ 0", text)
		}
		s.kind = "poly"
	case strings.HasPrefix(text, "cyclic:"):
		n, err := strconv.ParseInt(text[len("cyclic:"):], 10, 64)
		if err != nil || n < 1 {
			return fail()
		}
		s.kind, s.cycles = "cyclic", n
	case strings.HasPrefix(text, "cycle:"):
		length, f, ok := strings.Cut(text[len("cycle:"):], ",")
		n, err := strconv.ParseInt(length, 10, 64)
		at, other := strconv.ParseFloat(f, 64)
		if !ok || err != nil || other != nil || n < 2 || !(at >= 0 && at < 1) {
			return fail()
		}
		s.kind, s.length, s.at = "cycle", n, at
	default:
		return fail()
	}
	return s, nil
}

// Cycle returns the steps of a cycle of cycle:L,f; 0 of other schedules.
func (s *Schedule) Cycle() int64 { return s.length }

// Explores reports whether step t of cycle:L,f is in the part of a cycle that has no noise.
func (s *Schedule) Explores(t int64) bool {
	return s.length > 0 && float64(t%s.length) < float64(s.at*float64(s.length))
}

// Constant reports whether every step has the same size.
func (s *Schedule) Constant() bool { return s.kind == "constant" }

// NeedsStep reports whether the schedule is scaled by the step h.
func (s *Schedule) NeedsStep() bool { return s.kind != "poly" }

// Max is the largest step.
func (s *Schedule) Max() float64 { return s.At(0) }

// At is the size of step t.
func (s *Schedule) At(t int64) float64 {
	switch s.kind {
	case "halve":
		if float64(t) >= float64(s.at*float64(s.total)) {
			return 0.5 * s.step
		}
	case "halves":
		return math.Ldexp(s.step, -int((s.cycles+1)*t/s.total))
	case "poly":
		return s.a * special.Exp(-float64(s.g*special.Log(s.b+float64(t))))
	case "cycle":
		return 0.5 * s.step * (1 + cosPi(float64(t%s.length)/float64(s.length)))
	case "cyclic":
		length := max((s.total+s.cycles-1)/s.cycles, 1)
		return 0.5 * s.step * (1 + cosPi(float64(t%length)/float64(length)))
	}
	return s.step
}

// cosPi is cos(πx) for 0 ≤ x ≤ 1, by the Taylor series on |y| ≤ π/4 about the
// nearest of 0, ½, 1; 11 terms leave less than 1e-17. Package math's cosine
// may be fused, and so differ between machines.
func cosPi(x float64) float64 {
	switch {
	case x > 0.5:
		return -cosPi(1 - x)
	case x > 0.25:
		return sinSmall(math.Pi * (0.5 - x))
	}
	y := math.Pi * x
	z := -float64(y * y)
	sum := 1.0
	for k := 20.0; k >= 2; k -= 2 {
		sum = 1 + float64(float64(z*sum)/(k*(k-1)))
	}
	return sum
}

func sinSmall(y float64) float64 {
	z := -float64(y * y)
	sum := 1.0
	for k := 21.0; k >= 3; k -= 2 {
		sum = 1 + float64(float64(z*sum)/(k*(k-1)))
	}
	return y * sum
}
