package modeltest

import (
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// The laws of directions through the compiler's generators: the cosine with the
// mean direction has the mean and the variance of its law, and what is across
// has no direction.
func TestDirections(t *testing.T) {
	power := func(d, kappa float64) (mean, variance float64) {
		a, b := (d-1)/2+kappa, (d-1)/2
		return kappa / (d - 1 + kappa), 4 * a * b / ((a + b) * (a + b) * (a + b + 1))
	}
	vmf := func(d, kappa float64) (mean, variance float64) {
		return special.VMFRatio(d, kappa), special.VMFRatioDeriv(d, kappa)
	}
	for _, c := range []struct {
		law   string
		d     int
		kappa float64
		want  func(d, kappa float64) (mean, variance float64)
	}{
		{"vmf", 2, 0.3, vmf}, {"vmf", 3, 2, vmf}, {"vmf", 60, 200, vmf}, {"vmf", 300, 1e6, vmf},
		{"power_spherical", 2, 0.3, power}, {"power_spherical", 3, 2, power},
		{"power_spherical", 60, 200, power}, {"power_spherical", 5, 1e6, power},
	} {
		t.Run(fmt.Sprint(c.law, c.d, " ", c.kappa), func(t *testing.T) {
			const n = 4000
			text := fmt.Sprintf("dim N, D\ndata x[N] : sphere[D], mu : sphere[D]\n"+
				"for n in N { x[n] ~ %s(mu, %g) }\n", c.law, c.kappa)
			x, mu := simulated(t, text, "x", "mu", fmt.Sprint("N=", n), fmt.Sprint("D=", c.d))
			mean, square, across := 0.0, 0.0, make([]float64, c.d)
			want, variance := c.want(float64(c.d), c.kappa)
			for i := range n {
				cosine, length := 0.0, 0.0
				for j, v := range x[i*c.d : (i+1)*c.d] {
					cosine += v * mu[j]
					length += v * v
				}
				if math.Abs(length-1) > 1e-12 {
					t.Fatalf("draw %d has the squared length %v", i, length)
				}
				mean += (cosine - want) / n
				square += (cosine - want) * (cosine - want) / n
				for j, v := range x[i*c.d : (i+1)*c.d] {
					across[j] += (v - cosine*mu[j]) / n
				}
			}
			if z := mean / math.Sqrt(variance/n); math.Abs(z) > 4 {
				t.Errorf("the mean cosine is %v standard errors from %v", z, want)
			}
			// the kurtosis of the cosine is at most that of a gamma of shape ½, 15
			if math.Abs(square/variance-1) > 4*math.Sqrt(14./n) {
				t.Errorf("the variance of the cosine is %v, not %v", square, variance)
			}
			// n |across|² / E(1 − t²) is near a χ² of d − 1 degrees over d − 1
			sum := 0.0
			for _, v := range across {
				sum += v * v
			}
			f := float64(c.d - 1)
			if r := n * sum / (1 - variance - want*want); r > 1+5*math.Sqrt(2/f)+10/f {
				t.Errorf("what is across has the mean square %v, relative to its law", r)
			}
		})
	}
	t.Run("von_mises", func(t *testing.T) {
		const n = 4000
		y, mu := simulated(t, "dim N\ndata y[N] : real, mu : real\n"+
			"for n in N { y[n] ~ von_mises(mu, 1.7) }\n", "y", "mu", fmt.Sprint("N=", n))
		c, s := 0.0, 0.0
		for _, v := range y {
			if math.Abs(v-mu[0]) > math.Pi {
				t.Fatalf("an angle of %v about %v", v, mu[0])
			}
			c += math.Cos(v-mu[0]) / n
			s += math.Sin(v-mu[0]) / n
		}
		a := special.VMFRatio(2, 1.7)
		if math.Abs(c-a) > 4*math.Sqrt(special.VMFRatioDeriv(2, 1.7)/n) ||
			math.Abs(s) > 4*math.Sqrt(a/1.7/n) {
			// E sin² = A/κ
			t.Errorf("mean cosine %v and sine %v, not %v and 0", c, s, a)
		}
	})
}

// simulated draws a model's data and returns two of its inputs.
func simulated(t *testing.T, text, first, second string, sets ...string) (a, b []float64) {
	t.Helper()
	out, diags, errs, err := driver.Simulate(source.New("law.sg", text),
		driver.SimulateOptions{Sets: sets, Seed: 11})
	if err != nil || errs != nil || out == nil {
		t.Fatal(diags, errs, err)
	}
	for _, d := range out.Data {
		switch d.Name {
		case first:
			a = d.Value.F64
		case second:
			b = d.Value.F64
		}
	}
	return a, b
}
