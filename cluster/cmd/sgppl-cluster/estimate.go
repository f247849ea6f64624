package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/cluster/shards"
	"github.com/sgppl/sgppl/internal/cputime"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
)

// estimate says what a run would read and compute, by the first shard, which it reads.
func (c *sampleCmd) estimate(w *world, src *source.File) error {
	m, err := c.cut(w)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "sgppl-dry-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	env, err := c.dryRun(w.ctx, dir, src, m)
	if err != nil {
		return err
	}
	began := cputime.Now()
	choice, err := pass.Choose(w.ctx, env, c.Method)
	if no := (*pass.Refused)(nil); errors.As(err, &no) {
		return refused(no.Why)
	}
	if err != nil {
		return err
	}
	read := (cputime.Now() - began).Seconds()
	draws := c.Draws
	if draws == 0 {
		draws = 250
	}
	set := pass.Plan{Draws: int(draws) * c.Chains, Rounds: c.Correct,
		Takes: c.Rows == nil || *c.Rows > 0}
	list, err := pass.Forecast(w.ctx, env, choice, set, read)
	if err != nil {
		return err
	}
	return c.printForecast(w, m, choice, list)
}

// dryRun is a run that is thrown away.
func (c *sampleCmd) dryRun(
	ctx context.Context, dir string, src *source.File, m *shards.Manifest,
) (*pass.Env, error) {
	b, err := bucket.Open(ctx, filepath.Join(dir, "run"), true)
	if err != nil {
		return nil, err
	}
	if err := pass.Create(ctx, b, &pass.Run{Name: src.Name, Model: src.Text, Set: c.Set,
		Axis: c.Axis, NA: c.NA, Levels: c.Levels, Manifest: m}); err != nil {
		return nil, err
	}
	cache, err := cacheDir(c.Cache)
	if err != nil {
		return nil, err
	}
	return pass.Open(ctx, b, cache)
}

func (c *sampleCmd) printForecast(
	w *world, m *shards.Manifest, choice *pass.Choice, list []pass.Cost,
) error {
	fmt.Fprintf(w.stdout, "%s by %s: %d shards, %s in all\n\n%-12s %6s %10s %12s\n", c.Model,
		choice.Method, len(m.Shards), memory.Text(float64(m.Bytes())), "pass", "times", "reads",
		"CPU")
	cpu, bytes, times := 0.0, 0.0, 0
	for _, p := range list {
		fmt.Fprintf(w.stdout, "%-12s %6d %10s %12s\n", p.Kind, p.Times,
			memory.Text(float64(p.Times)*float64(m.Bytes())), cpuText(float64(p.Times)*p.CPU))
		cpu += float64(p.Times) * p.CPU
		bytes += float64(p.Times) * float64(m.Bytes())
		times += p.Times
	}
	fmt.Fprintf(w.stdout, "%-12s %6d %10s %12s\n", "all", times, memory.Text(bytes), cpuText(cpu))
	if c.Price > 0 {
		fmt.Fprintf(w.stdout, "\n%.4g at %.4g for an hour of a processor\n", cpu/3600*c.Price,
			c.Price)
	}
	if choice.Method == pass.Surrogate {
		fmt.Fprintf(w.stdout, "\nThe anchor moves until it rests, up to %d times gradient; a check "+
			"that asks for more rows adds a leverage and a check.\n", surrogate.MostAnchors)
	}
	_, err := fmt.Fprintf(w.stdout, "\nThe times are those of the first shard (%v) on this machine, "+
		"for as many bytes as all have.\nnothing was written; without --dry the run goes to %s\n",
		m.Shards[0], c.Out)
	return err
}

// cpuText writes seconds of a processor.
func cpuText(s float64) string {
	switch {
	case s >= 5400:
		return fmt.Sprintf("%.1f h", s/3600)
	case s >= 90:
		return fmt.Sprintf("%.1f min", s/60)
	}
	return fmt.Sprintf("%.2g s", s)
}
