//go:build slow

package manifold

import (
	"fmt"
	"testing"
)

// TestMillionFlows: every space of the table stays itself over 1e6 flows.
func TestMillionFlows(t *testing.T) {
	for _, row := range Table {
		for _, g := range examples[row.Kind] {
			if g.Dim > 100 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d,%d", row.Kind, g.Dim, g.Cols), func(t *testing.T) {
				m, err := row.New(g)
				if err != nil {
					t.Fatal(err)
				}
				checkLong(t, m, random(m, 2), 1000000)
			})
		}
	}
}
