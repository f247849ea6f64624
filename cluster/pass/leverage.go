package pass

import (
	"context"
	"encoding/json"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/worker"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
)

// A leverageBody asks for rows that are drawn by their leverage.
type leverageBody struct {
	Settled string         `json:"settled"`
	Rate    *worker.Number `json:"rate"` // null: all rows
	worker.Whitened
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
	p, err := e.settledPart(ctx, ask.Settled, index)
	if err != nil {
		return Result{}, err
	}
	h, err := p.doubles(ctx, "leverage", ask.Whitened, nil)
	if err != nil {
		return Result{}, err
	}
	rate := math.Inf(1)
	if ask.Rate != nil {
		rate = float64(*ask.Rate)
	}
	first := p.settled.first(index)
	head := leverageHead{Rows: p.rows()}
	rows, _ := surrogate.Draw(h, rate, ask.Seed, int(first))
	for _, x := range h {
		head.Total += x
	}
	for _, r := range rows {
		head.Numbers, head.H = append(head.Numbers, first+int64(r)), append(head.H, h[r])
	}
	out, err := encode(head, nil, rowsOf(p.c, p.bound, rows))
	return Result{out, int64(head.Rows)}, err
}
