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
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// directions simulates 80 documents over five words: topic 0 has the first two
// words and topic 1 the last two, shares are uniform, and a document is off its
// mean by a normal of deviation 0.1 in every word.
func directions() []byte {
	src := rng.New(seed, 0, rng.Simulate).At(2)
	docs := make([][]float64, 80)
	for d := range docs {
		share := src.Float64()
		v, sum := make([]float64, 5), 0.0
		mean := []float64{share, share, 0, 1 - share, 1 - share}
		size := math.Sqrt(2 * (share*share + (1-share)*(1-share)))
		for w := range v {
			v[w] = mean[w]/size + 0.1*src.Normal()
			sum += v[w] * v[w]
		}
		for w := range v {
			v[w] /= math.Sqrt(sum)
		}
		docs[d] = v
	}
	text, err := json.Marshal(map[string][][]float64{"v": docs})
	if err != nil {
		panic(err)
	}
	return append(bytes.ReplaceAll(text, []byte("],"), []byte("],\n")), '\n')
}

// samAt is the state where topics are at an angle from those of the simulation,
// in the plane of the two.
func samAt(angle float64) []float64 {
	c, s := math.Cos(angle)/math.Sqrt2, math.Sin(angle)/math.Sqrt2
	return []float64{c, c, 0, s, s, s, s, 0, c, c}
}

// TestSpherical: the example is in the one layout, its file is what it is
// simulated to be, and the gradient pulls topics that are too close apart, and
// those too far apart together, harder the further they are off.
func TestSpherical(t *testing.T) {
	src := read(t, "sam")
	file, m := driver.Check(src, driver.Options{})
	for _, d := range m.Diags {
		t.Errorf("%s %s", d.Code, d.Message)
	}
	if p := ast.Print(file); p != src.Text {
		t.Errorf("sam is not in the one layout, which is:\n%s", p)
	}
	path := filepath.Join("models", "sam.json")
	if *update {
		if err := os.WriteFile(path, directions(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != string(directions()) {
		t.Errorf("%s is not what this test makes; if that is meant, go test -run TestSpherical -update",
			path)
	}
	c, diags := driver.Compile(src, driver.Options{Sampled: true})
	if c == nil {
		t.Fatal(diags)
	}
	bound := onVM(t, c, path)
	rows := make([]int, bound.Rows()/2)
	for i := range rows {
		rows[i] = 2 * i
	}
	e := bound.Evaluator(len(rows))
	e.Locals(target.LocalOptions{BurnIn: 20, Kept: 10}, seed, 0)
	visit := uint64(0)
	along := func(angle float64) float64 { // the derivative by the angle, of both topics
		const tuning, visits = 10, 4
		x, g, sum := samAt(angle), make([]float64, 10), 0.0
		for v := range tuning + visits {
			e.Visit(visit, v < tuning)
			visit++
			if e.Gradient(x, rows, 1, 1, g); v < tuning {
				continue
			}
			c, s := math.Cos(angle)/math.Sqrt2, math.Sin(angle)/math.Sqrt2
			for k, d := range []float64{-s, -s, 0, c, c, c, c, 0, -s, -s} {
				sum += g[k] * d / visits
			}
		}
		return sum
	}
	far, near, close := along(-0.15), along(0), along(0.25)
	t.Logf("the pull is %.1f, %.1f and %.1f", far, near, close)
	if !(far > 20 && close < -20) {
		t.Errorf("topics that are too far apart are moved by %.1f, those too close by %.1f",
			far, close)
	}
	if !(math.Abs(near) < math.Abs(far)/2 && math.Abs(near) < math.Abs(close)/2) {
		t.Errorf("topics that are where they were simulated are moved by %.1f; too far apart "+
			"%.1f, too close %.1f", near, far, close)
	}
}
