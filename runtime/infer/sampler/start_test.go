package sampler

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/infer/start"
)

// TestStartGradient: a start where the gradient is not finite is tried again, by
// every sampler; where none is found the error says so, and how often.
func TestStartGradient(t *testing.T) {
	slope := func(good func(x float64) bool) func(float64) float64 {
		return func(x float64) float64 {
			if good(x) {
				return x
			}
			return math.NaN()
		}
	}
	flat := func(float64) float64 { return 0 }
	eachSampler(func(row *table.Row, scheme string) {
		half := newWell(flat, slope(func(x float64) bool { return x > 0 }))
		for k := range 6 {
			c := config(row.Name, scheme, 0.1)
			if x := mustChain(t, half, c, k).Position(); x[0] <= 0 {
				t.Errorf("%s %s: chain %d starts at %g, where the gradient is NaN", row.Name,
					scheme, k, x[0])
			}
		}
	})
	var e *start.Error
	never := newWell(flat, slope(func(float64) bool { return false }))
	_, err := NewChain(never, config("nuts", "", 0), 2)
	if !errors.As(err, &e) || e.Chain != 2 ||
		!strings.Contains(err.Error(),
			"the gradient of the log density at each of 100 random starting points is not finite") {
		t.Errorf("got %v", err)
	}
	for _, no := range []string{"--step", "--friction"} {
		if strings.Contains(err.Error(), no) {
			t.Errorf("%v names %s", err, no)
		}
	}
	c := config("nuts", "", 0)
	c.Init = [][]float64{{1}}
	if _, err := NewChain(never, c, 0); !errors.As(err, &e) ||
		!strings.Contains(err.Error(), "at the given starting point") {
		t.Errorf("got %v", err)
	}
	mixed := newWell(func(x float64) float64 { return math.Log(x) },
		slope(func(float64) bool { return false }))
	if _, err := NewChain(mixed, config("nuts", "", 0), 0); err == nil ||
		!strings.Contains(err.Error(), "or its gradient, is not finite (the gradient alone at ") {
		t.Errorf("got %v", err)
	}
	// The last point that was tried can be had again.
	x, err := FailedStart(never, config("nuts", "", 0), 2)
	y, _ := FailedStart(never, config("nuts", "", 0), 3)
	if err != nil || len(x) != 1 || x[0] == y[0] || x[0] == 0 {
		t.Errorf("%v, %v: %v", x, y, err)
	}
}
