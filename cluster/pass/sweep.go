package pass

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sgppl/sgppl/internal/calibrate"
	"github.com/sgppl/sgppl/runtime/infer/replicate"
)

// A Sweep is the body of a pass with the posteriors of several studies: those of the first come
// first.
type Sweep struct {
	Studies []Study `json:"studies"`
}

// doSweep samples the posteriors of a task of one of the studies.
func doSweep(ctx context.Context, e *Env, body json.RawMessage, index int) (Result, error) {
	var s Sweep
	if err := json.Unmarshal(body, &s); err != nil {
		return Result{}, &Permanent{err}
	}
	for i := range s.Studies {
		n := s.Studies[i].Tasks()
		if index < n {
			return e.replicate(ctx, &s.Studies[i], index)
		}
		index -= n
	}
	return Result{}, &Permanent{fmt.Errorf("a sweep of %d studies has no such task", len(s.Studies))}
}

// SweepOf tests the model by each study, in one pass for all. The reports are those of TestOf.
func SweepOf(ctx context.Context, e *Env, front Front, s Sweep) ([]*calibrate.Report, error) {
	tasks, able := 0, true
	for i := range s.Studies {
		t, err := e.Test(ctx, &s.Studies[i], nil)
		if err != nil {
			return nil, err
		}
		able = able && (t.Replications() > 0 || s.Studies[i].Flags.Replications == 0)
		tasks += s.Studies[i].Tasks()
	}
	all, at := make([][]replicate.Answer, len(s.Studies)), 0
	if able && tasks > 0 {
		err := e.Pass(ctx, front, 1, "sweep", tasks, s, func(_ int, result []byte) error {
			for len(all[at]) == s.Studies[at].Flags.Replications {
				at++
			}
			return answers(result, &all[at])
		})
		if err != nil {
			return nil, err
		}
	}
	var out []*calibrate.Report
	for i := range s.Studies {
		r, err := e.judge(ctx, &s.Studies[i], all[i])
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}
