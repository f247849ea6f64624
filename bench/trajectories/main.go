// Command trajectories measures nuts at its default settings on the reference posteriors and on
// stiff ones: effective draws a thousand gradients, divergences, time of the processor.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

var energyError float64

func main() {
	seeds := flag.Int("seeds", 3, "runs of each posterior, by seeds 1, 2, …")
	only := flag.String("only", "", "posteriors whose name has this")
	flag.Float64Var(&energyError, "energy-error", 0, "bound of the energy's change along a step")
	flag.Parse()
	if err := run(*seeds, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(seeds int, only string) error {
	fmt.Println("| posterior | seed | least ESS / 1,000 gradients | gradients | divergences | " +
		"largest R-hat |\n| --- | ---: | ---: | ---: | ---: | ---: |")
	dir, ok := reference.Dir()
	if !ok {
		return fmt.Errorf("the reference posteriors are absent: set SGPPL_SHARED")
	}
	folders, err := filepath.Glob(filepath.Join(dir, "posteriordb", "*", "data.json"))
	if err != nil {
		return err
	}
	for _, f := range folders {
		name := filepath.Base(filepath.Dir(f))
		file := modelOf(name)
		if file == "" || !strings.Contains(name, only) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := measure(name, string(text), f, seeds); err != nil {
			return err
		}
	}
	for _, s := range stiffs {
		if !strings.Contains(s.name, only) {
			continue
		}
		file := ""
		if s.data != "" {
			file = filepath.Join(os.TempDir(), fmt.Sprintf("trajectories-%d.json", os.Getpid()))
			if err := os.WriteFile(file, []byte(s.data), 0o600); err != nil {
				return err
			}
			defer os.Remove(file)
		}
		if err := measure(s.name, s.model, file, seeds); err != nil {
			return err
		}
	}
	return nil
}

// modelOf finds the model of examples/models/posteriordb whose name ends that of a posterior.
func modelOf(posterior string) string {
	_, name, _ := strings.Cut(posterior, "-")
	name = strings.ToLower(name)
	for _, n := range []string{name, strings.TrimSuffix(name, "_model")} {
		file := filepath.Join("examples", "models", "posteriordb", n+".sg")
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return ""
}

func bind(name, text, file string) (*model.Model, error) {
	c, diags := driver.Compile(source.New(name+".sg", text), driver.Options{})
	if c == nil {
		return nil, fmt.Errorf("%s: %s", name, diags[0].Message)
	}
	var files []string
	if file != "" {
		files = []string{file}
	}
	bound, _, errs := data.Bind(&c.Spec.Schema, files, nil, data.Options{})
	if len(errs) > 0 {
		return nil, fmt.Errorf("%s: %w", name, errs[0])
	}
	return c.VM(bound, nil)
}

// measure runs four chains by each seed and prints a row.
func measure(name, text, file string, seeds int) error {
	m, err := bind(name, text, file)
	if err != nil {
		return err
	}
	for seed := range seeds {
		c := sampler.DefaultConfig()
		c.Sampler, c.FullBatch, c.Seed = "nuts", m.Rows() > 0, uint64(seed+1)
		c.EnergyError = energyError
		begin := time.Now()
		row, err := chains(m, c)
		if err != nil {
			fmt.Printf("| %s | %d | %v | | | |\n", name, seed+1, err)
			continue
		}
		fmt.Printf("| %s | %d | %.2f | %d | %d | %.3f |\n", name, seed+1,
			1000*row.ess/float64(row.gradients), row.gradients, row.divergences, row.rhat)
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, time.Since(begin).Round(time.Millisecond))
	}
	return nil
}

// A result is what four chains have come to; gradients are those of draws, not of the warm-up.
type result struct {
	ess, rhat              float64
	gradients, divergences int
}

func chains(m *model.Model, c sampler.Config) (result, error) {
	r := result{ess: math.Inf(1)}
	series := make([][][]float64, m.OutputLen()) // by quantity and chain
	out := make([]float64, m.OutputLen())
	for k := range c.Chains {
		ch, err := sampler.NewChain(m, c, k)
		if err != nil {
			return r, err
		}
		for i := range series {
			series[i] = append(series[i], nil)
		}
		for step := range c.Warmup + c.Draws {
			if err := ch.Step(); err != nil {
				return r, err
			}
			if step < c.Warmup {
				continue
			}
			st := ch.Stats()
			r.gradients += st.Leapfrogs
			if st.Diverging {
				r.divergences++
			}
			ch.Constrain(out)
			for i, v := range out {
				series[i][k] = append(series[i][k], v)
			}
		}
	}
	for _, s := range series {
		if e := diagnose.Summarize(s); e.SD > 0 {
			r.ess, r.rhat = min(r.ess, e.ESSBulk, e.ESSTail), max(r.rhat, e.Rhat)
		}
	}
	return r, nil
}
