package settings

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

const (
	defaultBlockRows    = 1000
	defaultWindowBlocks = 16
)

// OrderRows resolves BatchOrder, BlockRows and WindowBlocks, for use by other loops over
// minibatches.
func (c *Config) OrderRows(t target.Target) error { return c.checkBlocks(t) }

// checkBlocks resolves the order of rows that are read when they are needed, and refuses settings
// that need all rows in memory.
func (c *Config) checkBlocks(t target.Target) error {
	block, window, streams := target.StreamOf(t)
	if !streams {
		if c.Follow {
			return &ConfigError{Setting: "follow", Problem: "the rows are all in memory",
				Try: setting.Text("{stream}")}
		}
		if c.BatchOrder == string(batch.Blocks) && c.BlockRows == 0 {
			c.BlockRows = defaultBlockRows
		}
		if c.BatchOrder == string(batch.Blocks) && c.WindowBlocks == 0 {
			c.WindowBlocks = defaultWindowBlocks
		}
		if c.BlockRows < 0 || c.WindowBlocks < 0 {
			return &ConfigError{Setting: "block-rows",
				Problem: fmt.Sprintf("%d rows a block and %d blocks a window are asked for",
					c.BlockRows, c.WindowBlocks)}
		}
		if c.BatchOrder != string(batch.Blocks) && (c.BlockRows > 0 || c.WindowBlocks > 0) {
			return &ConfigError{Setting: "block-rows",
				Problem: setting.Text("blocks are for {batch-order} blocks, and for {stream}")}
		}
		return nil
	}
	row, _ := table.Lookup(c.Sampler)
	if row.Metropolis && target.FullPasses(t) {
		return nil
	}
	read := setting.Text("the rows are read as they are needed ({stream})")
	switch {
	case row.Metropolis:
		return &ConfigError{Setting: "sampler",
			Problem: fmt.Sprintf("%s goes over all rows at every step, and %s; the likelihood of "+
				"this model is no function of sums that are computed once", row.Name, read),
			Try: setting.Text("a sampler on stochastic gradients, with {batch}")}
	case c.FullBatch:
		return &ConfigError{Setting: "full-batch", Problem: read, Try: setting.Text("{batch}")}
	case c.Pilots():
		return &ConfigError{Setting: "metric",
			Problem: "its pilot takes rows from all over the data, and " + read,
			Try:     setting.Text("a {step} of your own")}
	case c.LogDensity:
		return &ConfigError{Setting: "lp", Problem: "it takes all rows for every draw, and " + read,
			Try: "lp_est, which every draw has"}
	case c.BatchOrder == string(batch.Replace):
		return &ConfigError{Setting: "batch-order",
			Problem: "rows drawn one by one come from all over the data, and " + read,
			Try:     "blocks, or sequential"}
	case c.BatchOrder == string(batch.Shuffle):
		c.BatchOrder = string(batch.Blocks)
	}
	c.BlockRows, c.WindowBlocks = block, window
	return nil
}

// Paged reports whether minibatches are taken from pages of rows.
func (c *Config) Paged(t target.Target) bool {
	_, _, streams := target.StreamOf(t)
	return streams && c.Batch > 0 || c.BatchOrder == string(batch.Blocks)
}

func (c *Config) checkBatch(t target.Target) error {
	n := t.Rows()
	if c.BatchOrder == "" {
		c.BatchOrder = string(batch.Shuffle)
	}
	if o := batch.Order(c.BatchOrder); o != batch.Blocks && !slices.Contains(batch.Orders, o) {
		return &ConfigError{Setting: "batch-order",
			Problem: fmt.Sprintf("there is no order %q", c.BatchOrder),
			Try:     "shuffle, sequential, replace or blocks"}
	}
	if err := c.checkBlocks(t); err != nil {
		return err
	}
	switch {
	case c.Batch > 0 && c.FullBatch:
		return &ConfigError{Setting: "batch",
			Problem: setting.Text("a minibatch and {full-batch} exclude each other"),
			Try:     "one of them"}
	case n == 0 && c.Batch > 0:
		return &ConfigError{Setting: "batch",
			Problem: "this model has no axis that can be minibatched",
			Try:     "running without it: every step uses all data"}
	case n == 0:
		c.FullBatch = true
	case c.Batch == 0 && !c.FullBatch:
		c.Batch = DefaultBatch(t)
	case c.Batch > n:
		return &ConfigError{Setting: "batch",
			Problem: fmt.Sprintf("%d rows are asked for, axis %s has %d", c.Batch, t.RowAxis(), n),
			Try:     setting.Text("{full-batch}")}
	}
	return nil
}

// DefaultBatch returns the number of rows of a minibatch if none is given. It is 100, whose
// gradient costs more than the rest of a step in most models; with many rows it is larger, so that
// a pass has at most 1,000 minibatches. If chains draw latent values of each row, a row costs far
// more: then it is a hundredth of the rows, from 5 to 50.
func DefaultBatch(t target.Target) int {
	n, least := t.Rows(), 100
	if len(target.LocalsOf(t)) > 0 {
		least = max(5, min(50, (n+99)/100))
	}
	return min(n, max(least, (n+999)/1000))
}
