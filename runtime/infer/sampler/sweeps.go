package sampler

import (
	"errors"
	"fmt"

	"github.com/sgppl/sgppl/runtime/infer/sampler/gibbs"
)

// sweep takes one step of a sampler by full conditionals. Where health observes the step, the
// gradient at the new state is computed: in the right law E[(x − x̄)·∇Ũ] is the number of
// coordinates, whatever way the draws were made.
func (c *Chain) sweep() error {
	c.observe = c.health.wants(c.step)
	if err := c.gibbs.Sweep(c.step, c.state.X); err != nil {
		var improper *gibbs.ImproperError
		if errors.As(err, &improper) {
			err = fmt.Errorf("chain %d: %w", c.number, err)
		}
		c.finished = err
		return err
	}
	handed := c.hands(c.step + 1)
	if c.gibbs.Lazy() {
		c.observe = false // gradients would cost more than sweeps
		if handed {
			if err := c.gibbs.Draw(c.step, c.state.X); err != nil {
				c.finished = fmt.Errorf("chain %d: %w", c.number, err)
				return c.finished
			}
		}
	}
	c.step++
	if c.observe {
		c.eval.Gradient(c.state.X, nil, 1, 1, c.state.Force)
		c.health.gradient(c)
	}
	if !c.state.Finite() {
		c.finished = c.diverged(0)
	}
	return c.finished
}
