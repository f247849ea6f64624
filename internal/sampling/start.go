package sampling

import (
	"os"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// start reads --init: a radius goes into cfg; draws from the prior, of pathfinder or of a run,
// centres of the data and the values of a file are returned as starting points.
func (c *Sample) start(
	e *session.Session, b *session.Binding, cfg *sampler.Config,
) ([][]float64, error) {
	m := b.Target
	if c.Init == "" {
		return nil, nil // where the model says, or the default radius
	}
	cfg.PlainStart = true
	if c.Init == "prior" {
		return b.Prior(e, cfg)
	}
	if c.Init == "pathfinder" {
		return b.Pathfinder(e, cfg, c.Threads)
	}
	if info, err := os.Stat(c.Init); err == nil && info.IsDir() {
		return b.StartRun(e, c.Init, cfg)
	}
	if pair, ok := strings.CutPrefix(c.Init, "kmeans:"); ok {
		return b.Kmeans(e, pair, cfg)
	}
	if r, err := strconv.ParseFloat(c.Init, 64); err == nil {
		cfg.InitRadius = r
		return nil, nil
	}
	given, err := session.StartFile(e, m, c.Init)
	if err != nil {
		return nil, err
	}
	points := 1
	if session.Partial(m, given) {
		points = cfg.Chains
	}
	var out [][]float64
	for k := range points {
		x, err := session.StartPoint(m, given, cfg.Seed, k)
		if err != nil {
			return nil, session.Failf(session.ExitData, "--init %s: %v", c.Init, err)
		}
		out = append(out, x)
	}
	return out, nil
}
