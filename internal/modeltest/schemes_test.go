package modeltest

import (
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// allocationText is a small topic model whose topics are told apart by their priors.
const allocationText = `
dim D, W, V = 3, K = 2
data w[D, W] : index[V]
data m[K, V] : real
param eta[K, V] : real
eta ~ normal(m, 0.7)
let phi = [softmax(eta[k]) for k in K]
for d in D {
  local theta : simplex[K] ~ dirichlet(0.8) by THETA
  for i in W {
    local z : index[K] ~ categorical(theta) by Z
    w[d, i] ~ categorical(phi[z])
  }
}
`

// scheme is one way to deal with the locals of allocationText.
type scheme struct {
	theta, z string
	drawn    bool // by chains; else theta joins the state, which nuts samples
}

// TestSchemes: whatever is drawn, summed out or integrated out, the topics have
// the same posterior, that of nuts with the proportions as unknowns.
func TestSchemes(t *testing.T) {
	reference := topicsBy(t, scheme{"gmc", "marginal", false}, schemeSteps)
	for _, s := range []scheme{{"gmc", "marginal", true}, {"gmc", "gibbs", true},
		{"collapse", "gibbs", true}} {
		t.Run(s.theta+" "+s.z, func(t *testing.T) {
			for i, x := range topicsBy(t, s, schemeSteps) {
				r := reference[i]
				for _, q := range []struct {
					what               string
					got, sd, want, ref float64
				}{{"mean", x.mean, x.mcse, r.mean, r.mcse},
					{"sd", x.sd, x.sdError, r.sd, r.sdError}} {
					if z := (q.got - q.want) / math.Hypot(q.sd, q.ref); !(math.Abs(z) <= 4) {
						t.Errorf("coordinate %d: %s %.4f ± %.4f, by nuts %.4f ± %.4f", i, q.what,
							q.got, q.sd, q.want, q.ref)
					}
				}
			}
		})
	}
}

type moment struct{ mean, sd, mcse, sdError float64 }

// topicsBy samples the topics and returns the moments of every coordinate.
func topicsBy(t *testing.T, s scheme, steps int) []moment {
	t.Helper()
	text := strings.NewReplacer("THETA", s.theta, "Z", s.z).Replace(allocationText)
	compiled, diags := driver.Compile(source.New("m.sg", text), driver.Options{Sampled: s.drawn})
	if compiled == nil {
		t.Fatal(diags)
	}
	words := []float64{0, 0, 1, 0, 2, 2, 2, 1, 0, 0, 0, 2, 2, 2, 1, 2, 0, 1, 1, 0, 2, 2, 0, 2}
	bound, _, errs := data.Validate(&compiled.Spec.Schema, map[string]*data.Value{
		"w": data.Dense(words, 6, 4), "m": data.Dense([]float64{1.5, 0, -1, -1, 0, 1.5}, 2, 3)},
		nil, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	m, err := compiled.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := sampler.DefaultConfig()
	cfg.Chains, cfg.Seed, cfg.Warmup, cfg.Draws, cfg.InitRadius = 1, 5, int64(steps/10),
		int64(steps), 0.1
	if s.drawn {
		cfg.Sampler, cfg.Scheme, cfg.Step, cfg.Friction, cfg.FullBatch = "sghmc",
			"split", 0.2, 1, true
		cfg.LocalOptions = target.LocalOptions{BurnIn: 6, Kept: 6, Leapfrog: 4}
	} else {
		cfg.Sampler, cfg.Draws, cfg.Warmup = "nuts", int64(steps/2), 300
	}
	chain, err := sampler.NewChain(m, cfg, 0)
	if err != nil {
		t.Fatal(err)
	}
	const n = 6 // coordinates of eta, which are the first
	series, out := make([][]float64, n), make([]float64, m.OutputLen())
	for step := range int(cfg.Warmup + cfg.Draws) {
		if err := chain.Step(); err != nil {
			t.Fatal(err)
		}
		if step >= int(cfg.Warmup) {
			chain.Constrain(out)
			for i := range series {
				series[i] = append(series[i], out[i])
			}
		}
	}
	var all []moment
	for _, x := range series {
		var mo moment
		for _, v := range x {
			mo.mean += v / float64(len(x))
		}
		for _, v := range x {
			mo.sd += (v - mo.mean) * (v - mo.mean) / float64(len(x))
		}
		mo.sd = math.Sqrt(mo.sd)
		mo.mcse = diagnose.MCSEMean([][]float64{x})
		mo.sdError = diagnose.MCSESD([][]float64{x})
		all = append(all, mo)
	}
	return all
}
