package modeltest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/data"
)

// cuts truncates and censors the law at two points: what is left by a truncation
// sums to one, with the ends that whole numbers have in it; of what is censored the
// density between the ends and the two masses at them do.
func (w *walk) cuts(t *testing.T, args []number, s span, mass, middle []float64) {
	lo, hi := middle[1], middle[3]
	if lo == hi {
		return
	}
	var texts []string
	for _, a := range args {
		texts = append(texts, literal(a))
	}
	call := fmt.Sprintf("%s(%s)", w.d.Name.Name, strings.Join(texts, ", "))
	tol, half := 1e-4, 0.5 // trapezoids, whose last ones end at the cuts
	if s.whole {
		tol, half = 1e-9, 1
	}
	for _, c := range []struct {
		cut    string
		lo, hi float64
	}{
		{fmt.Sprintf("truncated(%v, %v)", lo, hi), lo, hi}, {fmt.Sprintf("truncated(%v, inf)", lo), lo, math.Inf(1)},
		{fmt.Sprintf("truncated(-inf, %v)", hi), math.Inf(-1), hi}, {fmt.Sprintf("censored(%v, %v)", lo, hi), lo, hi},
	} {
		c0 := compiled(t, fmt.Sprintf("dim N\ndata x[N] : %s\nparam m : real\nfor n in N { x[n] ~ %s %s }\n", w.d.On.Name.Name, call, c.cut))
		if c0 == nil {
			return
		}
		m, err := c0.VM(bound(map[string]int{"N": len(s.x)}, map[string]*data.Value{"x": data.Dense(s.x, len(s.x))}), nil)
		if err != nil {
			t.Fatal(err)
		}
		logp, total := make([]float64, len(s.x)), 0.0
		m.Evaluator(0).LogLik([]float64{0}, nil, logp)
		masses := [2]float64{}
		for i, x := range s.x {
			switch inside := x >= c.lo && x <= c.hi; {
			case !strings.HasPrefix(c.cut, "censored"):
				if !inside && !math.IsInf(logp[i], -1) {
					t.Errorf("%s %s: %v is outside, and has the log density %v", call, c.cut, x, logp[i])
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
			t.Errorf("%s %s: the density sums to %v", call, c.cut, total)
		}
	}
	w.count["cuts"]++
}
