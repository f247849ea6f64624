package sampler

import (
	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
)

// A Resident is a target that takes the steps of chains by itself, where it keeps their state: on a
// graphics processor. Its evaluators are for everything else: starts, draws, what health looks at.
type Resident interface {
	target.Target
	// Reside returns what moves a chain; an error says why it cannot.
	Reside(m Motion) (Mover, error)
}

// A Motion describes the steps of a chain.
type Motion struct {
	Chain int
	Flows []flow.Kind // of a step, with flow.Gradient among them
	Grain flow.Grain
	Dim   int // coordinates of the state
	Rows  int // of the largest minibatch
}

// A Beat is one step.
type Beat struct {
	flow.Numbers
	Step            int64 // its number
	Rows            []int
	Scale, Jacobian float64
	Seed            [4]uint64 // of the normals, see rng.Stream.Seed32
}

// A Mover moves the state of one chain.
type Mover interface {
	// Put gives it the state.
	Put(s *flow.Single) error
	// Move takes a step, now or before the next call of another method. It copies the beat.
	Move(b *Beat) error
	// Watch takes a step, and writes the position and the force at its gradient to s.
	Watch(b *Beat, s *flow.Single) error
	// Get writes the state to s, after all steps. bad is the number of the first step after Put whose
	// state was not finite; −1 for none. Then s has the force too.
	Get(s *flow.Single) (bad int64, err error)
}

// A resident is how a chain has its steps taken elsewhere.
type resident struct {
	mover Mover
	flows []flow.Kind
	beat  Beat
	there bool // the mover has the state
	ahead bool // the mover has taken steps that the chain's state lacks
}

// residentStride is the least number of steps between observations, of a chain on a device:
// an observation takes the state away from where the steps are taken, which takes as long as tens
// of them, and hundreds with very many coordinates.
func residentStride(c *settings.Config, dim int) int64 {
	switch {
	case c.Device == "":
		return 1
	case dim < manyCoordinates:
		return 100
	case dim < veryMany:
		return 500
	}
	return 2000
}

// CheckResident says why a device cannot take the steps of chains with these settings.
func CheckResident(t Resident, c settings.Config) error {
	c, err := c.Resolve(t)
	if err != nil {
		return err
	}
	_, err = newChain(t, c, 0)
	return err
}

// newResident hands the steps of a chain to its target, if that is a Resident.
func newResident(c *Chain) (*resident, error) {
	t, is := c.target.(Resident)
	if !is {
		return nil, nil
	}
	if problem := c.notResident(); problem != "" {
		return nil, settings.NotOnDevice(problem)
	}
	flows := c.program.Flows()
	m, err := t.Reside(Motion{Chain: c.number, Flows: flows, Grain: c.state.Spans[0].Grain,
		Dim: len(c.state.X), Rows: c.cfg.Batch})
	if err != nil {
		return nil, err
	}
	return &resident{mover: m, flows: flows}, nil
}

// notResident is the first setting for which a device takes no steps; "" for none.
func (c *Chain) notResident() string {
	switch {
	case c.row.Exact():
		return c.row.Name + " takes no steps of stochastic gradients; sgld, sghmc and msgnht do"
	case c.row.Preconditioner:
		return c.row.Name + " finds its preconditioner in the warm-up, which is not done there"
	case !c.mixed() && c.state.Spans[0].Grain == flow.All:
		return "one thermostat for the whole state is not moved there; those of msgnht are"
	case c.mixed():
		return "one sampler moves all blocks there, without settings by block"
	case c.pilot != nil:
		return setting.Sprintf("there is no pilot of nuts there; leave {metric} away")
	case c.tuner != nil:
		return setting.Sprintf("steps and frictions are not found there; give {step}")
	case c.fisher.average != nil || c.gradientNoise != nil || c.state.Extra != nil:
		return "noise is neither estimated nor added there"
	case c.batches == nil:
		return setting.Sprintf("steps read minibatches there, not all rows; give {batch}")
	case c.reader != nil || c.cfg.Follow:
		return "the data are there as a whole, and rows of a stream are not"
	case c.replicas != nil || c.permutation != nil:
		return "states are not exchanged there"
	case c.locals != nil:
		return "latent values of rows are not drawn there"
	case c.single == nil:
		return "it needs single precision, and params on flat spaces"
	}
	return ""
}

// step takes a step on the device. leave says that nothing reads the state after it.
func (r *resident) step(c *Chain, h float64, leave bool) error {
	q := c.state.Single
	if !r.there {
		q.Take()
		if err := r.mover.Put(q); err != nil {
			return err
		}
		r.there = true
	}
	b := &r.beat
	q.Numbers(r.flows, c.program.Aim(h), &b.Numbers)
	if c.silent() {
		b.SD = 0
	}
	b.Rows, b.Scale, b.Jacobian = c.rows, c.scale, c.cfg.Temperature
	b.Step, b.Seed = c.step, c.kick.Seed32(uint64(c.step))
	r.ahead = true
	if c.observe || c.looking && c.health.directions.source == stepRows {
		if err := r.mover.Watch(b, q); err != nil {
			return err
		}
		q.PublishForce()
		c.watchGradient()
	} else if err := r.mover.Move(b); err != nil {
		return err
	}
	if leave {
		return nil
	}
	return r.settle(c, h)
}

// settle brings the chain's state up to date. An error may be that of a step before the last.
func (r *resident) settle(c *Chain, h float64) error {
	if !r.ahead {
		return nil
	}
	bad, err := r.mover.Get(c.state.Single)
	if err != nil {
		return err
	}
	c.state.Single.Publish()
	if r.ahead = false; bad >= 0 {
		c.step = bad + 1
		return c.diverged(h)
	}
	return nil
}

// left reports whether the chain's state lacks steps, or the end of one.
func (c *Chain) left() bool { return c.program.Left() || c.resident != nil && c.resident.ahead }
