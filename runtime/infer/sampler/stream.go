package sampler

import (
	"errors"

	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A RowsError says that a chain could not read its next rows. The chain is intact, and can continue
// from its checkpoint once the rows can be read.
type RowsError struct{ Err error }

func (e *RowsError) Error() string { return e.Err.Error() }

func (e *RowsError) Unwrap() error { return e.Err }

// A growth records how many rows a chain knows: with --follow, those of the current pass. Otherwise
// it does not change.
type growth struct {
	pass  int64 // number of the current pass
	batch int64 // number of its first batch
	rows  int64
}

func (c *Chain) newPages() *batch.Pages {
	l := batch.Layout{Rows: int(c.growth.rows), Block: c.cfg.BlockRows, Window: c.cfg.WindowBlocks}
	p := batch.NewPages(l, min(c.cfg.Batch, l.Rows), c.cfg.BatchOrder == string(batch.Blocks),
		c.stream(rng.Batch))
	p.First = c.growth.pass
	return p
}

// A rowDrawer is a target whose gradients have an anchor. It draws the rows of independent
// minibatches, and its gradients account for the probabilities of the draws.
type rowDrawer interface {
	DrawRows(src *rng.Source, rows []int)
}

// batcher returns the minibatches of a chain.
func (c *Chain) batcher() *batch.Batcher {
	if c.cfg.Paged(c.target) {
		p := c.newPages()
		_, _, p.Placed = target.StreamOf(c.target)
		return batch.Paged(p)
	}
	if d, ok := c.target.(rowDrawer); ok && c.cfg.BatchOrder == string(batch.Replace) {
		return batch.Drawn(c.target.Rows(), c.cfg.Batch, d.DrawRows, c.stream(rng.Batch))
	}
	return batch.New(c.target.Rows(), c.cfg.Batch, batch.Order(c.cfg.BatchOrder),
		c.stream(rng.Batch))
}

// follow tells the evaluator which pages the chain will need.
func (c *Chain) follow() {
	if _, _, streams := target.StreamOf(c.target); !streams || c.batches == nil {
		return
	}
	c.reader = c.eval.(target.StreamEvaluator)
	c.pages, c.onPage = c.newPages(), [2]int64{}
	last := max(c.cfg.Steps()-1, 0)/int64(c.cfg.InnerSteps) - c.growth.batch
	if c.cfg.Follow {
		last = min(last, c.batches.PerPass()-1)
		c.state.Rows = float64(c.growth.rows)
	}
	c.reader.Follow(c.newPages(), int(c.growth.rows), c.pages.Of(last))
}

// turn waits until the rows of batch k are in memory.
func (c *Chain) turn(k int64) error {
	if c.reader == nil || c.paged(k) > 0 {
		return nil
	}
	if c.cfg.Follow && k-c.growth.batch >= c.batches.PerPass() {
		rows, err := c.reader.Grow()
		if err != nil {
			return &RowsError{err}
		}
		c.growth = growth{c.growth.pass + 1, k, int64(rows)}
		c.batches = c.batcher()
		c.follow()
	}
	if err := c.turnTo(k); err != nil {
		return &RowsError{err}
	}
	return nil
}

// turnTo waits until the page of batch k is in memory.
func (c *Chain) turnTo(k int64) error {
	page := c.pages.Of(k - c.growth.batch)
	if err := c.reader.Turn(page); err != nil {
		return err
	}
	c.onPage = [2]int64{k, c.growth.batch + c.pages.Behind(page)}
	return nil
}

// paged returns how many batches from batch k on are known to be in memory.
func (c *Chain) paged(k int64) int64 {
	if k < c.onPage[0] {
		return 0
	}
	return max(0, c.onPage[1]-k)
}

// lastRows returns the rows of the last step's minibatch, in memory. A chain that was resumed and
// took no step has to read them.
func (c *Chain) lastRows() ([]int, error) {
	k := (c.step - 1) / int64(c.cfg.InnerSteps)
	if k != c.onBatch {
		if err := c.turnTo(k); err != nil {
			return nil, err
		}
		c.rows, c.scale = c.batches.At(k - c.growth.batch)
		c.onBatch = k
	}
	return c.rows, nil
}

// unread reports whether an error is a RowsError, after which the chain is intact.
func unread(err error) bool {
	var e *RowsError
	return errors.As(err, &e)
}
