package examples_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// groupTruth are the params that the groups are simulated from.
var groupTruth = map[string]float64{"m": 0.5, "b": -1, "tau": 0.8, "sigma": 0.5}

// groups simulates 60 groups of 1 to 8 rows, by the model itself.
func groups(t *testing.T) []byte {
	t.Helper()
	src := rng.New(seed, 0, rng.Simulate).At(3)
	lengths, rows := make([]int, 60), 0
	for j := range lengths {
		lengths[j] = 1 + src.IntN(8)
		rows += lengths[j]
	}
	x := make([]float64, rows)
	for i := range x {
		x[i] = digits(src.Normal())
	}
	given := data.Ragged(x, [][]int{{len(lengths)}, lengths})
	file := filepath.Join(t.TempDir(), "x.json")
	if err := os.WriteFile(file,
		driver.JSON([]driver.Named{{Name: "x", Value: given, Lists: given}}), 0o644); err != nil {
		t.Fatal(err)
	}
	truth := map[string]*data.Value{}
	for name, v := range groupTruth {
		truth[name] = data.Scalar(v)
	}
	out, diags, errs, err := driver.Simulate(read(t, "group_effects"),
		driver.SimulateOptions{Data: []string{file}, Params: truth, Seed: seed})
	if err != nil || errs != nil || out == nil {
		t.Fatal(diags, errs, err)
	}
	var list []driver.Named
	for _, d := range out.Data {
		if d.Lists == nil {
			continue // sizes and lengths follow from the arrays
		}
		for i, y := range d.Lists.F64 {
			d.Lists.F64[i] = digits(y)
		}
		list = append(list, d)
	}
	return driver.JSON(list)
}

// TestGroups: the example is in the one layout, and its file is what its model
// simulates.
func TestGroups(t *testing.T) {
	src := read(t, "group_effects")
	file, m := driver.Check(src, driver.Options{})
	for _, d := range m.Diags {
		t.Errorf("%s %s", d.Code, d.Message)
	}
	if p := ast.Print(file); p != src.Text {
		t.Errorf("group_effects is not in the one layout, which is:\n%s", p)
	}
	path, text := filepath.Join("models", "group_effects.json"), groups(t)
	if *update {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != string(text) {
		t.Errorf("%s is not what this test makes; if that is meant, go test -run TestGroups -update",
			path)
	}
}

// drawnGroups is the example as it is sampled, and collapsedGroups the same with
// the effects integrated out, which is exact.
func drawnGroups(t *testing.T) *model.Model {
	t.Helper()
	c, diags := driver.Compile(read(t, "group_effects"), driver.Options{Sampled: true})
	if c == nil {
		t.Fatal(diags)
	}
	return onVM(t, c, filepath.Join("models", "group_effects.json"))
}

func collapsedGroups(t *testing.T) *model.Model {
	t.Helper()
	src := read(t, "group_effects")
	c, diags := driver.Compile(source.New("groups.sg",
		strings.Replace(src.Text, "by gmc", "by collapse", 1)), driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	return onVM(t, c, filepath.Join("models", "group_effects.json"))
}

// TestGroupsExact: the mean of the gradients of minibatches, whose effects are
// drawn, is the exact one within Monte Carlo error.
func TestGroupsExact(t *testing.T) {
	const visits, tuning = 160, 10
	drawn, exact := drawnGroups(t), collapsedGroups(t)
	rows := []int{0, 7, 14, 21, 28, 35, 42, 49, 56, 59}
	e, f := drawn.Evaluator(len(rows)), exact.Evaluator(len(rows))
	for k, x := range [][]float64{{0.5, -1, math.Log(0.8), math.Log(0.5)},
		{-0.3, -0.6, math.Log(0.4), math.Log(0.9)}} {
		want, g := make([]float64, len(x)), make([]float64, len(x))
		f.Gradient(x, rows, 6, 1, want)
		e.Locals(target.LocalOptions{BurnIn: 20, Kept: 20}, seed, k)
		mean, square := make([]float64, len(x)), make([]float64, len(x))
		for v := range tuning + visits {
			e.Visit(uint64(v), v < tuning)
			if e.Gradient(x, rows, 6, 1, g); v < tuning {
				continue
			}
			for i, d := range g {
				mean[i] += d / visits
				square[i] += d * d / visits
			}
		}
		for i, w := range want {
			se := math.Sqrt(max(square[i]-mean[i]*mean[i], 0) / (visits - 1))
			z := (mean[i] - w) / se
			t.Logf("coordinate %d: %.4f ± %.4f, exact %.4f, z = %.2f", i, mean[i], se, w, z)
			if !(math.Abs(z) <= maxZ) || !(se < 0.1*math.Abs(w)+3) {
				t.Errorf("state %d, coordinate %d: %.4f ± %.4f, exact %.4f", k, i, mean[i], se, w)
			}
		}
	}
}
