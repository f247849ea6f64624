package pass

import (
	"context"
	"encoding/json"

	"github.com/sgppl/sgppl/runtime/engine/worker"
)

// ScoreOf scores all rows.
func ScoreOf(ctx context.Context, e *Env, front Front, number int) (*worker.Score, error) {
	var all worker.Score
	err := e.Pass(ctx, front, number, "score", len(e.Run.Manifest.Shards), nil,
		func(_ int, result []byte) error {
			var s worker.Score
			err := json.Unmarshal(result, &s)
			all.Add(s)
			return err
		})
	return &all, err
}
