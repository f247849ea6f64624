package examples_test

import (
	"math"
	"os"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

func googlenet(t *testing.T) *source.File {
	t.Helper()
	text, err := os.ReadFile("models/networks/googlenet.sg")
	if err != nil {
		t.Fatal(err)
	}
	return source.New("googlenet.sg", string(text))
}

// GoogLeNet has as many weights as its authors' network without the two classifiers on the way,
// 6,998,552: the sum of the layers of Szegedy et al. (2015), table 1, with their biases.
func TestGoogLeNetWeights(t *testing.T) {
	src := googlenet(t)
	file, m := driver.Check(src, driver.Options{})
	if len(m.Diags) > 0 {
		t.Fatal(m.Diags[0].Message)
	}
	if ast.Print(file) != src.Text {
		t.Error("googlenet.sg is not in the one layout")
	}
	entries := func(ty types.Type) int {
		n := 1
		for _, p := range ty.Shape {
			k, known := p.Number()
			if !known {
				t.Fatalf("the size %s is not known", p)
			}
			n *= k
		}
		return n
	}
	total := 0
	for _, s := range m.Symbols {
		switch {
		case s.Kind == check.Param:
			total += entries(s.Type)
		case s.Kind == check.Layer:
			for _, w := range s.Inst.Params {
				total += entries(w.Type)
			}
		}
	}
	if total != 6998552 {
		t.Errorf("%d weights, want 6998552", total)
	}
}

// The gradient of a GoogLeNet that is an eighth as wide, on pictures of 32 by 32, is that of
// central differences.
func TestGoogLeNetGradient(t *testing.T) {
	const n, k = 2, 3
	c, diags := driver.Compile(googlenet(t),
		driver.Options{Set: map[string]float64{"u": 1, "G": 1, "K": k}})
	if c == nil {
		t.Fatal(diags[0].Message)
	}
	src := rng.New(seed, 0, rng.Init).At(0)
	x := make([]float64, n*3*32*32)
	for i := range x {
		x[i] = 2*src.Float64() - 1
	}
	bound, _, errs := data.Validate(&c.Spec.Schema, map[string]*data.Value{
		"x": data.Dense(x, n, 3, 32, 32), "y": data.Dense([]float64{2, 0}, n),
	}, nil, data.Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, at := m.Evaluator(n), make([]float64, m.Dim())
	for i := range at {
		at[i] = 0.15 * src.Normal()
	}
	grad := make([]float64, len(at))
	e.Gradient(at, nil, 1, 1, grad)
	live := 0
	for _, b := range m.Blocks() { // an entry of every array of weights
		const h = 1e-5
		i := b.Offset + int(src.Float64()*float64(b.Len))
		old := at[i]
		at[i] = old + h
		up := e.LogDensity(at, nil, 1, 1)
		at[i] = old - h
		want := (up - e.LogDensity(at, nil, 1, 1)) / (2 * h)
		at[i] = old
		if !(math.Abs(grad[i]-want) <= 1e-5*(1+math.Abs(want))) {
			t.Errorf("%s, entry %d: gradient %.9g, by differences %.9g", b.Name, i-b.Offset,
				grad[i], want)
		}
		if math.Abs(grad[i]+old) > 1e-4 { // more than the prior
			live++
		}
	}
	if live < len(m.Blocks())/2 {
		t.Errorf("the likelihood depends on %d of %d entries", live, len(m.Blocks()))
	}
}
