package pass

import (
	"context"
	"encoding/json"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
	"github.com/sgppl/sgppl/runtime/infer/tall"
)

// A gradientBody asks for the second order of the log likelihood at an anchor.
type gradientBody struct {
	Settled string  `json:"settled"`
	Anchor  numbers `json:"anchor"`
	SDs     numbers `json:"sds"`
}

// doGradient computes the second order of the log likelihood of the rows of a shard: its
// value, the gradient, and the upper triangle of the second derivative.
func doGradient(ctx context.Context, e *Env, body json.RawMessage, index int) (Result, error) {
	var ask gradientBody
	m, sums, err := e.sums(ctx, body, &ask, &ask.Settled, index)
	if err != nil {
		return Result{}, err
	}
	x, err := surrogate.Expand(ctx, sums, m.Rows(), ask.Anchor, ask.SDs)
	if err != nil {
		return Result{}, err
	}
	d := len(ask.Anchor)
	list := append([]float64{x.Value}, x.Gradient...)
	for i := range d {
		list = append(list, x.Hessian[i*d+i:(i+1)*d]...)
	}
	out, err := encode(x.Rows, list, nil)
	return Result{out, int64(x.Rows)}, err
}

// expansion undoes what doGradient writes.
func expansion(result []byte, d int) (*surrogate.Expansion, error) {
	x := &surrogate.Expansion{Hessian: make([]float64, d*d)}
	list, _, err := decode(result, &x.Rows)
	if err == nil && len(list) != 1+d+d*(d+1)/2 {
		err = errResult
	}
	if err != nil {
		return nil, err
	}
	x.Value, x.Gradient = list[0], list[1:1+d]
	list = list[1+d:]
	for i := range d {
		for j := i; j < d; j++ {
			x.Hessian[i*d+j], x.Hessian[j*d+i] = list[j-i], list[j-i]
		}
		list = list[d-i:]
	}
	return x, nil
}

// sums reads the body of a request, binds the rows of a shard, and makes what adds up over
// them. settled is the field of the body that names what all shards settle.
func (e *Env) sums(
	ctx context.Context, body json.RawMessage, ask any, settled *string, index int,
) (*model.Model, *tall.Sums, error) {
	if err := json.Unmarshal(body, ask); err != nil {
		return nil, nil, &Permanent{err}
	}
	s, err := e.settledAs(ctx, *settled)
	if err != nil {
		return nil, nil, err
	}
	m, _, err := e.part(ctx, s, index)
	if err != nil {
		return nil, nil, err
	}
	sums, err := tall.NewSums(m, loop.Options{Threads: 1})
	if err != nil {
		return nil, nil, &Permanent{err}
	}
	return m, sums, nil
}
