package pass

import (
	"context"
	"encoding/json"

	"github.com/sgppl/sgppl/runtime/engine/worker"
)

// A checkBody asks for the log likelihood of all rows at states.
type checkBody struct {
	Settled string         `json:"settled"`
	Dim     int            `json:"dim"`
	States  worker.Doubles `json:"states"` // one after the other
}

// doCheck computes the log likelihood of the rows of a shard together, at each state.
func doCheck(ctx context.Context, e *Env, body json.RawMessage, index int) (Result, error) {
	var ask checkBody
	if err := json.Unmarshal(body, &ask); err != nil {
		return Result{}, &Permanent{err}
	}
	p, err := e.settledPart(ctx, ask.Settled, index)
	if err != nil {
		return Result{}, err
	}
	states := worker.Draws{Chains: 1, Each: len(ask.States) / max(ask.Dim, 1), Dim: ask.Dim,
		X: ask.States}
	lik, err := p.doubles(ctx, "check", nil, states.Bytes())
	if err != nil {
		return Result{}, err
	}
	out, err := encode(p.rows(), lik, nil)
	return Result{out, int64(p.rows())}, err
}
