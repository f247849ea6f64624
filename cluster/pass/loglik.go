package pass

import (
	"context"
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/worker"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// A LOO is the cross-validation of all rows.
type LOO struct {
	Points []diagnose.LOOPoint
	Sum    diagnose.LOOSummary
	Left   int // rows without a part in the likelihood
}

// LOOOf cross-validates all rows.
func LOOOf(ctx context.Context, e *Env, front Front, number int) (*LOO, error) {
	out := &LOO{}
	err := e.Pass(ctx, front, number, "loo", len(e.Run.Manifest.Shards), nil,
		func(_ int, result []byte) error {
			for _, p := range worker.LOOPoints(result) {
				if p.LPD == 0 && p.PWAIC == 0 {
					out.Left++
					continue
				}
				out.Points = append(out.Points, p)
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	shared, err := e.draws(ctx)
	if err != nil {
		return nil, err
	}
	d, err := worker.ParseDraws(shared)
	if err != nil {
		return nil, err
	}
	if len(out.Points) < 2 {
		return nil, &Permanent{fmt.Errorf("cross-validation takes two rows or more with a part in "+
			"the likelihood, and there are %d", len(out.Points))}
	}
	out.Sum = diagnose.SumLOO(out.Points, d.Len())
	return out, nil
}
