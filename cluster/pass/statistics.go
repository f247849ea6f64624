package pass

import (
	"context"
	"encoding/json"
	"errors"
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
	out, err := encode([]found{foundIn(p.c, p.bound)}, sums.Values, nil)
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
	sum := &statisticsSum{spec: m.Spec}
	next, err := e.addUp(ctx, front, number, "statistics", statisticsBody{},
		m.Spec.StatisticsLen(m.Dims), sum)
	if err != nil {
		return nil, err
	}
	t := &Total{Sums: sum.sums, Passes: 1}
	if t.Settled, err = settle(sum.list, e.Run.Levels); err != nil {
		return nil, err
	}
	digest, err := t.Settled.put(ctx, e)
	if err != nil || !sum.differ {
		return t, err
	}
	bound, err := e.restOf(ctx, t.Settled)
	if err != nil {
		return nil, err
	}
	if m, err = c.VM(bound, nil); err != nil {
		return nil, &Permanent{err}
	}
	sum = &statisticsSum{spec: m.Spec}
	if _, err = e.addUp(ctx, front, next, "statistics", statisticsBody{digest},
		m.Spec.StatisticsLen(m.Dims), sum); err != nil {
		return nil, err
	}
	if sum.differ {
		return nil, &Permanent{errors.New("shards find different sizes, though all have been given " +
			"the same")}
	}
	t.Sums, t.Passes = sum.sums, 2
	return t, nil
}
