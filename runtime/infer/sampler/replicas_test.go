package sampler

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A peak is a normal law of a mixture, spherical, with its share of the mass.
type peak struct{ weight, at, sd float64 }

// peaks is the mixture of peaks in so many dimensions, along the diagonal. Its mass is e^log.
func peaks(dim int, log float64, of ...peak) target.Target {
	return newCurved(func(x, grad []float64) float64 {
		terms, top := make([]float64, len(of)), math.Inf(-1)
		for k, p := range of {
			terms[k] = special.Log(p.weight) - float64(dim)*special.Log(p.sd*math.Sqrt(2*math.Pi))
			for _, v := range x {
				terms[k] -= (v - p.at) * (v - p.at) / (2 * p.sd * p.sd)
			}
			top = max(top, terms[k])
		}
		sum := 0.0
		for k := range terms {
			terms[k] = special.Exp(terms[k] - top)
			sum += terms[k]
		}
		clear(grad)
		for k, p := range of {
			for i, v := range x {
				grad[i] -= terms[k] / sum * (v - p.at) / (p.sd * p.sd)
			}
		}
		return log + top + special.Log(sum)
	}, flat(dim))
}

func exchangeConfig(replicas int) settings.Config {
	c := nutsConfig(1000, 2000)
	c.Replicas, c.Chains, c.Seed = replicas, 8, 5
	return c
}

// rowOf is the row of a statistic of the whole state.
func rowOf(t testing.TB, rows []HealthRow, name string) HealthRow {
	t.Helper()
	for _, r := range rows {
		if r.Block == "all" && r.Statistic == name {
			return r
		}
	}
	t.Fatalf("no %s in %+v", name, rows)
	return HealthRow{}
}

// byChain is the mean of a function of draws, with its error by the means of chains.
func byChain(d *Draws, of func(x []float64) float64) (mean, mcse float64) {
	n := float64(len(d.Chains))
	means := make([]float64, len(d.Chains))
	for k := range d.Chains {
		for i := range d.Len(k) {
			means[k] += of(d.Draw(k, i)) / float64(d.Len(k))
		}
		mean += means[k] / n
	}
	for _, v := range means {
		mcse += (v - mean) * (v - mean) / (n - 1) / n
	}
	return mean, math.Sqrt(mcse)
}

// exactly holds a mean of draws to its value: within four errors, and within a share of the
// standard deviation.
func exactly(t *testing.T, what string, got, mcse, want, sd float64) {
	t.Helper()
	t.Logf("%s: %.4f ± %.4f, exactly %.4f", what, got, mcse, want)
	if math.Abs(got-want) > 4*mcse || math.Abs(got-want) > 0.02*sd {
		t.Errorf("%s: %.4f ± %.4f, exactly %.4f", what, got, mcse, want)
	}
}

