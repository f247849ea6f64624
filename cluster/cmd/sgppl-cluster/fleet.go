package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sgppl/sgppl/cluster/pass"
)

type fleetCmd struct {
	Model string `arg:"" help:"The model file."`
	By    string `required:"" placeholder:"COLUMN" help:"The column whose values have a posterior each."`
	plan
	Set     []string `sep:"none" placeholder:"NAME=VALUE" help:"A const, a dim or a scalar input. May be repeated."`
	NA      string   `name:"na" placeholder:"drop[=NAME,...]" help:"Leave out rows with missing entries, as for sample."`
	Parts   int      `placeholder:"N" help:"Tasks that posteriors are dealt to; by default one for 8M of rows."`
	Seed    uint64   `default:"1" placeholder:"S" help:"The seed of a posterior is a function of this and of the value of the column (default ${default})."`
	Chains  int      `default:"4" help:"Chains of each posterior (default ${default})."`
	Warmup  int64    `placeholder:"N" help:"Steps of the warm-up (default: the sampler's)."`
	Draws   int64    `default:"1000" help:"Draws of each chain (default ${default})."`
	Sampler string   `placeholder:"NAME" help:"As for sample; by default it is chosen by the number of rows."`
}

func (c *fleetCmd) Help() string {
	return `Samples a posterior for each value of a column. Rows need not be sorted: one pass sorts them, a second samples. Each
posterior has the draws that sgppl sample has on its rows with the seed that is printed with it. fleet/posteriors.jsonl
has a line of JSON for each; fleet/problems.jsonl those whose diagnostics are not ok, or that failed.

  sgppl cluster fleet churn.sg --data 's3://lake/customers/*.parquet' --by customer --out s3://lake/fleet`
}

// Run samples the posteriors.
func (c *fleetCmd) Run(w *world) error {
	text, err := os.ReadFile(c.Model)
	if err != nil {
		return err
	}
	m, err := c.cut(w)
	if err != nil {
		return err
	}
	if c.Dry {
		return c.dry(w, m, "fleet")
	}
	if c.Chains < 1 || c.Draws < 1 || c.Warmup < 0 || c.Parts < 0 {
		return usage("--chains and --draws are 1 or more, --warmup and --parts are not negative")
	}
	e, err := c.open(w, &pass.Run{Name: filepath.Base(c.Model), Model: string(text), Set: c.Set,
		NA: c.NA, Manifest: m})
	if err != nil {
		return err
	}
	defer e.Close()
	parts := c.Parts
	if parts == 0 {
		parts = int(max(1, (m.Bytes()+8<<20-1)/(8<<20)))
	}
	f := pass.Fleet{Key: c.By, Parts: parts, Seed: c.Seed, Chains: c.Chains, Warmup: c.Warmup,
		Draws: c.Draws, Sampler: c.Sampler}
	by, err := c.front(w)
	if err != nil {
		return err
	}
	return collectFleet(w, e, by, f)
}

// collectFleet runs the passes, and writes what came out.
func collectFleet(w *world, e *pass.Env, by pass.Front, f pass.Fleet) error {
	var all, wrong bytes.Buffer
	n, bad := 0, 0
	to := bufio.NewWriter(&all)
	err := pass.FleetOf(w.ctx, e, by, f, func(p pass.Posterior) error {
		line, err := json.Marshal(p)
		if err != nil {
			return err
		}
		n++
		if p.Verdict != "ok" {
			bad++
			wrong.Write(append(line, '\n'))
		}
		_, err = to.Write(append(line, '\n'))
		return err
	})
	if err != nil {
		return err
	}
	to.Flush()
	if err := e.Bucket.Put(w.ctx, "fleet/posteriors.jsonl", all.Bytes()); err != nil {
		return err
	}
	if err := e.Bucket.Put(w.ctx, "fleet/problems.jsonl", wrong.Bytes()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w.stdout, "exactness   each of %d posteriors has the draws of sgppl sample "+
		"on its "+
		"rows; %d pass their diagnostics, %d are in %s/fleet/problems.jsonl\n", n, n-bad, bad,
		e.Bucket.URL)
	return err
}
