package pass

import (
	"context"
	"errors"
	"fmt"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/worker"
)

// A part is the data of a shard, with what all shards settle.
type part struct {
	e       *Env
	c       *driver.Compiled
	settled *Settled
	bound   *data.Bound
	shard   int
}

// settledPart reads the data of a shard. digest names what all shards settle; "" where the
// rows of this shard alone settle it.
func (e *Env) settledPart(ctx context.Context, digest string, shard int) (*part, error) {
	s := &Settled{Dims: e.Run.Dims, Labels: e.Run.Labels}
	if digest != "" {
		var err error
		if s, err = e.settledAs(ctx, digest); err != nil {
			return nil, err
		}
	}
	c, err := e.Compiled()
	if err != nil {
		return nil, err
	}
	bound, err := e.readSettled(ctx, s, shard)
	if err != nil {
		return nil, err
	}
	return &part{e, c, s, bound, shard}, nil
}

// rows is how many the shard has.
func (p *part) rows() int { return p.bound.Dims[p.c.Spec.RowDim] }

// doubles has the engine do work of a kind of package worker whose result is worker.Doubles.
func (p *part) doubles(
	ctx context.Context, kind string, body any, shared []byte,
) ([]float64, error) {
	out, err := p.e.evaluateShard(ctx, p.shard, p.bound, kind, body, shared)
	if err != nil {
		return nil, err
	}
	return worker.ParseDoubles(out)
}

// evaluateShard is Evaluate for the data of a shard, which its errors name.
func (e *Env) evaluateShard(
	ctx context.Context, shard int, bound *data.Bound, kind string, body any, shared []byte,
) ([]byte, error) {
	out, err := e.Evaluate(ctx, bound, kind, body, shared)
	if permanent := (*Permanent)(nil); errors.As(err, &permanent) {
		err = &Permanent{fmt.Errorf("%v: %w", e.Run.Manifest.Shards[shard], permanent.Err)}
	}
	return out, err
}

// giveBack has the next shard read into the memory of the rows of this one, which nobody reads any
// more.
func (p *part) giveBack() {
	for i := range p.c.Spec.Schema.Inputs {
		in := &p.c.Spec.Schema.Inputs[i]
		if v := p.bound.Values[in.Name]; v != nil && alongRows(p.c, in) {
			v.GiveBack()
		}
	}
}
