package driver

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/data"
)

func TestLogisticTry(t *testing.T) {
	text, _ := os.ReadFile("../../../shared/models/logistic.sg")
	c, d := Compile(source.New("logistic.sg", string(text)), Options{Dump: func(p, fn, text string) {
		if p == "plan" && fn == "gradient" || p == "stage" && fn == "gradient" {
			t.Logf("%s", text)
		}
	}})
	if c == nil {
		t.Fatal(d)
	}
	b, _, errs := data.Bind(&c.Spec.Schema, []string{"x=../../../shared/data/a9a/a9a.gz:features", "y=../../../shared/data/a9a/a9a.gz:label"}, nil, data.Options{})
	if errs != nil {
		t.Fatal(errs)
	}
	m, err := c.VM(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := m.NewEvaluator(10)
	x := make([]float64, m.Dim())
	for i := range x {
		x[i] = 0.1 * rand.NormFloat64()
	}
	rows := []int{5, 7, 1000, 32000}
	g := make([]float64, len(x))
	for _, r := range [][]int{nil, rows} {
		e.Gradient(x, r, 2.5, 1, g)
		for _, i := range []int{0, 3, 50, 123} {
			h := 1e-5
			x[i] += h
			up := e.LogDensity(x, r, 2.5, 1)
			x[i] -= 2 * h
			dn := e.LogDensity(x, r, 2.5, 1)
			x[i] += h
			fd := (up - dn) / (2 * h)
			if math.Abs(fd-g[i]) > 1e-3*(1+math.Abs(fd)) {
				t.Errorf("grad %d: %v vs %v", i, g[i], fd)
			}
		}
	}
	t.Log(e.LogDensity(x, nil, 1, 1))
}
