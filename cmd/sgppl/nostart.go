package main

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

// whyNoStart adds to the error of a run the terms of the model that are not finite
// where a chain last tried to start, if that is why it failed.
func (b *binding) whyNoStart(dir string, err error) error {
	var failed *exitError
	r, unread := run.Read(dir)
	if !errors.As(err, &failed) || unread != nil || r.NoStart == nil || b.rows != nil || len(target.LocalsOf(b.target)) > 0 {
		return err
	}
	var x []float64
	var none error
	if r.Optimize != nil {
		var held target.Target
		if b.held != nil {
			held = b.held.target
		}
		x, none = optimize.FailedStart(b.target, held, *r.Optimize, *r.NoStart)
	} else {
		x, none = sampler.FailedStart(b.target, r.Settings, *r.NoStart)
	}
	if none != nil {
		return err
	}
	if terms := calibrate.NotFinite(b.compiled.Check, b.bound, b.target, x); len(terms) > 0 {
		return fail(failed.code, "%v\n  at the last of these points %s", failed, printable.Lines(strings.Join(terms, "\n  ")))
	}
	return err
}
