package optimize

import (
	"encoding/json"
	"hash/fnv"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// checkpointMagic opens a checkpoint and names its layout. Chains whose rows are arranged have one
// of their own, since their passes had another order before.
const (
	checkpointMagic = "sgoptim2"
	arrangedMagic   = "sgoptim3"
)

// walk visits everything of the chain that its future depends on. Random
// numbers and minibatches are functions of the step and need no state.
func (c *Chain) walk(d *loop.Codec) {
	d.Count(&c.step)
	d.Floats(c.x)
	d.Floats(c.p)
	d.Floats(c.xi)
	d.Floats(c.square)
	if c.locals != nil {
		d.Floats(c.locals.LocalState())
	}
	j := &c.judge
	d.Int(&j.bestAt)
	d.Float(&j.value)
	d.Float(&j.last)
	d.Int(&j.worse)
	d.Floats(j.best)
	d.Int(&c.averaged)
	d.Floats(c.average)
}

func (c *Chain) label() loop.Label {
	cfg := c.cfg
	cfg.Chains, cfg.Init, cfg.InitRadius, cfg.PlainStart = 0, nil, 0, false
	h := fnv.New64a()
	text, err := json.Marshal(struct {
		Config
		Held int
	}{cfg, len(c.judge.lik)})
	if err != nil {
		panic("optimize: settings were checked to be finite: " + err.Error())
	}
	h.Write(text)
	l := loop.Label{Magic: checkpointMagic, Fingerprint: h.Sum64(), Chain: c.number,
		Dim: len(c.x)}
	if c.batches != nil && c.batches.Arranged() {
		l.Magic, l.Before = arrangedMagic, checkpointMagic
	}
	return l
}

// AppendBinary appends a checkpoint of the chain to b: its whole state.
func (c *Chain) AppendBinary(b []byte) []byte {
	c.publish()
	return loop.Seal(b, c.label(), c.walk)
}

// ResumeChain makes a chain that goes on from a checkpoint of the same chain
// of a run with the same model, data and settings. Its error is a
// *sampler.CheckpointError, or one of NewChain.
func ResumeChain(t, held target.Target, cfg Config, number int, state []byte) (*Chain, error) {
	c, err := newChain(t, held, cfg, number)
	if err != nil {
		return nil, err
	}
	if problem := loop.Unseal(state, c.label(), c.walk); problem != "" {
		return nil, &sampler.CheckpointError{Problem: problem}
	}
	if c.row.Prepares {
		c.remetric()
	}
	return c, nil
}
