package formula

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestCollinear holds the condition number to that of a singular value decomposition, and the
// names to the columns that were made dependent.
func TestCollinear(t *testing.T) {
	const rows = 200
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 7))
		var all []covariate
		for k := range 4 {
			x := make([]float64, rows)
			for i := range x {
				x[i] = 100*float64(k) + float64(k+1)*r.NormFloat64()
			}
			all = append(all, covariate{label: fmt.Sprint("x", k), value: value{rows: x}})
		}
		if text := collinear(all, true); text != "" {
			t.Errorf("seed %d: independent columns: %s", seed, text)
		}
		for i, v := range all[1].rows { // x3 is made of x1, and of a little else
			all[3].rows[i] = 5 - 2*v + 0.01*r.NormFloat64()
		}
		text := collinear(all, true)
		if !strings.HasPrefix(text, "the columns x1, x3 are nearly collinear") {
			t.Errorf("seed %d: %s", seed, text)
		}
		x := mat.NewDense(rows, len(all), nil)
		for j, c := range all {
			for i, v := range c.rows {
				x.Set(i, j, (v-mean(c.rows))/deviation(c.rows))
			}
		}
		if want := fmt.Sprintf("is %.0f,", mat.Cond(x, 2)); !strings.Contains(text, want) {
			t.Errorf("seed %d: %s, expected %s", seed, text, want)
		}
		for i, v := range all[1].rows {
			all[3].rows[i] = 3 * v
		}
		if text := collinear(all, true); !strings.HasPrefix(text,
			"the columns x1, x3 determine each other") {
			t.Errorf("seed %d: %s", seed, text)
		}
	}
}
