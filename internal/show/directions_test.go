package show

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// TestDirections: points by name, only those whose coordinates are all there,
// with the worst of their diagnostics.
func TestDirections(t *testing.T) {
	v := trace.Variable{Name: "mu", Shape: []int{2, 2, 2}}
	vars := []SummaryVar{
		{Name: "mu[0,0,1]", Mean: 9}, // its neighbour is missing
		{Name: "mu[0,1,0]", Mean: 0.3, ESSBulk: 100, ESSTail: 80, Rhat: 1.02},
		{Name: "mu[0,1,1]", Mean: -0.4, ESSBulk: 120, ESSTail: 60, Rhat: 1.01},
		{Name: "mu[1,1,0]", Mean: 0, Rhat: run.Float(math.NaN())},
		{Name: "mu[1,1,1]", Mean: 0, Rhat: 1},
	}
	d := Directions(v, vars)
	if len(d) != 2 || d[0].Name != "mu[0,1]" || d[1].Name != "mu[1,1]" {
		t.Fatalf("points %+v", d)
	}
	p := d[0]
	if math.Abs(float64(p.Resultant)-0.5) > 1e-15 ||
		math.Abs(float64(p.Direction[0])-0.6) > 1e-15 ||
		math.Abs(float64(p.Direction[1])+0.8) > 1e-15 {
		t.Errorf("direction %+v", p)
	}
	if p.ESSBulk != 100 || p.ESSTail != 60 || p.Rhat != 1.02 {
		t.Errorf("diagnostics %+v", p)
	}
	if !math.IsNaN(float64(d[1].Rhat)) || !math.IsNaN(float64(d[1].Direction[0])) {
		t.Errorf("no direction, yet %+v", d[1])
	}
	one := Directions(trace.Variable{Name: "x", Shape: []int{2}},
		[]SummaryVar{{Name: "x[0]", Mean: 1}, {Name: "x[1]"}})
	if len(one) != 1 || one[0].Name != "x" || one[0].Resultant != 1 {
		t.Errorf("a single point: %+v", one)
	}
}
