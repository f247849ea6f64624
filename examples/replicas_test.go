package examples_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// A grid is a posterior of two numbers, integrated over a square by midpoints.
type grid struct {
	log      float64 // of the whole mass
	mean, sd [2]float64
	first    float64 // share of the mass of a part
}

// integrate sums a density over (−width, width)², with its moments and the share of a part.
func integrate(
	width float64, n int, log func(a, b float64) float64, in func(a, b float64) bool,
) grid {
	h := 2 * width / float64(n)
	top := math.Inf(-1)
	at := func(i int) float64 { return -width + h*(float64(i)+0.5) }
	for i := range n {
		for k := range n {
			top = max(top, log(at(i), at(k)))
		}
	}
	var g grid
	mass := 0.0
	var squares [2]float64
	for i := range n {
		for k := range n {
			x := [2]float64{at(i), at(k)}
			p := math.Exp(log(x[0], x[1]) - top)
			mass += p
			if in(x[0], x[1]) {
				g.first += p
			}
			for j, v := range x {
				g.mean[j] += p * v
				squares[j] += p * v * v
			}
		}
	}
	g.log, g.first = top+math.Log(mass*h*h), g.first/mass
	for j := range g.mean {
		g.mean[j] /= mass
		g.sd[j] = math.Sqrt(squares[j]/mass - g.mean[j]*g.mean[j])
	}
	return g
}

// series reads a name of a file of data.
func series(t *testing.T, path, name string) []float64 {
	t.Helper()
	text, err := os.ReadFile(path)
	var in map[string][]float64
	if err == nil {
		err = json.Unmarshal(text, &in)
	}
	if err != nil {
		t.Fatal(err)
	}
	return in[name]
}

func logNormal(x, mean, sd float64) float64 {
	u := (x - mean) / sd
	return -u*u/2 - math.Log(sd) - math.Log(2*math.Pi)/2
}

func logAdd(a, b float64) float64 {
	return max(a, b) + math.Log1p(math.Exp(-math.Abs(a-b)))
}

// exchanged holds draws of replica exchange to a posterior of two numbers: the masses of its modes,
// means, and the evidence. Means are held within a share of a standard deviation, too. The seed was
// set before any run.
func exchanged(
	t *testing.T, m *model.Model, want grid, in func(a, b float64) bool, draws int64, within float64,
) {
	t.Helper()
	c := sampler.DefaultConfig()
	c.Sampler, c.Replicas, c.Chains, c.Draws, c.Seed = "nuts", 8, 20, draws, 11
	c.Warmup = min(draws, 1000)
	d, err := sampler.Collect(context.Background(), m, c, loop.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want.first < 0.02 || want.first > 0.98 {
		t.Errorf("the modes have the masses %.4f and %.4f: the example shows nothing", want.first,
			1-want.first)
	}
	first := func(x []float64) float64 {
		if in(x[0], x[1]) {
			return 1
		}
		return 0
	}
	held(t, "mass of the first mode", d, first, want.first,
		within*math.Sqrt(want.first*(1-want.first)))
	for j := range want.mean {
		held(t, "mean", d, func(x []float64) float64 { return x[j] }, want.mean[j],
			within*want.sd[j])
	}
	for _, r := range d.Health {
		if r.Verdict == "off" {
			t.Errorf("%+v", r)
		}
		if r.Statistic == "log_evidence" {
			t.Logf("log evidence %.4f ± %.4f, exactly %.4f", r.Value, r.MCSE, want.log)
			if !(math.Abs(r.Value-want.log) <= 4*r.MCSE) || r.MCSE > 0.1 {
				t.Errorf("log evidence %.4f ± %.4f, exactly %.4f", r.Value, r.MCSE, want.log)
			}
		}
	}
}

// held holds the mean of a function of draws to its value, within four of its errors, which are by
// the means of chains, and within a bound.
func held(
	t *testing.T, what string, d *sampler.Draws, of func(x []float64) float64, want, most float64,
) {
	t.Helper()
	n := float64(len(d.Chains))
	means := make([]float64, len(d.Chains))
	mean, mcse := 0.0, 0.0
	for k := range d.Chains {
		for i := range d.Len(k) {
			means[k] += of(d.Draw(k, i)) / float64(d.Len(k))
		}
		mean += means[k] / n
	}
	for _, v := range means {
		mcse += (v - mean) * (v - mean) / (n - 1) / n
	}
	mcse = math.Sqrt(mcse)
	t.Logf("%s: %.4f ± %.4f, exactly %.4f: z %.1f, %.2f of the bound", what, mean, mcse, want,
		(mean-want)/mcse, (mean-want)/most)
	if !(math.Abs(mean-want) <= 4*mcse && math.Abs(mean-want) <= most) {
		t.Errorf("%s: %.4f ± %.4f, exactly %.4f", what, mean, mcse, want)
	}
}

// TestReplicasTied: the two modes of the mixture with tied means have their masses.
func TestReplicasTied(t *testing.T) { replicasTied(t, 400, 0.1) }

func replicasTied(t *testing.T, draws int64, within float64) {
	const path = "models/tied_means.json"
	m := onVM(t, compile(t, "tied_means"), path)
	x := series(t, path, "x")
	first := func(_, b float64) bool { return b < 0 }
	want := integrate(6, 300, func(a, b float64) float64 {
		sum := logNormal(a, 0, math.Sqrt(10)) + logNormal(b, 0, 1)
		for _, v := range x {
			sum += logAdd(logNormal(v, a, math.Sqrt2), logNormal(v, a+b, math.Sqrt2)) - math.Ln2
		}
		return sum
	}, first)
	exchanged(t, m, want, first, draws, within)
}

// TestReplicasRegimes: the two modes of a hidden Markov chain whose regimes can be taken for each
// other have their masses; without replicas chains stay in the mode that they come to.
func TestReplicasRegimes(t *testing.T) { replicasRegimes(t, 400, 0.1) }

func replicasRegimes(t *testing.T, draws int64, within float64) {
	const path = "models/regimes.json"
	m := onVM(t, compile(t, "regimes"), path)
	y := series(t, path, "y")
	first := func(a, b float64) bool { return a < b }
	want := integrate(4, 240, func(a, b float64) float64 {
		f := math.Log(0.5) + logNormal(y[0], a, 0.5)
		g := math.Log(0.5) + logNormal(y[0], b, 0.7)
		for _, v := range y[1:] {
			f, g = logAdd(f+math.Log(0.6), g+math.Log(0.25))+logNormal(v, a, 0.5),
				logAdd(g+math.Log(0.75), f+math.Log(0.4))+logNormal(v, b, 0.7)
		}
		return logNormal(a, 0, 2) + logNormal(b, 0, 2) + logAdd(f, g)
	}, first)
	c := sampler.DefaultConfig()
	c.Chains, c.Draws, c.Seed = 8, 200, 11
	d, err := sampler.Collect(context.Background(), m, c, loop.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k := range d.Chains {
		for i := range d.Len(k) {
			if a, b := d.Draw(k, i), d.Draw(k, 0); first(a[0], a[1]) != first(b[0], b[1]) {
				t.Fatalf("chain %d of nuts alone moves between the modes: the example shows nothing", k)
			}
		}
	}
	exchanged(t, m, want, first, draws, within)
}
