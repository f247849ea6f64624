//go:build slow

package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestFormulaOfSlopes: correlated effects of groups have the standard deviations and the
// correlation that they were drawn with; the draws of 60 groups have nearly the same.
func TestFormulaOfSlopes(t *testing.T) {
	const groups, each = 60, 10
	r := rand.New(rand.NewPCG(13, 1))
	var b strings.Builder
	b.WriteString("y,x,g\n")
	for g := range groups {
		u, v := r.NormFloat64(), r.NormFloat64()
		intercept, slope := 2*u, 0.6*u+0.8*v // of deviations 2 and 1 and correlation 0.6
		for range each {
			x := r.NormFloat64()
			fmt.Fprintf(&b, "%v,%v,%d\n", 3+intercept+(1+slope)*x+0.5*r.NormFloat64(), x, g)
		}
	}
	post, _ := fitFormula(t, b.String(), "y ~ x + (1 + x | g)", "gaussian")
	for name, want := range map[string]float64{"sd_g[0]": 2, "sd_g[1]": 1, "cor_g[0,1]": 0.6,
		"sigma": 0.5} {
		if got := post[name]; math.Abs(got.mean-want) > 3*got.sd || got.sd > 0.25 {
			t.Errorf("%s: posterior %.3f ± %.3f, the truth is %v", name, got.mean, got.sd, want)
		}
	}
}
