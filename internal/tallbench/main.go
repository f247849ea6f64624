// Command tallbench is the yardstick for posteriors of many rows: it samples models with
// simulated data as `sgppl sample` does without settings, and holds means and standard
// deviations against importance weights of all rows.
//
//	go run ./internal/tallbench -only 'logistic|poisson' -seeds 5
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/data"
	"github.com/sgppl/sgppl/runtime/loop"
	"github.com/sgppl/sgppl/runtime/sampler"
	"github.com/sgppl/sgppl/runtime/tall"
	"github.com/sgppl/sgppl/runtime/target"
)

func main() {
	only := flag.String("only", "", "a regular expression of cases")
	seeds := flag.Int("seeds", 1, "seeds from 1")
	first := flag.Int("first", 1, "the first of them")
	ess := flag.Float64("ess", 400, "--target-ess")
	share := flag.Float64("share", 0, "κ; 0: the rule's")
	step := flag.Float64("step", 0, "h; 0: the rule's")
	weight := flag.Float64("weight", 0, "of a row of the pilot; 0: the rule's")
	anyway := flag.Bool("anyway", false, "by minibatches even where full passes cost less")
	even := flag.Bool("even", false, "rows drawn evenly")
	draws := flag.Int("draws", 0, "draws of each chain, in place of rounds")
	truth := flag.Int("truth", 4000, "importance draws; 0: none")
	list := flag.Bool("list", false, "list the cases")
	flag.Parse()
	wanted := regexp.MustCompile(*only)
	for _, b := range cases() {
		if *list {
			fmt.Println(b.name)
		} else if wanted.MatchString(b.name) {
			t, err := b.bind()
			if err != nil {
				fmt.Fprintln(os.Stderr, b.name, err)
				continue
			}
			var mean, sd []float64
			for s := range *seeds {
				set := tall.Settings{Seed: uint64(*first + s), TargetESS: *ess, Share: *share, Step: *step, Weight: *weight, Anyway: *anyway, Even: *even, Draws: *draws}
				mean, sd = b.run(t, set, *truth, mean, sd)
			}
		}
	}
}

func (b *bench) bind() (target.Target, error) {
	c, diags := driver.Compile(source.New(b.name+".sg", b.model), driver.Options{})
	if c == nil {
		var text strings.Builder
		diags.Render(&text, false)
		return nil, errors.New(text.String())
	}
	bound, _, errs := data.Validate(&c.Spec.Schema, b.make(), b.dims, data.Options{})
	if len(errs) > 0 {
		return nil, errs[0]
	}
	return c.VM(bound, nil)
}

// run samples with one seed and prints a line of what was found, and one of how right it
// was.
func (b *bench) run(t target.Target, set tall.Settings, truth int, mean, sd []float64) (_, _ []float64) {
	start := time.Now()
	o := loop.Options{Now: time.Now}
	s, err := tall.Prepare(context.Background(), t, set, o)
	took := time.Since(start).Seconds()
	if s == nil {
		fmt.Println(b.name, err)
		return mean, sd
	}
	p := &s.Plan
	fmt.Printf("%s seed %d: N %d d %d set-up %.1f passes %.1f s, modes %d, %s after %d passes, R-hat %.2f; curvature %.2f (%.2f to %.2f); noise plain %.3g, %.3g, most %.3g, eigen %.3g; h %.2f n %d + %d share %.3f every %d; cost %.2g nuts %.2g\n",
		b.name, set.Seed, p.Rows, p.Dim, p.SetUp, took, p.Modes, p.Anchor, p.ModePasses, p.PilotRhat, p.Curvature, p.CurvatureMin, p.CurvatureMax,
		p.NoisePlain, p.Noise, p.NoiseMax, p.NoiseEigen, p.Step, p.Batch, p.Always, p.Share, p.Every, p.CostDraws, p.CostNUTS)
	if err != nil {
		fmt.Println("  nuts:", err)
		return mean, sd
	}
	for attempt := 0; ; attempt++ {
		start = time.Now()
		m := newMoments(t.OutputLen(), set.Chains)
		r, err := tall.NewRun(t, s, set)
		if err == nil {
			_, err = r.Go(context.Background(), m, o, time.Time{})
		}
		rep := r.Report()
		if rep != nil {
			i, j := rep.WorstBias()
			fmt.Printf("  %d draws %.1f s %s: ESS %.0f R-hat %.3f, per 1e6 rows %.0f; bias of a mean %.3f ± %.3f (%d), of log sd %.3f ± %.3f (%d)\n", rep.Draws, time.Since(start).Seconds(), rep.Verdict(0.1), rep.Least, rep.MaxRhat,
				rep.Least/float64(r.Rows())*3e6, rep.Bias[i].Mean, rep.Bias[i].MeanError, i, rep.Bias[j].LogSD, rep.Bias[j].LogSDError, j)
			grown, by := r.NoiseGrowth()
			fmt.Printf("  noise in what is taken out %.3f ± %.3f, anchor distance² %.4f\n", grown, by, r.AnchorDistance())
			all, radial := 0.0, s.Noise()
			for _, b := range rep.Bias {
				all += b.LogSD / float64(len(rep.Bias))
			}
			fmt.Printf("  mean of the biases of log sd %.4f; radial %.3f of %.3f, own %.3f\n", all, radial.Radial*radial.Square/float64(t.Dim()), radial.Diag[0], radial.Own)
			if truth > 0 && mean == nil {
				var effective float64
				mean, sd, effective = weigh(t, s, truth)
				fmt.Printf("  importance: %.0f effective of %d\n", effective, truth)
			}
			if truth > 0 {
				m.against(mean, sd, rep.Least)
			}
		}
		var biased *tall.Biased
		if errors.As(err, &biased) && attempt < 2 {
			fmt.Printf("  off (%d), %.1f times: again with less noise and a shorter step\n", biased.Output, biased.Times)
			s = s.Refine(biased.Times)
			continue
		}
		if err != nil {
			fmt.Println("  ", err)
		}
		return mean, sd
	}
}

