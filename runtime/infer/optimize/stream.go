package optimize

import (
	"errors"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// checkBlocks settles the order of rows that are read as they are needed, and
// refuses what needs them all.
func (c *Config) checkBlocks(t, held target.Target) error {
	own := sampler.Config{
		Dynamics: settings.Dynamics{Sampler: "sgld"},
		Batching: settings.Batching{
			BatchOrder:   c.BatchOrder,
			FullBatch:    c.FullBatch,
			BlockRows:    c.BlockRows,
			WindowBlocks: c.WindowBlocks,
		},
	}
	if err := own.OrderRows(t); err != nil {
		return err
	}
	c.BatchOrder, c.BlockRows, c.WindowBlocks = own.BatchOrder, own.BlockRows, own.WindowBlocks
	if c.streams(t) && held == nil {
		return &sampler.ConfigError{Setting: "validate",
			Problem: setting.Text("the best point is chosen by the log density with all rows, " +
				"and the rows are read as they are needed ({stream})"),
			Try: setting.Text("{validate} SPEC, rows that are not fitted, which choose it then")}
	}
	return nil
}

func (c *Config) streams(t target.Target) bool {
	_, _, is := target.StreamOf(t)
	return is
}

func (c *Chain) newPages() *batch.Pages {
	l := batch.Layout{Rows: c.target.Rows(), Block: c.cfg.BlockRows, Window: c.cfg.WindowBlocks}
	return batch.NewPages(l, c.cfg.Batch, c.cfg.BatchOrder == string(batch.Blocks),
		rng.New(c.cfg.Seed, c.number, rng.Batch))
}

// batcher makes the minibatches of the chain.
func (c *Chain) batcher() *batch.Batcher {
	if c.cfg.BatchOrder == string(batch.Blocks) || c.cfg.streams(c.target) {
		return batch.Paged(c.newPages())
	}
	return batch.New(c.target.Rows(), c.cfg.Batch, batch.Order(c.cfg.BatchOrder),
		rng.New(c.cfg.Seed, c.number, rng.Batch))
}

// follow tells the evaluator the pages that the chain will need.
func (c *Chain) follow() {
	if !c.cfg.streams(c.target) {
		return
	}
	c.reader, c.pages = c.eval.(target.StreamEvaluator), c.newPages()
	c.reader.Follow(c.newPages(), c.target.Rows(), c.pages.Of(max(c.cfg.Steps-1, 0)))
}

// turn waits for the rows of a step.
func (c *Chain) turn(step int64) error {
	if c.reader == nil {
		return nil
	}
	if err := c.reader.Turn(c.pages.Of(step)); err != nil {
		return &sampler.RowsError{Err: err}
	}
	return nil
}

// unread reports whether an error is that of rows, after which the chain is whole.
func unread(err error) bool {
	var e *sampler.RowsError
	return errors.As(err, &e)
}
