package pass

import (
	"context"
	"encoding/json"

	"github.com/sgppl/sgppl/runtime/infer/surrogate"
)

// A checkBody asks for the log likelihood of all rows at states.
type checkBody struct {
	Settled string  `json:"settled"`
	Dim     int     `json:"dim"`
	States  numbers `json:"states"` // one after the other
}

// doCheck computes the log likelihood of the rows of a shard together, at each state.
func doCheck(ctx context.Context, e *Env, body json.RawMessage, index int) (Result, error) {
	var ask checkBody
	m, sums, err := e.sums(ctx, body, &ask, &ask.Settled, index)
	if err != nil {
		return Result{}, err
	}
	var states [][]float64
	for x := []float64(ask.States); len(x) >= ask.Dim && ask.Dim > 0; x = x[ask.Dim:] {
		states = append(states, x[:ask.Dim])
	}
	lik := make([]float64, len(states))
	if err := surrogate.LogLik(ctx, sums, states, lik); err != nil {
		return Result{}, err
	}
	out, err := encode(m.Rows(), lik, nil)
	return Result{out, int64(m.Rows())}, err
}
