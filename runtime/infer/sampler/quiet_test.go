package sampler

import "testing"

// TestQuiet: no step that is counted as quiet is observed, and the one after these is, or may be.
func TestQuiet(t *testing.T) {
	for _, h := range []*observer{{from: 0, stride: 1}, {from: 7, stride: 10},
		{from: 100, stride: 50, phase: 49}} {
		for at := range int64(400) {
			n := h.quiet(at)
			for k := range n {
				if h.wants(at + k) {
					t.Fatalf("%+v: of %d quiet steps from %d on, number %d is observed", h, n, at, k)
				}
			}
			if at+n > h.from && !h.wants(at+n) {
				t.Fatalf("%+v: %d steps from %d on are quiet, and more are", h, n, at)
			}
		}
	}
	plain, led := &directions{}, &directions{}
	for _, q := range []*directions{plain, led} {
		q.n, q.from, q.every = 2, 30, 4
	}
	led.leading = &leading{from: 10, to: 20, every: 3}
	for _, q := range []*directions{{}, plain, led} {
		for at := int64(0); at < 100*lookDense; at += 7 {
			n := q.quiet(at)
			for k := range min(n, 100) {
				if q.wants(at + k) {
					t.Fatalf("%+v: of %d quiet steps from %d on, number %d is observed", q, n, at, k)
				}
			}
		}
	}
}