// moments are the sink of a run.
type moments struct {
	lock    sync.Mutex
	n       float64
	mean, m []float64
}

func newMoments(k, chains int) *moments {
	return &moments{mean: make([]float64, k), m: make([]float64, k)}
}

func (m *moments) Draw(_ int, _ int64, out []float64, _ *sampler.Stats) error {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.n++
	for i, x := range out {
		d := x - m.mean[i]
		m.mean[i] += d / m.n
		m.m[i] += d * (x - m.mean[i])
	}
	return nil
}
func (m *moments) Progress(sampler.Progress)    {}
func (m *moments) Checkpoint(int, []byte) error { return nil }
func (m *moments) Reserve(int64) error          { return nil }

// against prints the largest error of a mean and the range of the ratios of standard
// deviations.
func (m *moments) against(mean, sd []float64, ess float64) {
	worst, at, lo, hi := 0.0, 0, math.Inf(1), 0.0
	for i := range mean {
		if e := math.Abs(m.mean[i]-mean[i]) / sd[i]; e > worst {
			worst, at = e, i
		}
		q := math.Sqrt(m.m[i]/m.n) / sd[i]
		lo, hi = min(lo, q), max(hi, q)
	}
	fmt.Printf("  error of a mean %.3f (%d; Monte Carlo %.3f), sd %.3f to %.3f\n", worst, at, 1/math.Sqrt(ess), lo, hi)
}

// weigh draws from a Student t law about the anchor and weighs the draws by all rows.
func weigh(t target.Target, s *tall.Setup, draws int) (mean, sd []float64, effective float64) {
	const nu = 20
	w := s.Whitening()
	k, d := t.OutputLen(), t.Dim()
	outs, logs := make([][]float64, draws), make([]float64, draws)
	var wg sync.WaitGroup
	threads := runtime.GOMAXPROCS(0)
	for c := range threads {
		wg.Go(func() {
			e := t.NewEvaluator(1)
			z, x := make([]float64, d), make([]float64, d)
			for i := c; i < draws; i += threads {
				r := rand.New(rand.NewPCG(uint64(i), 3))
				chi, norm := 0.0, 0.0
				for range nu {
					u := r.NormFloat64()
					chi += u * u
				}
				for j := range z {
					z[j] = math.Sqrt(nu/chi) * r.NormFloat64()
					norm += z[j] * z[j]
				}
				w.Point(z, x)
				logs[i] = e.LogDensity(x, nil, 1, 1) + (nu+float64(d))/2*math.Log1p(norm/nu)
				outs[i] = make([]float64, k)
				e.Constrain(x, outs[i])
			}
		})
	}
	wg.Wait()
	most := math.Inf(-1)
	for _, l := range logs {
		most = max(most, l)
	}
	mean, sd = make([]float64, k), make([]float64, k)
	total, squares := 0.0, 0.0
	for i, l := range logs {
		v := math.Exp(l - most)
		total, squares = total+v, squares+v*v
		for j, x := range outs[i] {
			mean[j] += v * x
		}
	}
	for j := range mean {
		mean[j] /= total
	}
	for i, l := range logs {
		v := math.Exp(l-most) / total
		for j, x := range outs[i] {
			sd[j] += v * (x - mean[j]) * (x - mean[j])
		}
	}
	for j := range sd {
		sd[j] = math.Sqrt(sd[j])
	}
	return mean, sd, total * total / squares
}
