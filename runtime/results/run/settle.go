package run

import (
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// settlesBeside is the size in bytes of the checkpoints up to which a run is made durable while the
// convergence of its chains is computed. Their states stay in memory meanwhile.
const settlesBeside = 16 << 20

// settle ends the stores of a run whose chains are complete. It writes the draws, and begins to
// make the stores durable and then to write the checkpoints that count their draws; settled waits
// for that. The record says that a run is done only after it, so nothing relies on it earlier.
// Readers see the draws at once.
func (s *sink) settle() error {
	for _, c := range s.chains {
		if err := c.draws.Close(); err != nil {
			return disk(err)
		}
		if c.warmup != nil {
			if err := c.warmup.Close(); err != nil {
				return disk(err)
			}
		}
	}
	for _, st := range s.stores {
		if err := st.Close(); err != nil {
			return disk(err)
		}
	}
	var points []trace.Checkpoint
	bytes := 0
	for _, p := range s.waits.give() {
		point := s.checkpointOf(p)
		points, bytes = append(points, point), bytes+point.Size
	}
	s.durable = make(chan error, 1)
	save := func(stores []*trace.Store) { s.durable <- disk(trace.SyncStores(stores, points...)) }
	if bytes > settlesBeside {
		save(s.stores)
	} else {
		go save(s.stores)
	}
	return nil
}

// settled waits until what settle began is done, and returns its error.
func (s *sink) settled() error {
	if s.durable == nil {
		return nil
	}
	return <-s.durable
}
