package examples_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// Topic models have latent values of rows, which chains draw, so no function
// gives their density: they have their own tests.
var topicModels = []string{"lda", "lda_gmc"}

// corpus simulates 60 documents of 20 to 39 words, of three topics of four words
// each: a document is of one or two of them, and one word in ten is any.
func corpus() []byte {
	src := rng.New(seed, 0, rng.Simulate).At(1)
	words := make([][]int, 60)
	for d := range words {
		first, second := src.IntN(3), src.IntN(3)
		for range 20 + src.IntN(20) {
			topic := first
			if src.Float64() < 0.3 {
				topic = second
			}
			w := 4*topic + src.IntN(4)
			if src.Float64() < 0.1 {
				w = src.IntN(12)
			}
			words[d] = append(words[d], w)
		}
	}
	text, err := json.Marshal(map[string][][]int{"w": words})
	if err != nil {
		panic(err)
	}
	return append(bytes.ReplaceAll(text, []byte("],"), []byte("],\n")), '\n')
}

// topicModel compiles a model for minibatches and binds it to its file.
func topicModel(t *testing.T, name string) *model.Model {
	t.Helper()
	src := read(t, name)
	c, diags := driver.Compile(src, driver.Options{Sampled: true})
	if c == nil {
		t.Fatal(diags)
	}
	return onVM(t, c, filepath.Join("models", name+".json"))
}

func TestTopics(t *testing.T) {
	for _, name := range topicModels {
		src := read(t, name)
		file, m := driver.Check(src, driver.Options{})
		for _, d := range m.Diags {
			t.Errorf("%s: %s %s", name, d.Code, d.Message)
		}
		if p := ast.Print(file); p != src.Text {
			t.Errorf("%s is not in the one layout, which is:\n%s", name, p)
		}
		path := filepath.Join("models", name+".json")
		if *update {
			if err := os.WriteFile(path, corpus(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(path); err != nil || string(have) != string(corpus()) {
			t.Errorf("%s is not what this test makes; if that is meant, go test -run TestTopics -update",
				path)
		}
	}
}

// TestTopicsAgree: whether the proportions of documents are integrated out or
// moved, the gradient is the same within Monte Carlo error.
func TestTopicsAgree(t *testing.T) {
	const visits, tuning = 16, 8
	var mean, square [2][]float64
	for i, name := range topicModels {
		m := topicModel(t, name)
		x := make([]float64, m.Dim())
		for k := range x {
			if k%12/4 == k/12 { // topic k has its own four words
				x[k] = 2
			}
		}
		e := m.Evaluator(10)
		e.Locals(target.LocalOptions{BurnIn: 20, Kept: 30}, seed, 0)
		rows, g := []int{0, 14, 28, 42, 59}, make([]float64, len(x))
		mean[i], square[i] = make([]float64, len(x)), make([]float64, len(x))
		for v := range tuning + visits {
			e.Visit(uint64(v), v < tuning)
			if e.Gradient(x, rows, 1, 1, g); v < tuning {
				continue
			}
			for k, d := range g {
				mean[i][k] += d / visits
				square[i][k] += d * d / visits
			}
		}
	}
	size := 0.0
	for k, a := range mean[0] {
		b := mean[1][k]
		variance := square[0][k] - a*a + square[1][k] - b*b
		se := math.Sqrt(max(variance, 0) / (visits - 1))
		if !(math.Abs(a-b) <= 5*se+1e-6) || !(se < 1.5) {
			t.Errorf("coordinate %d: %.4f integrated out and %.4f moved, ± %.4f", k, a, b, se)
		}
		size = max(size, math.Abs(a))
	}
	if size < 5 {
		t.Errorf("the gradient is %.3g at most, which tells nothing", size)
	}
}

// TestTopicsComplete: words of topics that are known predict the others better
// than the frequencies of words do.
func TestTopicsComplete(t *testing.T) {
	src := read(t, topicModels[0])
	c, diags := driver.Complete(source.New(src.Name, src.Text), driver.Options{})
	if c == nil {
		t.Fatal(diags)
	}
	var bounds [2]*data.Bound
	for i, part := range []*driver.Compiled{c.Observed, c.Scored} {
		words := []float64{0, 1, 2, 3, 8, 9, 11}
		if i == 1 {
			words = []float64{1, 2, 10}
		}
		lengths := [][]int{{4, 3}, {2, 1}}[i]
		bound, _, errs := data.Validate(&part.Spec.Schema,
			map[string]*data.Value{"w": data.Ragged(words, [][]int{{2}, lengths})}, nil,
			data.Options{Fixed: map[string]int{"V": 12}})
		if errs != nil {
			t.Fatal(errs[0])
		}
		bounds[i] = bound
	}
	known, all, err := c.Bind(bounds[0], bounds[1], driver.Recorded{})
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, known.Dim())
	for k := range x {
		if k%12/4 == k/12 {
			x[k] = 3
		}
	}
	out := make([]float64, all.Width())
	all.Evaluator(target.LocalOptions{}, seed).Eval(x, 0, nil, out)
	for i, l := range out {
		if _, weight := all.Entry(i); weight > 0 && !(l > math.Log(0.18) && l < math.Log(0.25)) {
			t.Errorf("word %d has the probability %.4f", i, math.Exp(l))
		}
	}
}
