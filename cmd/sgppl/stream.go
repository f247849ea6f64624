package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/engine/data"
	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/host"
	"github.com/sgppl/sgppl/runtime/engine/stream"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// byRows are the flags of rows that are read as they are needed, and of their order.
type byRows struct {
	Stream    bool `help:"Read the rows from their files as they are needed, for data larger than memory." group:"Minibatches"`
	BlockRows int  `placeholder:"R" help:"Rows of a block, for --batch-order blocks (default 1000) and --stream (default: about 256 KiB of its file)." group:"Minibatches"`
	Window    int  `placeholder:"W" help:"Blocks whose rows are mixed (default 16)." group:"Minibatches"`
	Cache     bool `help:"With --stream: store the numbers of csv and tsv tables beside the run, so that later passes need not read their text." group:"Minibatches"`
}

// streaming are those of sample.
type streaming struct {
	byRows
	Passes int64 `placeholder:"P" help:"As many draws as P passes over the rows give, in place of --draws." group:"Minibatches"`
	Follow bool  `help:"With --stream: each pass takes the rows that there are when it begins, so rows may be appended to the files during the run." group:"Minibatches"`
}

// checkRows refuses what does not go with rows that are read as they are needed;
// starts is --init.
func (c *byRows) checkRows(starts string) error {
	switch {
	case c.BlockRows < 0 || c.Window < 0:
		return usage("--block-rows and --window: at least 1")
	case c.Cache && !c.Stream:
		return usage("--cache is for rows that are read as they are needed, and stay: --stream without --follow")
	case c.Stream && starts == "prior":
		return usage("--init prior draws rows too, which --stream does not have; --init takes a radius or a file")
	case c.Stream && strings.HasPrefix(starts, "kmeans:"):
		return usage("--init kmeans takes all rows, which --stream does not have; --init takes a radius or a file")
	}
	return nil
}

// rowsOptions say how a binding reads rows as they are needed.
type rowsOptions struct {
	block, window int
	follow, cache bool         // rows may be appended; are stored as numbers
	dir           string       // of the run, beside which compressed rows are stored
	plan          *stream.Plan // of a run that is resumed; made otherwise
	source        *stream.Source
	settled       bool // the run has taken what is stored
}

// checkStream refuses what does not go with rows that are read as they are needed.
func (c *sampleCmd) checkStream(ctx *kong.Context) error {
	if err := c.checkRows(c.Init); err != nil {
		return err
	}
	if c.Passes < 0 || c.Passes == 0 && given(ctx, "passes") {
		return usage("--passes %d: at least 1", c.Passes)
	}
	if c.Passes > 0 && given(ctx, "draws") {
		return usage("--passes says how many draws there are; leave --draws away")
	}
	switch {
	case c.Cache && c.Follow:
		return usage("--cache is for rows that are read as they are needed, and stay: --stream without --follow")
	case c.Follow && !c.Stream:
		return usage("--follow is for rows that are read as they are needed: --stream")
	case c.Follow && c.Passes > 0:
		return usage("--passes: with --follow passes grow; --draws says how long the run is")
	case !c.Stream:
	case c.LogLik:
		return usage("--log-lik takes all rows for every draw, which --stream does not have; --held-out scores rows of another file")
	}
	return nil
}

// given says whether a flag stands on the command line or in a file of flags.
func given(ctx *kong.Context, name string) bool {
	for _, p := range ctx.Path {
		if p.Flag != nil && p.Flag.Name == name {
			return true
		}
	}
	return false
}

// passes settles how many draws the passes give that are asked for.
func (c *sampleCmd) passes(cfg *sampler.Config, rows int) error {
	if c.Passes == 0 {
		return nil
	}
	if cfg.Batch == 0 {
		return usage("--passes is for minibatches: without --batch every step is a pass")
	}
	batches := c.Passes * int64((rows+cfg.Batch-1)/cfg.Batch)
	steps := batches * int64(cfg.InnerSteps)
	if cfg.Draws = (steps - cfg.Warmup) / max(cfg.Thin, 1); cfg.Draws < 1 {
		return usage("--passes %d is %d steps, and leaves no draw behind %d of warm-up", c.Passes, steps, cfg.Warmup)
	}
	return nil
}

// minibatches says how many rows a step takes: of a pass, which is cut into
// batches of nearly equal size, seldom as many as were asked for.
func minibatches(size int, order string, rows int, axis string) string {
	of := fmt.Sprintf("of the %d rows of %s", rows, axis)
	cut := batch.NewCut(rows, size)
	switch {
	case order == string(batch.Replace) || cut.Largest() == size && rows%cut.Batches == 0:
		return fmt.Sprintf("minibatches of %d %s", size, of)
	case rows%cut.Batches == 0:
		return fmt.Sprintf("minibatches of %d %s, which a pass cuts into %d of one size", cut.Largest(), of, cut.Batches)
	}
	return fmt.Sprintf("minibatches of %d or %d %s, which a pass cuts into %d of nearly one size", cut.Largest()-1, cut.Largest(), of, cut.Batches)
}

