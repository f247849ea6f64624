package driver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/lang/source"
)

// Every reference model is taken through all phases: it compiles, or each
// diagnostic says what cannot be compiled yet. Never a crash, never an error
// of another kind.
func TestReferenceModels(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(reference.Path(t, "models"), "*.sg"))
	if err != nil || len(files) == 0 {
		t.Fatal("no models", err)
	}
	compiled := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, diags := Compile(source.New(filepath.Base(file), string(text)), Options{})
		if c != nil {
			compiled++
			continue
		}
		for _, d := range diags {
			if !strings.HasPrefix(string(d.Code), "E07") {
				t.Errorf("%s: %s %s", filepath.Base(file), d.Code, d.Message)
			}
		}
	}
	t.Logf("%d of %d compile", compiled, len(files))
	if compiled < 20 {
		t.Errorf("only %d models compile", compiled)
	}
}

// A simulation is a function of the model, the sizes and the seed.
func TestSimulateIsDeterministic(t *testing.T) {
	src := source.New("m.sg", "dim N\ndata x[N] : real\n"+
		"param a, s : positive ~ normal(0, 2)\ndata y[N] : real\n"+
		"for n in N { y[n] ~ normal(a * x[n], s) }\n")
	draw := func(seed uint64) string {
		out, diags, errs, err := Simulate(src, SimulateOptions{Sets: []string{"N=7"}, Seed: seed})
		if out == nil {
			t.Fatal(diags, errs, err)
		}
		return string(JSON(out.Data)) + string(JSON(out.Params))
	}
	if draw(3) != draw(3) {
		t.Error("one seed, two data sets")
	}
	if draw(3) == draw(4) {
		t.Error("two seeds, one data set")
	}
}

// A prior on a narrower type is drawn by drawing again: a half normal is never
// negative, and its mean is right.
func TestSimulateNarrowTypes(t *testing.T) {
	src := source.New("m.sg", "dim N\nparam a[N] : positive ~ normal(0, 1), b[N] : interval(1, "+
		"2) ~ normal(0, 1)\nparam o[N] : ordered[3] ~ normal(0, 1)\n")
	out, diags, errs, err := Simulate(src, SimulateOptions{Sets: []string{"N=4000"}, Seed: 5})
	if out == nil {
		t.Fatal(diags, errs, err)
	}
	mean := func(x []float64) float64 { return sum(x) / float64(len(x)) }
	for _, p := range out.Params {
		x := p.Value.F64
		switch p.Name {
		case "a": // √(2/π), sd √(1 − 2/π)
			if m := mean(x); m < 0.7979-4*0.6028/63.2 || m > 0.7979+4*0.6028/63.2 {
				t.Errorf("mean of |N(0, 1)|: %v", m)
			}
		case "b": // (φ(1) − φ(2)) / (Φ(2) − Φ(1)) = 1.38317
			if m := mean(x); m < 1.3832-4*0.26/63.2 || m > 1.3832+4*0.26/63.2 {
				t.Errorf("mean of N(0, 1) on (1, 2): %v", m)
			}
		case "o":
			for i := 0; i < len(x); i += 3 {
				if !(x[i] < x[i+1] && x[i+1] < x[i+2]) {
					t.Fatalf("not rising: %v", x[i:i+3])
				}
			}
		}
	}
}
