// Package examples_test holds the example models to what the README says of
// them: their layout, their data, their gradients, and posteriors that are
// known.
package examples_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

var update = flag.Bool("update", false, "write the data beside the models anew")

// seed of the first recipe; each has two.
const seed = 20140601

func read(t testing.TB, name string) *source.File {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("models", name+".sg"))
	if err != nil {
		t.Fatal(err)
	}
	return source.New(name+".sg", string(text))
}

func compile(t testing.TB, name string) *driver.Compiled {
	t.Helper()
	c, diags := driver.Compile(read(t, name), driver.Options{})
	if len(diags) > 0 {
		t.Fatalf("%s: %s: %s", name, diags[0].Code, diags[0].Message)
	}
	return c
}

// bind binds a model to files, or to the data next to it.
func bind(t testing.TB, c *driver.Compiled, opt data.Options, specs ...string) *data.Bound {
	t.Helper()
	if specs == nil {
		specs = beside(c.Spec.Name)
	}
	b, _, errs := data.Bind(&c.Spec.Schema, specs, nil, opt)
	if errs != nil {
		t.Fatal(errs)
	}
	return b
}

func beside(name string) []string {
	file := filepath.Join("models", name+".json")
	if _, err := os.Stat(file); err != nil {
		return []string{}
	}
	return []string{file}
}

func onVM(t testing.TB, c *driver.Compiled, specs ...string) *model.Model {
	t.Helper()
	m, err := c.VM(bind(t, c, data.Options{}, specs...), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// jsonFile writes inputs to their own file.
func jsonFile(t testing.TB, inputs any) string {
	t.Helper()
	text, err := json.Marshal(inputs)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "data.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestRecipes: every model has a recipe and a line of the README, and every
// data file has a model.
func TestRecipes(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for _, r := range recipes {
		has[r.model] = true
		if !strings.Contains(string(readme), "`"+r.command()+"`") {
			t.Errorf("the README has not the command that is tested: %s", r.command())
		}
	}
	// by chains, with tests of their own
	drawn := append(slices.Clone(topicModels), "sam", "group_effects", "deep_factors")
	for _, name := range drawn {
		if !strings.Contains(string(readme), "(models/"+name+".sg)") {
			t.Errorf("the README has not %s", name)
		}
	}
	files, _ := filepath.Glob("models/*")
	for _, f := range files {
		if filepath.Ext(f) == "" {
			continue // models without data have a directory of their own
		}
		name := strings.TrimSuffix(filepath.Base(f), filepath.Ext(f))
		if !has[name] && !slices.Contains(drawn, name) {
			t.Errorf("%s has no recipe", f)
		}
	}
	if len(files) == 0 {
		t.Error("no models")
	}
}

// withSettings are models that run with settings in the README.
var withSettings = []string{"polyphony"}

// starts are the flags of models whose chains must start near the posterior.
// Those of regimes find its second mode.
var starts = map[string]string{"hidden_classes": " --init 0.5", "raters": " --init prior",
	"regimes": " --replicas 8"}

// command is that of the README: without settings but where a model needs them, which
// then are those of TestSample.
func (r *recipe) command() string {
	s := fmt.Sprintf("sgppl sample examples/models/%s.sg", r.model)
	if r.given != nil {
		s += fmt.Sprintf(" --data examples/models/%s.json", r.model)
	}
	if !slices.Contains(withSettings, r.model) {
		return s + starts[r.model]
	}
	return s + fmt.Sprintf(" --sampler %s --step %g --friction %g --batch %d --init 0.5 --warmup "+
		"10000 --draws 1000 --thin 10", r.method(), r.step, r.friction, r.batch)
}

func (r *recipe) method() string { return cmp.Or(r.sampler, "msgnht") }

// TestData: the data next to each model is what its recipe makes.
func TestData(t *testing.T) {
	for i := range recipes {
		r := &recipes[i]
		if r.given == nil {
			continue
		}
		t.Run(r.model, func(t *testing.T) {
			text := r.make(t, i)
			file := filepath.Join("models", r.model+".json")
			if *update {
				if err := os.WriteFile(file, text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			have, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if string(have) != string(text) {
				t.Errorf("%s is not what its recipe makes; if that is meant, go test -run "+
					"TestData -update", file)
			}
		})
	}
}

// make simulates a model's data from its recipe, the one of that index.
func (r *recipe) make(t *testing.T, index int) []byte {
	own := seed + 2*uint64(index)
	g := &maker{src: rng.New(own+1, 0, rng.Simulate).At(0)}
	r.given(g)
	var fixed []driver.Named
	for _, v := range g.values {
		fixed = append(fixed, driver.Named{Name: v.name, Value: v.value})
	}
	c := compile(t, r.model)
	if r.complete(c, g) {
		return driver.JSON(fixed)
	}
	file := filepath.Join(t.TempDir(), "given.json")
	if err := os.WriteFile(file, driver.JSON(fixed), 0o644); err != nil {
		t.Fatal(err)
	}
	truth := map[string]*data.Value{}
	for name, v := range r.truth {
		if v != nil {
			truth[name] = v
		}
	}
	out, diags, errs, err := driver.Simulate(read(t, r.model),
		driver.SimulateOptions{Data: []string{file}, Params: truth, Seed: own})
	if err != nil || errs != nil || out == nil {
		t.Fatal(diags, errs, err)
	}
	var list []driver.Named
	for _, d := range out.Data {
		in := c.Spec.Schema.Input(d.Name)
		if in == nil || in.Default {
			continue // sizes follow from the arrays, and defaults need no file
		}
		// Unit vectors keep their digits, and with them their length.
		if !d.Whole && in.Own == 0 && d.Value.F64 != nil && !isGiven(g, d.Name) {
			for i, x := range d.Value.F64 {
				d.Value.F64[i] = digits(x)
			}
		}
		list = append(list, d)
	}
	// A size that no input has, such as the number of classes, is in the file.
	for _, v := range g.values {
		if c.Spec.Schema.Dim(v.name) != nil && v.name == "K" {
			list = append(list, driver.Named{Name: v.name, Whole: true, Value: v.value})
		}
	}
	return driver.JSON(list)
}

// complete reports whether all inputs are given.
func (r *recipe) complete(c *driver.Compiled, g *maker) bool {
	for i := range c.Spec.Schema.Inputs {
		if in := &c.Spec.Schema.Inputs[i]; !in.Default && !isGiven(g, in.Name) {
			return false
		}
	}
	return true
}

func isGiven(g *maker, name string) bool {
	for _, v := range g.values {
		if v.name == name {
			return true
		}
	}
	return false
}

// digits keeps four significant digits.
func digits(x float64) float64 {
	if x == 0 {
		return 0
	}
	unit := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(x))))
	return math.Round(x*unit) / unit
}
