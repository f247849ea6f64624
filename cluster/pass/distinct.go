package pass

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
)

// Rows that are equal have equal likelihoods. Where most rows are equal to others, those of a
// shard are a table of the different ones with the number of each, and the posterior of all rows
// is that of the tables of all shards: a full pass computes each different row once, with its
// number as a weight. That is exact, as sums are.

// mostTables is how many numbers the tables of all shards may have together: 128 MiB.
const mostTables = 16 << 20

// A distinctHead begins the result of a task. The numbers behind it say how often each of the rows
// that follow occurs.
type distinctHead struct {
	found
	Few bool `json:"few"` // false: too many rows are different, and none follow
}

// doDistinct makes the table of the rows of a shard.
func doDistinct(ctx context.Context, e *Env, _ json.RawMessage, index int) (Result, error) {
	p, err := e.settledPart(ctx, "", index)
	if err != nil {
		return Result{}, err
	}
	m, err := e.model(p.bound, index)
	if err != nil {
		return Result{}, err
	}
	head := distinctHead{found: foundIn(p.c, p.bound)}
	rows, counts := m.EqualRows()
	var values map[string]*array.Value
	if head.Few = rows != nil; head.Few {
		values = rowsOf(p.c, p.bound, rows)
	}
	out, err := encode(head, counts, values)
	n := int64(p.rows())
	p.giveBack()
	return Result{out, n}, err
}

// errDifferent says that too many rows are different.
var errDifferent = errors.New("too few rows are equal to others for a table of the different ones")

// tabled is the posterior of all rows, by the tables of all shards.
func tabled(
	ctx context.Context, e *Env, front Front, number int, rest *data.Bound,
) (*Whole, error) {
	rows, counts, s, err := tablesOf(ctx, e, front, number, rest)
	if err != nil {
		return nil, err
	}
	m, bound, err := e.withoutRows(ctx, s)
	if err != nil {
		return nil, err
	}
	if err := m.HoldDistinct(rows, counts); err != nil {
		return nil, &Permanent{err}
	}
	if !m.Folds() { // of a few hundred rows no table is made
		return nil, errDifferent
	}
	return &Whole{Target: m, Model: m, Bound: bound, Settled: s,
		Exact: &surrogate.Exactness{Kind: "exact", All: s.total(), Distinct: m.DistinctRows(),
			Passes: 1, Shards: len(e.Run.Manifest.Shards)}}, nil
}

// tablesOf are the different rows of all shards, with the number of each.
func tablesOf(
	ctx context.Context, e *Env, front Front, number int, rest *data.Bound,
) (rows *model.Model, counts []float64, s *Settled, err error) {
	c, err := e.Compiled()
	if err != nil {
		return nil, nil, nil, err
	}
	var list []found
	var parts []map[string]*array.Value
	numbers, few := 0, true
	err = e.Pass(ctx, front, number, "distinct", len(e.Run.Manifest.Shards), struct{}{},
		func(_ int, result []byte) error {
			var head distinctHead
			n, values, err := decode(result, &head)
			if err != nil {
				return err
			}
			for _, v := range values {
				numbers += int(v.Memory() / 8)
			}
			if few = few && head.Few && numbers <= mostTables; !few {
				parts = nil
				return nil
			}
			list, parts, counts = append(list, head.found), append(parts, values), append(counts, n...)
			return nil
		})
	if err != nil {
		return nil, nil, nil, err
	}
	if !few {
		return nil, nil, nil, errDifferent
	}
	if s, err = settle(list, e.Run.Levels); err != nil {
		return nil, nil, nil, err
	}
	relabel(c, parts, list, s)
	if _, err = s.put(ctx, e); err != nil {
		return nil, nil, nil, err
	}
	bound, err := joined(c, rest, s, parts)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("different rows: %w", err)
	}
	if rows, err = c.VM(bound, nil); err != nil {
		return nil, nil, nil, &Permanent{err}
	}
	return rows, counts, s, nil
}