// readRows reads the data of a binding but for the rows, and opens these.
func (b *binding) readRows(e *env, set []string) error {
	if err := b.compiled.ByRows(); err != nil {
		return usage("--stream: %v", err)
	}
	if err := b.compiled.Grows(); err != nil && (b.rows.follow || b.rows.plan != nil && b.rows.plan.Follow) {
		return usage("--follow: %v", err)
	}
	schema, dim := &b.compiled.Spec.Schema, b.compiled.Spec.RowDim
	probe := formats.Probe
	if b.rows.plan != nil {
		probe = b.rows.plan.Probe
	}
	files, errs := data.NewRowBinder(schema, b.data, dim, probe)
	if errs != nil {
		for _, err := range errs {
			if strings.Contains(err.Message, "is a pipe") {
				err.Notes = append(err.Notes, "--stream reads rows more than once, from places all over the file: write them to a file first; .gz and .bz2 will do")
			}
		}
		return e.dataErrors(errs)
	}
	if len(files.Files) == 0 {
		return usage("--stream: no --data has an input along %s", dim)
	}
	stored := b.compiled.Spec.Stored()
	if len(stored) > 0 && b.rows.follow {
		return usage("--follow: the rows of %s are gone through entry by entry, and one that is appended may have more entries than all before", stored[0])
	}
	if b.rows.plan == nil {
		p, notes, errs := stream.Make(schema, files, dim, stream.Options{
			Given: data.GivenSizes(schema, set, b.names, b.labels), Block: b.rows.block, Window: b.rows.window, Spool: b.rows.scratch(), Follow: b.rows.follow, Cache: b.rows.cache, Stored: stored, Disk: e.disk,
			Fits: func(bytes float64, what string) error { return run.Fits(b.rows.dir, bytes, what) }})
		for _, n := range notes {
			e.note("%s", n)
		}
		if errs != nil {
			return e.dataErrors(errs)
		}
		for i, s := range p.Specs {
			p.Specs[i] = absolute(s)
		}
		b.rows.plan = p
	} else if err := b.restoreRows(e, files); err != nil {
		return err
	}
	p := b.rows.plan
	var names []string
	for _, f := range files.Files {
		names = append(names, f.Path)
	}
	bound, notes, errs := data.Bind(schema, files.Rest, set, data.Options{Fixed: b.fixed, Absent: append(files.Inputs, b.absent...), Names: b.names, Labels: b.labels,
		Rows: p.Dims, RowsFrom: "the rows of " + strings.Join(names, " and ")})
	for _, n := range notes {
		e.note("%s", n)
	}
	if errs != nil {
		return e.dataErrors(errs)
	}
	bound.Files = append(p.Prints(), bound.Files...)
	if b.rows.source, errs = stream.Open(p, schema, bound.Values); errs != nil {
		return e.dataErrors(errs)
	}
	b.bound = bound
	return nil
}

// bindRows makes the target of data whose rows are read as they are needed.
func (b *binding) bindRows(e *env) error {
	host.Lean()
	var err error
	b.target, err = b.compiled.Stream(b.bound, b.constants, b.rows.source)
	var errs stream.Errors
	switch {
	case errors.As(err, &errs):
		return e.dataErrors(errs)
	case err != nil:
		return fail(exitData, "%v", err)
	}
	return nil
}

// index is what a run directory keeps of where the rows are.
func (b *binding) index(r *run.Record, dir string) error {
	if b.rows == nil {
		return nil
	}
	r.Stream = true
	var err error
	if r.Index, err = b.rows.plan.In(spoolDir(dir)).Marshal(); err != nil {
		return fail(exitFiles, "%v", err)
	}
	return nil
}

// reopenRows reads the index of a run that reads its rows as they are needed.
func (b *binding) reopenRows(e *env, dir string, r *run.Record) error {
	if !r.Stream {
		return nil
	}
	text, err := disk.ReadInput(run.IndexPath(dir))
	if err != nil {
		return fail(exitFiles, "the index of the rows cannot be read: %v", err)
	}
	b.rows = &rowsOptions{dir: dir}
	if b.rows.plan, err = stream.Unmarshal(text); err != nil {
		return ownStatus(err)
	}
	b.rows.plan.On(e.disk)
	return nil
}
