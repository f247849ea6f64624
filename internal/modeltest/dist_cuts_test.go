package modeltest

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// cuts truncates and censors the law at two points: what is left by a truncation
// sums to one, with the ends that whole numbers have in it; of what is censored the
// density between the ends and the two masses at them do.
func (w *walk) cuts(t *testing.T, args []number, s span, mass, middle []float64) {
	lo, hi := middle[1], middle[3]
	if lo == hi {
		return
	}
	tol, half := 4e-4, 0.5 // trapezoids, whose last ones end at the cuts
	if s.whole {
		tol, half = 1e-9, 1
	}
	n := len(args)
	for _, c := range []struct {
		cut    string // with the ends that are data
		lo, hi float64
	}{
		{fmt.Sprintf("truncated(a%d, a%d)", n+1, n+2), lo, hi},
		{fmt.Sprintf("truncated(a%d, inf)", n+1), lo, math.Inf(1)},
		{fmt.Sprintf("truncated(-inf, a%d)", n+2), math.Inf(-1), hi},
		{fmt.Sprintf("censored(a%d, a%d)", n+1, n+2), lo, hi},
	} {
		p := &point{method: "logpdf", args: append([]number{num(0)}, args...)}
		text, _, _ := strings.Cut(p.program(w.d, true), "for n in N")
		names := []string{}
		for i := range args {
			names = append(names, fmt.Sprintf("a%d", i+1))
		}
		text += fmt.Sprintf("data a%d, a%d : real\nfor n in N { a0[n] ~ %s(%s) %s }\n", n+1, n+2,
			w.d.Name.Name, strings.Join(names, ", "), c.cut)
		compiled := w.compiled(t, text)
		if compiled == nil {
			return
		}
		p.args = append(p.args, num(lo), num(hi))
		m, state := p.bind(t, compiled, s.x, len(s.x))
		logp, total := make([]float64, len(s.x)), 0.0
		m.Evaluator(0).LogLik(state, nil, logp)
		masses := [2]float64{}
		for i, x := range s.x {
			switch inside := x >= c.lo && x <= c.hi; {
			case !strings.HasPrefix(c.cut, "censored"):
				if !inside && !math.IsInf(logp[i], -1) {
					t.Errorf("%v %s: %v is outside, and has the log density %v", args,
						c.cut, x, logp[i])
					return
				}
				v := s.weight[i] * math.Exp(logp[i])
				if x == c.lo || x == c.hi {
					v *= half
				}
				total += v
			case x <= c.lo:
				if masses[0] = math.Exp(logp[i]); x == c.lo && !s.whole {
					masses[0] += half * mass[i]
				}
			case x >= c.hi:
				if x == c.hi && !s.whole {
					total += half * mass[i]
				}
				masses[1] = math.Exp(logp[i])
			default:
				total += s.weight[i] * math.Exp(logp[i])
			}
		}
		if total += masses[0] + masses[1]; !(math.Abs(total-1) < tol) {
			t.Errorf("%v %s: the density sums to %v", args, c.cut, total)
		}
	}
	w.count["cuts"]++
}
