package pass

import (
	"context"
	"encoding/json"
)

// Sizes are those of the rows of a piece.
type Sizes struct {
	Rows int64          `json:"rows"`
	Dims map[string]int `json:"dims"`
}

func doSizes(ctx context.Context, e *Env, _ json.RawMessage, index int) (Result, error) {
	bound, err := e.Read(ctx, index)
	if err != nil {
		return Result{}, err
	}
	c, err := e.Compiled()
	if err != nil {
		return Result{}, err
	}
	s := Sizes{int64(bound.Dims[c.Spec.RowDim]), bound.Dims}
	text, err := json.Marshal(s)
	return Result{text, s.Rows}, err
}

// SizesOf runs the pass over all pieces that finds the sizes that rows decide, such as
// the columns of sparse rows: the largest of any piece. rows are those of each piece.
func SizesOf(
	ctx context.Context,
	e *Env,
	front Front,
	number int,
) (rows []int64, dims map[string]int, err error) {
	c, err := e.Compiled()
	if err != nil {
		return nil, nil, err
	}
	dims = map[string]int{}
	err = e.Pass(ctx, front, number, "sizes", len(e.Run.Manifest.Shards), nil,
		func(_ int, result []byte) error {
			var s Sizes
			if err := json.Unmarshal(result, &s); err != nil {
				return err
			}
			rows = append(rows, s.Rows)
			for d, n := range s.Dims {
				if d != c.Spec.RowDim {
					dims[d] = max(dims[d], n)
				}
			}
			return nil
		})
	return rows, dims, err
}
