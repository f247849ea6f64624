package sampling

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// plans reports whether the run is to find how it is sampled, and changes the settings to those of
// such a run; why says what stands against it.
func (c *Sample) plans(
	e *session.Session, ctx *commandline.Context, b *session.Binding, cfg *sampler.Config,
	keep session.Kept,
) (is bool, why string, err error) {
	byHand := cfg.Sampler != "auto" && c.Anchor != "" && c.Anchor != "none"
	pairs := settings.InPairs(cfg.Sampler)
	other, rows := c.otherWay(e, ctx, cfg, keep), b.Target.Rows()
	if !pairs {
		other = c.notWhitened(ctx)
	}
	switch row, _ := table.Lookup(cfg.Sampler); {
	case c.Anchor == "none":
		why = "--anchor none"
	case len(cfg.Blocks) > 0:
		why = "params have settings of their own"
	case cfg.Sampler != "auto" && !byHand:
		why = "--sampler " + cfg.Sampler
	case byHand && !settings.AnchoredByHand(cfg.Sampler):
		return false, "", session.Usagef("--anchor %s is for samplers on stochastic gradients "+
			"with a velocity (sghmc, sgnht, msgnht, geodesic_sghmc, geodesic_sgnht), or auto, not %s",
			c.Anchor, cfg.Sampler)
	case byHand && row.Name == "sghmc" && chart.Curved(b.Target):
		return false, "", session.Usagef("--sampler sghmc: a block is on a curved space; " +
			"--sampler geodesic_sghmc has anchors there")
	case rows == 0:
		why = "the model has no axis that can be minibatched"
	case rows < plannedRows && !byHand:
		why = fmt.Sprintf("there are fewer than %d rows of %s", plannedRows, b.Target.RowAxis())
	case len(target.LocalsOf(b.Target)) > 0:
		why = "chains draw latent values of rows, so the gradient of all rows at an anchor is a " +
			"mean over draws and not known"
	case other != "":
		why = other + " is of other ways of sampling"
	}
	if why != "" {
		if byHand {
			return false, "", session.Usagef("--anchor %s: %s", c.Anchor, why)
		}
		if c.BatchOrder == "size" {
			return false, "",
				session.Usagef("--batch-order size is of minibatches with an anchor: %s", why)
		}
		return false, why, nil
	}
	if !pairs {
		return true, "", c.whitened(b, cfg)
	}
	switch {
	case cfg.Step != 0 && !(cfg.Step > 0 && cfg.Step < 2):
		return false, "", session.Usagef("--step %v: with an anchor the step is in units in "+
			"which the posterior has variances of about 1: above 0 and below 2", cfg.Step)
	case !(cfg.Friction > 0 && !math.IsInf(cfg.Friction, 0)):
		return false, "", session.Usagef("--friction %v: above 0 is expected", cfg.Friction)
	case cfg.Batch > rows:
		return false, "", session.Usagef("--batch: %d rows are asked for, axis %s has %d",
			cfg.Batch, b.Target.RowAxis(), rows)
	}
	if cfg.Anchor = c.Anchor; cfg.Anchor == "" {
		cfg.Anchor = "auto"
	}
	cfg.MaxBias, cfg.TargetESS = defaultBias, defaultESS
	if c.MaxBias != nil {
		cfg.MaxBias = *c.MaxBias
	}
	if c.TargetESS != nil {
		cfg.TargetESS = *c.TargetESS
	}
	if given(ctx, "draws") {
		cfg.TargetESS = 0
	}
	if c.Time != nil {
		cfg.TimeLimit = c.Time.Seconds()
	}
	if row, ok := table.Lookup(cfg.Sampler); ok {
		cfg.Sampler = row.Name // not an alias
	}
	cfg.BatchOrder = "size"
	if c.BatchOrder != "" {
		cfg.BatchOrder = c.BatchOrder
	}
	return true, "", nil
}

// notWhitened is the first flag that is given and that a thermostat with an anchor has no
// use for; "" without one.
func (c *Sample) notWhitened(ctx *commandline.Context) string {
	for _, name := range []string{"metric", "full-batch", "stream", "follow", "lp", "target-ess",
		"max-bias", "time", "passes"} {
		if given(ctx, name) {
			return "--" + name
		}
	}
	return ""
}

// whitened changes the settings to those of a thermostat with an anchor.
func (c *Sample) whitened(b *session.Binding, cfg *sampler.Config) error {
	cfg.BatchOrder = c.BatchOrder
	if cfg.BatchOrder == "" {
		cfg.BatchOrder = "size"
	}
	held, rows := *cfg, cfg.Batch
	if held.BatchOrder == "size" {
		held.BatchOrder = string(batch.Replace)
	}
	held, err := held.Resolve(tall.LikeWhitened(b.Target))
	if err != nil {
		return session.Refused(err)
	}
	// without --batch the plan finds it
	held.BatchOrder, held.Batch, held.Anchor = cfg.BatchOrder, rows, c.Anchor
	*cfg = held
	return nil
}

// unplanned says which flags of a plan do nothing in a run without one.
func (c *Sample) unplanned(e *session.Session, why string) {
	var flags []string
	for _, f := range []struct {
		name string
		is   bool
	}{{"--target-ess", c.TargetESS != nil}, {"--max-bias", c.MaxBias != nil},
		{"--time", c.Time != nil}} {
		if f.is {
			flags = append(flags, f.name)
		}
	}
	if len(flags) > 0 {
		e.Note("%s without effect: %s", strings.Join(flags, ", "), why)
	}
}

// dry finds the plan of a run, in a directory that does not stay, and prints it.
func (c *Sample) dry(
	e *session.Session, eng *session.Engine, b *session.Binding, r *run.Record, text string,
) error {
	temp, err := os.MkdirTemp("", "sgppl-dry-")
	if err != nil {
		return session.Failf(session.ExitFiles, "%v", err)
	}
	defer os.RemoveAll(temp)
	dir := filepath.Join(temp, r.Model)
	if b.Rows != nil { // what is stored of the rows stays where it is
		if r.Index, err = b.Rows.Plan.Marshal(); err != nil {
			return session.Failf(session.ExitFiles, "%v", err)
		}
	}
	if err := run.Prepare(dir, r, text, false, e.Now()); err != nil {
		return session.OwnStatus(err)
	}
	if err := c.work(e, eng, c.asking(e, r), nil,
		run.Work{Dir: dir, ID: r.ID, Version: sgppl.Version, Threads: c.Threads,
			Dry: true}); err != nil {
		return b.Ended(dir, r, err)
	}
	if r, err = run.Read(dir); err != nil {
		return session.OwnStatus(err)
	}
	lines := r.Words(b.Target.RowAxis())
	if f := r.Forecast(); f != "" {
		lines = append(lines, f)
	}
	return e.Print("%s\n", strings.Join(lines, "\n"))
}
