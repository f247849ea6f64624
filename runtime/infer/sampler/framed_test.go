package sampler

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// A spaceCase is a target on a space without an isometric embedding, or on subspaces, with
// functions of the state whose mean and variance are known.
type spaceCase struct {
	name  string
	g     target.Target
	known []knownMoment
}

type knownMoment struct {
	name           string
	of             func(x []float64) float64
	mean, variance float64
}

// boltzmann is the density e^{−κ x₀} on the hyperbolic plane. With c = x₀ − 1 = cosh r − 1 the
// volume is proportional to dc, so that c is exponential of rate κ; and the angle is uniform,
// so that x₁ has mean 0 and variance E (c² + 2c)/2 = 1/κ² + 1/κ.
func boltzmann(kappa float64) spaceCase {
	f := func(x, grad []float64) float64 {
		clear(grad)
		grad[0] = -kappa
		return -kappa * x[0]
	}
	return spaceCase{"hyperbolic", newCurved(f,
		target.Geometry{Kind: "hyperbolic", Points: 1, Dim: 3}),
		[]knownMoment{
			{"x0", func(x []float64) float64 { return x[0] - 1 }, 1 / kappa, 1 / (kappa * kappa)},
			{"x1", func(x []float64) float64 { return x[1] }, 0, 1/(kappa*kappa) + 1/kappa},
		}}
}

// wishart is the law of ν degrees of freedom and scale 1, whose density by the volume is
// |P|^(ν/2) e^(−tr P/2): E P = ν, the variance of an entry off the diagonal is ν, and log |P| has
// the moments of a sum of logarithms of χ² (Muirhead 1982, theorem 3.2.15).
func wishart(k int, nu float64) spaceCase {
	f := func(x, grad []float64) float64 {
		sum := 0.0
		for i := range k {
			for j := range k {
				l := x[i*k+j]
				sum -= l * l / 2
				grad[i*k+j] = -l
				if i == j {
					sum += nu * math.Log(l)
					grad[i*k+j] += nu / l
				}
			}
		}
		return sum
	}
	mean, variance := float64(k)*math.Ln2, 0.0
	for i := range k {
		const h = 1e-3
		a := (nu - float64(i)) / 2
		mean += mathext.Digamma(a)
		variance += (mathext.Digamma(a+h) - mathext.Digamma(a-h)) / (2 * h)
	}
	return spaceCase{"positive definite",
		newCurved(f, target.Geometry{Kind: "positive_definite", Points: 1, Dim: k, Cols: k}),
		[]knownMoment{
			{"P00", func(x []float64) float64 { return x[0] * x[0] }, nu, 2 * nu},
			{"P10", func(x []float64) float64 { return x[0] * x[k] }, 0, nu},
			{"log det", func(x []float64) float64 {
				s := 0.0
				for i := range k {
					s += 2 * math.Log(x[i*k+i])
				}
				return s
			}, mean, variance},
		}}
}

// bingham is the density e^{κ |first row of x|²} of a subspace, P₀₀ of its projection. In three
// dimensions the line across a plane has 1 − P₀₀, so that both laws follow from that of the
// square of a coordinate on the sphere, by quadrature.
func bingham(cols int, kappa float64) spaceCase {
	f := func(x, grad []float64) float64 {
		clear(grad)
		sum := 0.0
		for j := range cols {
			sum += kappa * x[j] * x[j]
			grad[j] = 2 * kappa * x[j]
		}
		return sum
	}
	power := kappa
	if cols == 2 {
		power = -kappa
	}
	moment := func(p float64) float64 {
		return quad.Fixed(func(u float64) float64 {
			return math.Pow(u, p) * math.Exp(power*u*u)
		}, 0, 1, 60, nil, 0)
	}
	mean := moment(2) / moment(0)
	variance := moment(4)/moment(0) - mean*mean
	if cols == 2 {
		mean = 1 - mean
	}
	return spaceCase{fmt.Sprintf("subspaces of %d", cols),
		newCurved(f, target.Geometry{Kind: "grassmann", Points: 1, Dim: 3, Cols: cols}),
		[]knownMoment{{"P00", func(x []float64) float64 {
			s := 0.0
			for j := range cols {
				s += x[j] * x[j]
			}
			return s
		}, mean, variance}}}
}

// TestSpaces: samplers have the exact moments on hyperbolic space and on positive definite
// matrices, where those with a Metropolis test alone run, and on subspaces.
func TestSpaces(t *testing.T) {
	for i, c := range []spaceCase{boltzmann(2), wishart(2, 6), bingham(1, 3), bingham(2, 2)} {
		for j, r := range curvedRuns {
			row, _ := table.Lookup(r.sampler)
			if r.noise > 0 || r.thermostat != "" || j%2 == 1 && i > 1 || i < 2 && !row.Metropolis {
				continue
			}
			t.Run(c.name+"/"+r.sampler, func(t *testing.T) {
				t.Parallel()
				cfg := r.config()
				ch := mustChain(t, c.g, cfg, 0)
				mustSteps(t, ch, int(cfg.Warmup))
				found := make([]moments, len(c.known))
				for i, k := range c.known {
					found[i].mean = k.mean
				}
				for range cfg.Draws {
					mustSteps(t, ch, int(cfg.Thin))
					for i, k := range c.known {
						found[i].add(k.of(ch.Position()))
					}
				}
				for i, k := range c.known {
					found[i].check(t, k.name, k.variance, 0.02)
				}
				for _, row := range ch.Health() {
					if row.Verdict == "off" {
						t.Errorf("%+v", row)
					}
				}
			})
		}
	}
}

// TestSpacesRefused: samplers without a Metropolis test are refused where health does not see
// the error of their steps.
func TestSpacesRefused(t *testing.T) {
	for _, c := range []spaceCase{boltzmann(2), wishart(2, 6)} {
		for _, sampler := range []string{"geodesic_sghmc", "geodesic_sgnht", "sgld"} {
			cfg := settings.DefaultConfig()
			cfg.Sampler, cfg.Step = sampler, 0.1
			if err := cfg.Validate(c.g); err == nil || !strings.Contains(err.Error(), "gmc") ||
				settings.CodeOf(err) != "S0104" {
				t.Errorf("%s on the space %s: %v", sampler, c.name, err)
			}
		}
	}
}

// TestSubspacesOff: health sees the error of long steps on subspaces.
func TestSubspacesOff(t *testing.T) {
	for _, c := range []struct {
		step float64
		off  bool
	}{{0.1, false}, {0.8, true}} {
		cfg := settings.DefaultConfig()
		cfg.Sampler, cfg.Step, cfg.Friction = "geodesic_sghmc", c.step, 1
		cfg.FullBatch = true
		cfg.Warmup, cfg.Draws = 2000, 40000
		ch := mustChain(t, bingham(2, 2).g, cfg, 0)
		mustSteps(t, ch, int(cfg.Warmup+cfg.Draws))
		off, seen := false, false
		for _, row := range ch.Health() {
			if strings.HasPrefix(row.Statistic, "configurational") {
				seen = true
			}
			off = off || row.Verdict == "off"
		}
		if !seen || off != c.off {
			t.Errorf("step %g: %+v", c.step, ch.Health())
		}
	}
}
