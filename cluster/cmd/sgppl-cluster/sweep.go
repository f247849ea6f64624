package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/cluster/shards"
	"github.com/sgppl/sgppl/internal/calibrate"
)

type sweepCmd struct {
	File string `arg:"" help:"The settings, a TOML file."`
	taskFlags
	JSON bool `name:"json" help:"Print one JSON object, with the report of each combination."`
}

func (c *sweepCmd) Help() string {
	return `Calibrates a model under every combination of some settings of sgppl test, all in one pass of tasks. The file names the
model, what all combinations share, and the lists in [grid]:

  model = "schools.sg"
  set = ["J=8"]
  replications = 200

  [grid]
  sampler = ["nuts", "msgnht"]
  warmup = [100, 500]

  sgppl cluster sweep schools.toml --out s3://lake/schools-sweep`
}

// Run sweeps.
func (c *sweepCmd) Run(w *world) error {
	if err := c.taskFlags.check(); err != nil {
		return err
	}
	g, err := readGrid(c.File)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(g.model)
	if err != nil {
		return err
	}
	shared := g.list[0].flags
	m, err := shards.Whole(w.ctx, shared.Data)
	if err != nil {
		return err
	}
	p := c.plan(shared.Data)
	e, err := p.open(w, &pass.Run{Name: filepath.Base(g.model), Model: string(text), Set: shared.Set,
		Manifest: m})
	if err != nil {
		return err
	}
	defer e.Close()
	var s pass.Sweep
	tasks := 0
	for _, k := range g.list {
		study := pass.Study{Flags: k.flags, Each: c.Each}
		s.Studies, tasks = append(s.Studies, study), tasks+study.Tasks()
	}
	by, asks, err := p.frontOf(w, e, tasks)
	if err != nil {
		return err
	}
	reports, err := pass.SweepOf(w.ctx, e, by, s)
	if asks != nil && asks.asked {
		return nil
	}
	if err != nil {
		return err
	}
	return c.report(w, e, g, reports)
}

// A combination is one of a sweep, as sweep.json and --json have it.
type combination struct {
	Settings map[string]string `json:"settings"`
	Report   *calibrate.Report `json:"report"`
}

// report puts and prints what was found.
func (c *sweepCmd) report(
	w *world, e *pass.Env, g *grid, reports []*calibrate.Report,
) error {
	var all []combination
	for i, r := range reports {
		all = append(all, combination{g.list[i].settings, r})
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if err := e.Bucket.Put(w.ctx, "sweep.json", text); err != nil {
		return err
	}
	if c.JSON {
		_, err = w.stdout.Write(text)
		return err
	}
	return sweepTable(w.stdout, g.names, all)
}

// sweepTable has a line for each combination.
func sweepTable(w io.Writer, names []string, all []combination) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(t, "%s\tverdict\tleast p\tof\tess\tshort\tdivergences\titerations\n",
		strings.Join(names, "\t"))
	shown := 0
	for _, c := range all {
		for _, name := range names {
			fmt.Fprintf(t, "%s\t", c.Settings[name])
		}
		k := c.Report.Calibration
		if k == nil {
			fmt.Fprintf(t, "%s\t-\t-\t-\t-\t-\t-\n", c.Report.Verdict)
			continue
		}
		shown++
		worst, of := 1.0, "-"
		for _, q := range k.Quantities {
			if p := float64(q.P); p < worst {
				worst, of = p, q.Name
			}
		}
		fmt.Fprintf(t, "%s\t%.3g\t%s\t%.0f\t%d\t%d\t%d\n", c.Report.Verdict, worst, of,
			float64(k.ESS), k.Short, k.Divergences, k.Iterations)
	}
	if err := t.Flush(); err != nil || shown == 0 {
		return err
	}
	missed := 1 - float64(all[0].Report.Calibration.Coverage)
	_, err := fmt.Fprintf(w, "By chance %.2g %% of combinations that are right are called off: of "+
		"%d about %.2g.\n", 100*missed, shown, missed*float64(shown))
	return err
}