// holdsPeaks runs replica exchange on two peaks, of which nuts alone sees one, and holds weights,
// means and the evidence to their values.
func holdsPeaks(t *testing.T, dim int, c settings.Config, a, b peak) {
	t.Helper()
	const log = 3
	d, err := Collect(context.Background(), peaks(dim, log, a, b), c, RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	below, mcse := byChain(d, func(x []float64) float64 {
		if x[0] < 0 {
			return 1
		}
		return 0
	})
	exactly(t, "weight", below, mcse, a.weight, math.Sqrt(a.weight*b.weight))
	want := a.weight*a.at + b.weight*b.at
	variance := a.weight*(a.at*a.at+a.sd*a.sd) + b.weight*(b.at*b.at+b.sd*b.sd) - want*want
	mean, mcse := byChain(d, func(x []float64) float64 { return x[dim-1] })
	exactly(t, "mean", mean, mcse, want, math.Sqrt(variance))
	e := rowOf(t, d.Health, "log_evidence")
	exactly(t, "log evidence", e.Value, e.MCSE, log, 2)
	for _, name := range []string{"round_trips", "swap_rate", "log_evidence"} {
		if r := rowOf(t, d.Health, name); r.Verdict != "ok" {
			t.Errorf("%+v", r)
		}
	}
}

// TestReplicasPeaks: replica exchange has the weights of two peaks that are 20 of their standard
// deviations from each other.
func TestReplicasPeaks(t *testing.T) {
	c := exchangeConfig(6)
	c.Draws = 60000
	holdsPeaks(t, 1, c, peak{0.3, -4, 0.4}, peak{0.7, 4, 0.4})
}

// TestReplicasAlone: on the same peaks nuts alone gives the modes other weights, and health says
// so.
func TestReplicasAlone(t *testing.T) {
	c := exchangeConfig(0)
	d, err := Collect(context.Background(), peaks(1, 3, peak{0.3, -4, 0.4}, peak{0.7, 4, 0.4}), c,
		RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for k := range d.Chains {
		for i := range d.Len(k) {
			if (d.Draw(k, i)[0] < 0) != (d.Draw(k, 0)[0] < 0) {
				t.Fatalf("chain %d moves between the peaks: the test of replicas shows nothing", k)
			}
		}
	}
}

// TestReplicasFew: two temperatures that are far from each other do not exchange states, and health
// says so.
func TestReplicasFew(t *testing.T) {
	c := exchangeConfig(2)
	c.Draws = 200
	d, err := Collect(context.Background(), peaks(6, 3, peak{0.3, -4, 0.1}, peak{0.7, 4, 0.1}), c,
		RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"round_trips", "swap_rate"} {
		if r := rowOf(t, d.Health, name); r.Verdict != "off" {
			t.Errorf("%+v", r)
		}
	}
	if r := rowOf(t, d.Health, "log_evidence"); r.Verdict == "ok" {
		t.Errorf("%+v", r)
	}
}

// TestReplicasSphere: gmc has the weights of two caps of a sphere, which differ in width.
func TestReplicasSphere(t *testing.T) {
	const up, down, share = 30, 60, 0.25      // concentrations of von Mises and Fisher's law
	constant := func(kappa float64) float64 { // log of κ/(4π sinh κ)
		return math.Log(kappa/(2*math.Pi)) - kappa - math.Log1p(-math.Exp(-2*kappa))
	}
	g := newCurved(func(x, grad []float64) float64 {
		a := math.Log(share) + constant(down) - down*x[2]
		b := math.Log(1-share) + constant(up) + up*x[2]
		top := max(a, b)
		p, q := special.Exp(a-top), special.Exp(b-top)
		grad[0], grad[1], grad[2] = 0, 0, (up*q-down*p)/(p+q)
		return top + special.Log(p+q)
	}, sphere(1, 3))
	c := exchangeConfig(6)
	c.Sampler, c.Draws = "gmc", 10000
	d, err := Collect(context.Background(), g, c, RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	below, mcse := byChain(d, func(x []float64) float64 {
		if x[2] < 0 {
			return 1
		}
		return 0
	})
	exactly(t, "weight", below, mcse, share, math.Sqrt(share*(1-share)))
	for _, r := range d.Health {
		if r.Statistic == "log_evidence" {
			t.Errorf("a uniform law on a sphere has no evidence here: %+v", r)
		}
	}
}

// TestReplicasBits: chains of replicas are the same with one thread and many, and after an
// interruption at any step.
func TestReplicasBits(t *testing.T) {
	g := peaks(2, 1, peak{0.4, -2, 0.3}, peak{0.6, 2, 0.5})
	for _, name := range []string{"nuts", "gmc"} {
		c := exchangeConfig(5)
		c.Sampler, c.Chains, c.Warmup, c.Draws = name, 2, 130, 60
		whole := mustRun(t, g, c, 1)
		if other := mustRun(t, g, c, 4); !sameDraws(whole.draws[1], other.draws[1]) {
			t.Errorf("%s: draws depend on the threads", name)
		}
		for _, stop := range []int64{0, 1, 31, 65, 129, 130, 151} {
			a := mustChain(t, g, c, 1)
			r, out := newRecorder(), make([]float64, g.Dim())
			for a.Steps() < stop {
				mustSteps(t, a, 1)
				if err := a.hand(r, out); err != nil {
					t.Fatal(err)
				}
			}
			state, err := a.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			b, err := ResumeChain(g, c, 1, state)
			if err == nil {
				err = b.Run(context.Background(), r, RunOptions{})
			}
			if err != nil {
				t.Fatal(err)
			}
			if !sameDraws(whole.draws[1], r.draws[1]) {
				t.Errorf("%s: resumed at step %d, the draws differ", name, stop)
			}
			if !bytes.Equal(whole.last(1), r.last(1)) {
				t.Errorf("%s: resumed at step %d, the last checkpoint differs", name, stop)
			}
		}
	}
}

// TestReplicasAllocate: a step allocates nothing.
func TestReplicasAllocate(t *testing.T) {
	c := exchangeConfig(4)
	ch := mustChain(t, newGaussian(variances(3)), c, 0)
	mustSteps(t, ch, int(c.Warmup)+10)
	if n := testing.AllocsPerRun(20, func() { mustSteps(t, ch, 1) }); n > 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// TestReplicasRefused: what replica exchange cannot do is refused with its code.
func TestReplicasRefused(t *testing.T) {
	g := newGaussian(variances(3))
	for _, x := range []struct {
		change func(c *settings.Config)
		says   string
	}{
		{func(c *settings.Config) { c.Replicas = 1 }, "between 2 and 200"},
		{func(c *settings.Config) { c.Replicas = -3 }, "between 2 and 200"},
		{func(c *settings.Config) { c.Replicas = 201 }, "between 2 and 200"},
		{func(c *settings.Config) { c.Sampler = "msgnht" }, "have one step"},
		{func(c *settings.Config) { c.Temperature = 2 }, "last temperature is 1"},
	} {
		c := exchangeConfig(4)
		x.change(&c)
		if _, err := c.Resolve(g); settings.CodeOf(err) != "S0107" ||
			!strings.Contains(err.Error(), x.says) {
			t.Errorf("%v, and S0107 with %q is expected", err, x.says)
		}
	}
	c := exchangeConfig(4)
	c.Metric = "dense"
	if _, err := c.Resolve(newCurved(linear([]float64{1, 0, 0}), sphere(1, 3))); settings.CodeOf(
		err) != "S0107" {
		t.Error(err)
	}
	c = exchangeConfig(4)
	nowhere := newCurved(func(_, _ []float64) float64 { return math.Inf(-1) }, flat(1))
	var e *InitError
	if _, err := NewChain(nowhere, c, 0); !errors.As(err, &e) {
		t.Errorf("%v for a density that is zero", err)
	}
}
