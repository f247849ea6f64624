package sampler

// quiet returns how many steps come in which nothing happens but the step itself: hurry takes them.
// It is 0 where that is not known.
func (c *Chain) quiet() int64 {
	p := &c.parts[0]
	if c.finished != nil || !c.draws || c.mixed() || c.row.Exact() || c.row.Preconditioner ||
		c.gibbs != nil || c.hmc != nil || c.locals != nil || c.resident != nil ||
		c.replicas != nil || c.permutation != nil || c.fisher.average != nil ||
		c.pilot != nil || c.rowPilot != nil || c.tuner != nil && c.step < c.tuner.until ||
		c.cfg.InnerSteps != 1 || c.cycles() || p.schedule.Explores(c.step) ||
		c.state.Extra != nil {
		return 0
	}
	n := min(c.health.quiet(c.step), c.health.directions.quiet(c.step))
	if c.reader != nil { // move turns pages
		n = min(n, c.paged(c.step))
	}
	return n
}

// hurry takes n quiet steps, with the bits of move, and returns how many rows they read. It leaves
// the end of the last one to be joined with the next step.
func (c *Chain) hurry(n int64) (rows int64, err error) {
	c.observe, c.looking = false, false
	for range n {
		if c.batches != nil && c.step != c.onBatch {
			c.nextBatch(c.step)
		}
		rows += int64(c.batchSize())
		c.state.Drawing.Moment = uint64(c.step)
		if !c.program.Step(c.parts[0].schedule.At(c.step), true) {
			c.finished = c.diverged(c.lastStepSize())
			return rows, c.finished
		}
		c.step++
		if !c.program.Left() && !c.program.Finite() {
			c.finished = c.diverged(c.lastStepSize())
			return rows, c.finished
		}
	}
	return rows, nil
}

// nextBatch fetches the rows of batch k.
func (c *Chain) nextBatch(k int64) {
	c.rows, c.scale = c.batch(k - c.growth.batch)
	c.onBatch = k
	if c.fetcher != nil {
		c.fetcher.Coming(c.batches.Coming())
	}
}

// batch returns the rows of a batch with the scale of their sum, and tells the evaluator where they
// lie.
func (c *Chain) batch(k int64) (rows []int, scale float64) {
	rows, scale = c.batches.At(k)
	if c.fetcher != nil {
		if places, soon := c.batches.Places(); places != nil {
			c.fetcher.Lie(rows, places, soon)
		}
	}
	return rows, scale
}

// quiet returns how many steps from step t on wants declines.
func (h *observer) quiet(t int64) int64 {
	if t < h.from {
		return h.from - t
	}
	wait := h.phase - (t-h.from)%h.stride
	if wait < 0 {
		wait += h.stride
	}
	return wait
}

// quiet returns how many steps from step t on wants declines; it may be fewer.
func (q *directions) quiet(t int64) int64 {
	switch {
	case q.n == 0:
		return 1 << 40
	case t < q.from && q.leading != nil:
		return 0
	case t < q.from:
		return q.from - t
	}
	every := q.spacing(t) // which becomes a multiple of what it is, if anything
	return every - 1 - (t-q.from)%every
}
