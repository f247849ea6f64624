package pass

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sgppl/sgppl/internal/calibrate"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/infer/replicate"
)

// A Study is the body of a pass that samples the posteriors of a calibration: task i those of
// the replications Each·i to Each·(i+1)−1.
type Study struct {
	Flags calibrate.Flags `json:"flags"`
	Each  int             `json:"each"`
}

// Tasks is how many tasks a study has.
func (s *Study) Tasks() int { return (s.Flags.Replications + s.Each - 1) / s.Each }

// Test compiles the model for a test with the flags of a study. sampled has the posteriors
// that tasks sampled, or is nil.
func (e *Env) Test(
	ctx context.Context, s *Study, sampled func(r int) (*replicate.Kept, error),
) (*calibrate.Test, error) {
	o, err := s.Flags.Options()
	if err != nil {
		return nil, &Permanent{err}
	}
	o.Sets, o.Set, o.Sampled = e.Run.Set, Numbers(e.Run.Set), sampled
	if o.Data, err = e.specs(ctx, ""); err != nil {
		return nil, err
	}
	t, diags, errs, err := calibrate.New(source.New(e.Run.Name, e.Run.Model), o)
	for _, err := range errs {
		return nil, &Permanent{err}
	}
	if err != nil {
		return nil, &Permanent{err}
	}
	if t == nil {
		return nil, &Permanent{fmt.Errorf("%s: %s", e.Run.Name, diags[0].Message)}
	}
	return t, nil
}

// doReplicate samples the posteriors of a task of a study.
func doReplicate(ctx context.Context, e *Env, body json.RawMessage, index int) (Result, error) {
	var s Study
	if err := json.Unmarshal(body, &s); err != nil {
		return Result{}, &Permanent{err}
	}
	return e.replicate(ctx, &s, index)
}

// replicate samples the posteriors of task i of a study. What is wrong with one is its result,
// and others go on.
func (e *Env) replicate(ctx context.Context, s *Study, i int) (Result, error) {
	t, err := e.Test(ctx, s, nil)
	if err != nil {
		return Result{}, err
	}
	var list []replicate.Answer
	for r := i * s.Each; r < min((i+1)*s.Each, s.Flags.Replications); r++ {
		var a replicate.Answer
		again := (*tryAgain)(nil)
		if a.Kept, err = t.Kept(ctx, r, e.kept); ctx.Err() != nil {
			return Result{}, ctx.Err()
		} else if errors.As(err, &again) {
			return Result{}, again.error
		} else if err != nil {
			a = replicate.Answer{Error: err.Error()}
		}
		list = append(list, a)
	}
	text, err := json.Marshal(list)
	return Result{text, int64(len(list))}, err
}

// kept samples a posterior by the engine of the run.
func (e *Env) kept(
	ctx context.Context, inputs *data.Bound, work replicate.Work,
) (*replicate.Kept, error) {
	text, err := e.Evaluate(ctx, inputs, "replicate", work, nil)
	if permanent := (*Permanent)(nil); errors.As(err, &permanent) {
		return nil, permanent.Err
	}
	if err != nil {
		return nil, &tryAgain{err}
	}
	k := new(replicate.Kept)
	return k, json.Unmarshal(text, k)
}

// A tryAgain error is of the engine, and not of the posterior.
type tryAgain struct{ error }

// TestOf tests the model: posteriors are sampled by tasks, all else here. The report is that
// of one process.
func TestOf(ctx context.Context, e *Env, front Front, s Study) (*calibrate.Report, error) {
	t, err := e.Test(ctx, &s, nil)
	if err != nil {
		return nil, err
	}
	var all []replicate.Answer
	if t.Replications() > 0 {
		err = e.Pass(ctx, front, 1, "replicate", s.Tasks(), s, func(_ int, result []byte) error {
			return answers(result, &all)
		})
		if err != nil {
			return nil, err
		}
	}
	return e.judge(ctx, &s, all)
}

// answers adds those of the result of a task to all before.
func answers(result []byte, all *[]replicate.Answer) error {
	var list []replicate.Answer
	err := json.Unmarshal(result, &list)
	*all = append(*all, list...)
	return err
}

// judge makes the report of a study whose posteriors have been sampled.
func (e *Env) judge(
	ctx context.Context, s *Study, all []replicate.Answer,
) (*calibrate.Report, error) {
	t, err := e.Test(ctx, s, func(r int) (*replicate.Kept, error) {
		if all[r].Kept == nil {
			return nil, errors.New(all[r].Error)
		}
		return all[r].Kept, nil
	})
	if err != nil {
		return nil, err
	}
	r, errs, err := t.Run(ctx)
	for _, err := range errs {
		return nil, &Permanent{err}
	}
	return r, err
}
