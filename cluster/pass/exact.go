package pass

import (
	"context"
	"errors"
	"maps"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// Exact is the posterior of all rows, which enter by their sums. Its full passes read no row.
func Exact(ctx context.Context, e *Env, t *Total) (*model.Model, *data.Bound, error) {
	m, rest, err := e.withoutRows(ctx, t.Settled)
	if err != nil {
		return nil, nil, err
	}
	return m, rest, m.Hold(t.Sums)
}

// withoutRows is the model of all rows, which are elsewhere, and the data that belong to no row.
func (e *Env) withoutRows(
	ctx context.Context, s *Settled,
) (*model.Model, *data.Bound, error) {
	c, err := e.Compiled()
	if err != nil {
		return nil, nil, err
	}
	few, err := e.restOf(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	rest := &data.Bound{Dims: maps.Clone(few.Dims), Values: map[string]*array.Value{},
		Files: few.Files, Labels: s.Labels}
	for i := range c.Spec.Schema.Inputs {
		in := &c.Spec.Schema.Inputs[i]
		if v := few.Values[in.Name]; v != nil && !alongRows(c, in) {
			rest.Values[in.Name] = v
		}
	}
	rest.Dims[c.Spec.RowDim] = int(s.total())
	m, err := c.Stream(rest, nil, &elsewhere{rows: int(s.total()), dim: c.Spec.RowDim,
		few: few})
	if err != nil {
		return nil, nil, &Permanent{err}
	}
	return m, rest, nil
}

// elsewhere is a source of rows that are on other machines, except for a few.
type elsewhere struct {
	rows int
	dim  string
	few  *data.Bound
}

var errElsewhere = errors.New("the rows are in shards, and are not read here")

// Layout implements model.Source.
func (s *elsewhere) Layout() (rows, block, window int) { return s.rows, s.few.Dims[s.dim], 1 }

// Sizes implements model.Source.
func (s *elsewhere) Sizes() map[string]int { return map[string]int{s.dim: s.rows} }

// Pager implements model.Source.
func (s *elsewhere) Pager() model.Pager { return s }

// Grow implements model.Source.
func (s *elsewhere) Grow() (int, error) { return s.rows, nil }

// Grows implements model.Source.
func (s *elsewhere) Grows() bool { return false }

// Load implements model.Pager: the first block has the few rows that are there.
func (s *elsewhere) Load(left, blocks []int) (*data.Bound, error) {
	if len(left) > 0 || len(blocks) != 1 || blocks[0] != 0 {
		return nil, errElsewhere
	}
	return s.few, nil
}

// Limit implements model.Pager.
func (s *elsewhere) Limit(int) {}

// Rows implements model.Pager.
func (s *elsewhere) Rows(to []int) []int {
	for i := range s.few.Dims[s.dim] {
		to = append(to, i)
	}
	return to
}

// Some implements model.Pager.
func (s *elsewhere) Some([]int) (*data.Bound, error) { return nil, errElsewhere }
