package session

import (
	"errors"
	"strings"

	"github.com/sgppl/sgppl/internal/calibrate"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// whyNoStart extends the error of a run in which a chain found no starting point. It adds the terms
// of the model that are not finite at the last point that the chain tried. Other errors are
// returned unchanged.
func (b *Binding) whyNoStart(dir string, err error) error {
	var failed *ExitError
	r, unread := run.Read(dir)
	if !errors.As(err, &failed) || unread != nil || r.NoStart == nil || b.Rows != nil ||
		len(target.LocalsOf(b.Target)) > 0 {
		return err
	}
	var x []float64
	var none error
	if r.Optimize != nil {
		var held target.Target
		if b.Held != nil {
			held = b.Held.Target
		}
		x, none = optimize.FailedStart(b.Target, held, *r.Optimize, *r.NoStart)
	} else {
		x, none = sampler.FailedStart(b.Target, r.Settings, *r.NoStart)
	}
	if none != nil {
		return err
	}
	if terms := calibrate.NotFinite(b.Compiled.Check, b.Bound, b.Target, x); len(terms) > 0 {
		return Failf(failed.Code, "%v\n  at the last of these points %s", failed,
			printable.Lines(strings.Join(terms, "\n  ")))
	}
	return err
}
