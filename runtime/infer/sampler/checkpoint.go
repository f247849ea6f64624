package sampler

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
)

// checkpointMagic is the prefix of checkpoints; it identifies their layout. Chains whose rows are
// arranged have a prefix of their own, since their passes had another order before.
const (
	checkpointMagic = "sgchain3"
	arrangedMagic   = "sgchain4"
)

// walk reads or writes all of the chain's state that its future depends on. Random numbers and
// minibatches are functions of the step, so they need no state.
func (c *Chain) walk(d *loop.Codec) {
	s, h := c.state, c.health
	m := &h.mirrored
	d.Count(&c.step)
	d.Floats(s.X)
	d.Floats(s.V)
	d.Floats(s.Xi)
	d.Floats(s.Square)
	d.Float(&h.n)
	d.Float(&h.nXi)
	for _, r := range []*record{&h.x, &h.g, &h.xg, &h.xx, &h.xi, &h.xiVar} {
		r.walk(d)
	}
	for _, x := range [][]float64{m.push2, m.share, m.shares} {
		d.Floats(x)
	}
	for i := range h.blocks {
		b := &h.blocks[i]
		for _, s := range []*health.Series{&b.kinetic, &b.xi, &b.xiVar, &b.config} {
			s.Walk(d)
		}
		if !s.Factors[i].Flat {
			b.along.Walk(d)
		}
		if m.every[i] > 0 {
			d.Float(&m.seen[i])
			d.Float(&m.time[i])
		}
	}
	h.directions.walk(d)
	if c.row.Metropolis {
		h.accept.Walk(d)
	}
	if a := c.adaptation(); a != nil {
		a.Walk(d)
	}
	if c.row.Tree {
		c.hmc.Tree.Energies.Walk(d)
	}
	if c.pilot != nil {
		c.pilot.walk(c, d)
	}
	if c.tuner != nil {
		c.tuner.walk(c, d)
	}
	if c.rowPilot != nil {
		c.rowPilot.walk(c, d)
	}
	if c.replicas != nil {
		c.replicas.walk(d)
	}
	if c.gibbs != nil {
		d.Floats(c.gibbs.Hidden())
	}
	if c.permutation != nil {
		c.permutation.walk(d)
	}
	if c.locals != nil {
		d.Floats(c.locals.LocalState())
	}
	if c.cfg.Follow {
		d.Int(&c.growth.pass)
		d.Int(&c.growth.batch)
		d.Int(&c.growth.rows)
	}
	if e := &c.fisher; e.average != nil {
		d.Int(&e.n)
		d.Int(&e.calls)
		d.Floats(e.average)
		e.shape.Walk(d)
	}
}

// fingerprint returns a hash of the settings that a chain's future depends on. With a constant
// step, a run may be resumed with more draws.
func (c *Chain) fingerprint() uint64 {
	cfg := c.cfg
	cfg.Chains, cfg.Init, cfg.InitRadius, cfg.Begun = 0, nil, 0, 0
	if !c.any(func(p *part) bool { return !p.schedule.Constant() }) {
		// Health observes every step of a short run and fewer of a long one, so this depends on the
		// number of draws.
		cfg.Draws = c.health.stride
	}
	h := fnv.New64a()
	text, err := json.Marshal(cfg)
	if err != nil {
		panic("sampler: settings were checked to be finite: " + err.Error())
	}
	h.Write(text)
	return h.Sum64()
}

// label returns the header of the chain's checkpoints.
func (c *Chain) label() loop.Label {
	l := loop.Label{Magic: checkpointMagic, Fingerprint: c.fingerprint(), Chain: c.number,
		Dim: len(c.state.X)}
	if c.batches != nil && c.batches.Arranged() {
		l.Magic, l.Before = arrangedMagic, checkpointMagic
	}
	return l
}

// AppendBinary appends a checkpoint of the chain to b.
func (c *Chain) AppendBinary(b []byte) ([]byte, error) {
	return loop.Seal(b, c.label(), c.walk), nil
}

// binarySize is the length of what AppendBinary appends.
func (c *Chain) binarySize() int { return loop.SealedSize(c.label(), c.walk) }

// writeBinary writes what AppendBinary appends.
func (c *Chain) writeBinary(w io.Writer) error { return loop.SealTo(w, c.label(), c.walk) }

// MarshalBinary returns a checkpoint: the whole state of the chain.
func (c *Chain) MarshalBinary() ([]byte, error) { return c.AppendBinary(nil) }

// UnmarshalBinary restores a chain from a checkpoint of the same chain, of a run with the same
// model and settings. After an error the chain must not be used.
func (c *Chain) UnmarshalBinary(b []byte) error {
	if problem := loop.Unseal(b, c.label(), c.walk); problem != "" {
		return &CheckpointError{problem}
	}
	c.onBatch, c.finished = -1, nil
	if c.hmc != nil {
		c.hmc.Forget()
	}
	if c.cfg.Follow {
		if n := c.growth.rows; n < 1 || n > int64(c.target.Rows()) {
			return &CheckpointError{fmt.Sprintf("it has read %d rows, and there are %d", n,
				c.target.Rows())}
		}
		c.batches = c.batcher()
		c.follow()
	}
	c.restored()
	return nil
}

// restored has the next step begin from what a checkpoint has, and from nothing else.
func (c *Chain) restored() {
	c.onBatch = -1
	c.program.Forget()
	if c.resident != nil {
		c.resident.there, c.resident.ahead = false, false
	}
	for k := range c.parts {
		c.parts[k].state.Primed = c.step > 0
	}
}

// ResumeChain makes a chain that continues from a checkpoint.
func ResumeChain(t target.Target, cfg settings.Config, number int, state []byte) (*Chain, error) {
	cfg, err := cfg.Resolve(t)
	if err != nil {
		return nil, err
	}
	c, err := newChain(t, cfg, number)
	if err != nil {
		return nil, err
	}
	return c, c.UnmarshalBinary(state)
}
