package pass

import (
	"context"
	"encoding/json"

	"github.com/sgppl/sgppl/runtime/engine/worker"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
)

// A gradientBody asks for the second order of the log likelihood at an anchor.
type gradientBody struct {
	Settled string `json:"settled"`
	worker.Anchor
}

// doGradient computes the second order of the log likelihood of the rows of a shard: its
// value, the gradient, and the upper triangle of the second derivative.
func doGradient(ctx context.Context, e *Env, body json.RawMessage, index int) (Result, error) {
	var ask gradientBody
	if err := json.Unmarshal(body, &ask); err != nil {
		return Result{}, &Permanent{err}
	}
	p, err := e.settledPart(ctx, ask.Settled, index)
	if err != nil {
		return Result{}, err
	}
	list, err := p.doubles(ctx, "gradient", ask.Anchor, nil)
	if err != nil {
		return Result{}, err
	}
	out, err := encode(p.rows(), list, nil)
	return Result{out, int64(p.rows())}, err
}

// expansion undoes what doGradient writes.
func expansion(result []byte) (*surrogate.Expansion, error) {
	x := &surrogate.Expansion{}
	list, _, err := decode(result, &x.Rows)
	if err != nil {
		return nil, err
	}
	d := 0
	for expansionLen(d) < len(list) {
		d++
	}
	if len(list) != expansionLen(d) {
		return nil, errResult
	}
	x.Hessian = make([]float64, d*d)
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

// expansionLen is how many numbers a second order of d unknowns is.
func expansionLen(d int) int { return 1 + d + d*(d+1)/2 }
