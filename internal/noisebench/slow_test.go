//go:build slow

package noisebench

import "testing"

// TestBenchAll: every case, sampler and order. No run is green and wrong.
func TestBenchAll(t *testing.T) {
	count := map[string]int{}
	for _, c := range Cases() {
		for _, name := range c.Samplers {
			for _, order := range Orders {
				r := c.Do(name, order, 2, 0)
				hold(t, r)
				key := "right"
				if r.Wrong() {
					key = "wrong"
				}
				switch {
				case r.Refused != nil:
					key = "refused"
				case len(r.Off) > 0:
					key += ", off"
				case len(r.Unsure) > 0:
					key += ", unsure"
				default:
					key += ", ok"
				}
				count[key]++
			}
		}
	}
	t.Logf("%v", count)
}
