package pass

import (
	"context"
	"encoding/json"

	"github.com/sgppl/sgppl/runtime/engine/worker"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
)

// A subposteriorBody asks for the moments of the subposteriors of shards.
type subposteriorBody struct {
	Settled string `json:"settled"`
	Seed    uint64 `json:"seed"`
}

// doSubposterior samples the subposterior of a shard: the prior to the power one over the number
// of shards, times the likelihood of the rows of the shard.
func doSubposterior(
	ctx context.Context, e *Env, body json.RawMessage, index int,
) (Result, error) {
	var ask subposteriorBody
	if err := json.Unmarshal(body, &ask); err != nil {
		return Result{}, &Permanent{err}
	}
	p, err := e.settledPart(ctx, ask.Settled, index)
	if err != nil {
		return Result{}, err
	}
	list, err := p.doubles(ctx, "subposterior", worker.Share{
		Prior: worker.Number(1 / float64(len(e.Run.Manifest.Shards))),
		Seed:  surrogate.SeedOf(ask.Seed, index)}, nil)
	if err != nil {
		return Result{}, err
	}
	out, err := encode(p.rows(), list, nil)
	return Result{out, int64(p.rows())}, err
}

// Subposteriors implements surrogate.Combiner.
func (r *remotePasses) Subposteriors(
	ctx context.Context, seed uint64,
) (list []*surrogate.Moments, err error) {
	err = r.pass(ctx, "subposterior", subposteriorBody{r.pilot.digest, seed},
		func(result []byte) error {
			rows := 0
			x, _, err := decode(result, &rows)
			if err != nil {
				return err
			}
			m, err := worker.MomentsOf(x, r.Dim())
			list = append(list, m)
			return err
		})
	return list, err
}
