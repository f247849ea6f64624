package pass

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A statisticsBody asks for the sums of shards. Settled is "" where each shard finds by itself
// what its rows settle: sums of shards that find the same are added up.
type statisticsBody struct {
	Settled string `json:"settled,omitempty"`
}

// doStatistics computes the sums by which the rows of a shard enter a likelihood that
// collapses. The VM does that in this process, whatever the engine: each row is read once, and
// to hand it to another process takes longer than to add it up.
func doStatistics(ctx context.Context, e *Env, body json.RawMessage, index int) (Result, error) {
	var ask statisticsBody
	if err := json.Unmarshal(body, &ask); err != nil {
		return Result{}, &Permanent{err}
	}
	p, err := e.settledPart(ctx, ask.Settled, index)
	if err != nil {
		return Result{}, err
	}
	m, err := e.model(p.bound, index)
	if err != nil {
		return Result{}, err
	}
	sums, err := m.FoldRows()
	if err != nil {
		return Result{}, &Permanent{fmt.Errorf("%v: %w", e.Run.Manifest.Shards[index], err)}
	}
	out, err := encode(foundIn(p.c, p.bound), sums.Values, nil)
	rows := int64(p.rows())
	p.giveBack()
	return Result{out, rows}, err
}

// A Total is the sums of all rows.
type Total struct {
	Sums    *model.Folded
	Settled *Settled
	Passes  int
}

// StatisticsOf adds up the sums of all shards, in their order, by passes from number on: one,
// or two where shards find different sizes or words. m has the rows of the first shard.
func StatisticsOf(
	ctx context.Context, e *Env, front Front, number int, m *model.Model,
) (*Total, error) {
	c, err := e.Compiled()
	if err != nil {
		return nil, err
	}
	var list []found
	t := &Total{Passes: 1}
	differ := false
	err = e.Pass(ctx, front, number, "statistics", len(e.Run.Manifest.Shards), statisticsBody{},
		func(i int, result []byte) error {
			var f found
			x, _, err := decode(result, &f)
			if err != nil {
				return err
			}
			list = append(list, f)
			if differ = differ || !f.same(&list[0]); differ {
				return nil
			}
			return t.add(m, &model.Folded{Rows: int(f.Rows), Values: x})
		})
	if err != nil {
		return nil, err
	}
	if t.Settled, err = settle(list, e.Run.Levels); err != nil {
		return nil, err
	}
	digest, err := t.Settled.put(ctx, e)
	if err != nil || !differ {
		return t, err
	}
	bound, err := e.restOf(ctx, t.Settled)
	if err != nil {
		return nil, err
	}
	if m, err = c.VM(bound, nil); err != nil {
		return nil, &Permanent{err}
	}
	t.Sums, t.Passes = nil, 2
	err = e.Pass(ctx, front, number+1, "statistics", len(e.Run.Manifest.Shards),
		statisticsBody{digest}, func(i int, result []byte) error {
			var f found
			x, _, err := decode(result, &f)
			if err != nil {
				return err
			}
			return t.add(m, &model.Folded{Rows: int(f.Rows), Values: x})
		})
	return t, err
}

// add merges the sums of the next shard.
func (t *Total) add(m *model.Model, f *model.Folded) error {
	if t.Sums == nil {
		t.Sums = f
		return nil
	}
	return m.Merge(t.Sums, f)
}
