package pass

import (
	"context"
	"encoding/json"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/worker"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
)

// A leverageBody asks for rows that are drawn by their leverage.
type leverageBody struct {
	Settled string         `json:"settled"`
	Seed    uint64         `json:"seed"`
	Rate    *worker.Number `json:"rate"` // null: all rows
	Anchor  numbers        `json:"anchor"`
	// The map in whose coordinates the posterior is near N(0, I); one of Chol and Diag is set.
	Mean numbers `json:"mean"`
	Chol numbers `json:"chol,omitempty"`
	Diag numbers `json:"diag,omitempty"`
}

// A leverageHead begins the result of a task: the sum of the leverages of all rows of the
// shard, and those of the rows that follow, with their numbers among all rows.
type leverageHead struct {
	Rows    int       `json:"rows"`
	Total   float64   `json:"total"`
	Numbers []int64   `json:"numbers"`
	H       []float64 `json:"h"`
}

// doLeverage draws rows of a shard by their leverage.
func doLeverage(ctx context.Context, e *Env, body json.RawMessage, index int) (Result, error) {
	var ask leverageBody
	if err := json.Unmarshal(body, &ask); err != nil {
		return Result{}, &Permanent{err}
	}
	s, err := e.settledAs(ctx, ask.Settled)
	if err != nil {
		return Result{}, err
	}
	m, bound, err := e.part(ctx, s, index)
	if err != nil {
		return Result{}, err
	}
	sums, err := tall.NewSums(m, loop.Options{Threads: 1})
	if err != nil {
		return Result{}, &Permanent{err}
	}
	white := &whitening.Map{Mean: ask.Mean, Chol: ask.Chol, Diag: ask.Diag}
	h := make([]float64, m.Rows())
	if err := surrogate.Leverages(ctx, sums, ask.Anchor, white, ask.Seed, h); err != nil {
		return Result{}, err
	}
	rate := math.Inf(1)
	if ask.Rate != nil {
		rate = float64(*ask.Rate)
	}
	first := s.first(index)
	head := leverageHead{Rows: m.Rows()}
	rows, _ := surrogate.Draw(h, rate, ask.Seed, int(first))
	for _, x := range h {
		head.Total += x
	}
	for _, r := range rows {
		head.Numbers, head.H = append(head.Numbers, first+int64(r)), append(head.H, h[r])
	}
	c, err := e.Compiled()
	if err != nil {
		return Result{}, err
	}
	out, err := encode(head, nil, rowsOf(c, bound, rows))
	return Result{out, int64(head.Rows)}, err
}
