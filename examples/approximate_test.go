package examples_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/approximate"
	"github.com/sgppl/sgppl/runtime/infer/loop"
)

// approximated is a row of bench/approximate.md: how a method does on a reference posterior. The
// seed is 300 and the number of the case, set before any run. wrong says why the row is one that
// must not be.
func (r *referenceCase) approximated(t *testing.T, method string) (row, wrong string) {
	t.Helper()
	m := r.target(t)
	c := approximate.DefaultConfig()
	c.Method, c.Seed = method, 300+uint64(r.number)
	start := r.config("nuts")
	r.start(t, m, &start)
	c.Init = start.Init
	got, err := approximate.Run(context.Background(), m, c, loop.Options{}, nil)
	var no *approximate.Refusal
	if errors.As(err, &no) {
		return fmt.Sprintf("| %s | %s | | | refused | | | |", r.model, method), ""
	}
	if err != nil {
		t.Fatal(err)
	}
	verdict, why := got.Exactness.Verdict()
	var o comparison
	if err := o.compare(m, got.Collect(), loadReference(t, r.posterior)); err != nil {
		if verdict != approximate.Off {
			wrong = err.Error()
		}
		o.err, o.ratio = math.NaN(), math.NaN()
	}
	if verdict == approximate.OK && !o.holds(0.15, 1.15) {
		wrong = fmt.Sprintf("is called ok: mean off by %.3f sd at %s, ratio of deviations %.3f", o.err,
			o.where, o.ratio)
	}
	x := got.Exactness
	t.Logf("%s %s: %s %s", r.model, method, verdict, why)
	return fmt.Sprintf("| %s | %s | %.2f | %.0f | %s | %.3f | %.3f | %d |", r.model, method, x.K,
		x.Effective, verdict, o.err, o.ratio, x.Gradients), wrong
}

// TestApproximations is the part of the slow TestApproximateTable that is quick: no approximation
// that is called ok is wrong.
func TestApproximations(t *testing.T) {
	for _, k := range []int{3, 5, 8, 13, 15} {
		for _, method := range []string{"laplace", "pathfinder"} {
			r := &referenceCases[k-1]
			row, wrong := r.approximated(t, method)
			t.Log(row)
			if wrong != "" {
				t.Errorf("%s by %s: %s", r.model, method, wrong)
			}
		}
	}
}
