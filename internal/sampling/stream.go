package sampling

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
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
		return session.Usagef("--block-rows and --window: at least 1")
	case c.Cache && !c.Stream:
		return session.Usagef("--cache is for rows that are read as they are needed, and stay: " +
			"--stream without --follow")
	case c.Stream && starts == "prior":
		return session.Usagef("--init prior draws rows too, which --stream does not have; --init " +
			"takes a radius or a file")
	case c.Stream && strings.HasPrefix(starts, "kmeans:"):
		return session.Usagef("--init kmeans takes all rows, which --stream does not have; " +
			"--init takes a radius or a file")
	}
	return nil
}

// checkStream refuses what does not go with rows that are read as they are needed.
func (c *Sample) checkStream(ctx *commandline.Context) error {
	if err := c.checkRows(c.Init); err != nil {
		return err
	}
	if c.Passes < 0 || c.Passes == 0 && given(ctx, "passes") {
		return session.Usagef("--passes %d: at least 1", c.Passes)
	}
	if c.Passes > 0 && given(ctx, "draws") {
		return session.Usagef("--passes says how many draws there are; leave --draws away")
	}
	switch {
	case c.Cache && c.Follow:
		return session.Usagef("--cache is for rows that are read as they are needed, and stay: " +
			"--stream without --follow")
	case c.Follow && !c.Stream:
		return session.Usagef("--follow is for rows that are read as they are needed: --stream")
	case c.Follow && c.Passes > 0:
		return session.Usagef(
			"--passes: with --follow passes grow; --draws says how long the run is")
	case !c.Stream:
	case c.LogLik:
		return session.Usagef("--log-lik takes all rows for every draw, which --stream does not " +
			"have; --held-out scores rows of another file")
	}
	return nil
}

// given reports whether a flag stands on the command line or in a file of flags.
func given(ctx *commandline.Context, name string) bool {
	for _, p := range ctx.Path {
		if p.Flag != nil && p.Flag.Name == name {
			return true
		}
	}
	return false
}

// passes settles how many draws the passes give that are asked for.
func (c *Sample) passes(cfg *sampler.Config, rows int) error {
	if c.Passes == 0 {
		return nil
	}
	if cfg.Batch == 0 {
		return session.Usagef("--passes is for minibatches: without --batch every step is a pass")
	}
	batches := c.Passes * int64((rows+cfg.Batch-1)/cfg.Batch)
	steps := batches * int64(cfg.InnerSteps)
	if cfg.Draws = (steps - cfg.Warmup) / max(cfg.Thin, 1); cfg.Draws < 1 {
		return session.Usagef("--passes %d is %d steps, and leaves no draw behind %d of warm-up",
			c.Passes, steps, cfg.Warmup)
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
		return fmt.Sprintf("minibatches of %d %s, which a pass cuts into %d of one size",
			cut.Largest(), of, cut.Batches)
	}
	return fmt.Sprintf("minibatches of %d or %d %s, which a pass cuts into %d of nearly one size",
		cut.Largest()-1, cut.Largest(), of, cut.Batches)
}
