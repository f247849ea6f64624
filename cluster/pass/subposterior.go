package pass

import (
	"context"
	"encoding/json"

	"github.com/sgppl/sgppl/runtime/engine/worker"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
)

// A subposteriorBody asks for the moments of the subposteriors of shards.
type subposteriorBody struct {
	Settled string                `json:"settled"`
	Seed    uint64                `json:"seed"`
	By      surrogate.Combination `json:"by"`
}

// doSubposterior samples the subposterior of a shard. For a consensus of S shards it is the prior
// to the power 1/S, times the likelihood of the rows of the shard; for a barycentre the prior,
// times that likelihood to the power S.
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
	share := worker.Share{Prior: 1, Rows: 1, Seed: surrogate.SeedOf(ask.Seed, index)}
	if n := worker.Number(len(e.Run.Manifest.Shards)); ask.By == surrogate.Barycentre {
		share.Rows = n
	} else {
		share.Prior = 1 / n
	}
	list, err := p.doubles(ctx, "subposterior", share, nil)
	if err != nil {
		return Result{}, err
	}
	out, err := encode(p.rows(), list, nil)
	return Result{out, int64(p.rows())}, err
}

// Subposteriors implements surrogate.Combiner.
func (r *remotePasses) Subposteriors(
	ctx context.Context, by surrogate.Combination, seed uint64,
) (list []*surrogate.Moments, err error) {
	err = r.pass(ctx, "subposterior", subposteriorBody{r.pilot.digest, seed, by},
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
