package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A clustering study: data simulated from 20 clusters of unit vectors, and a run
// that finds them from k-means++ centres.
type clusterStudy struct {
	rows           int
	batch          int
	step, friction float64
	warmup         int
}

// TestClusters: 20 clusters of embeddings in R^64, with concentrations between
// 50 and 200, are recovered from minibatches: the adjusted Rand index of the most
// probable components with the labels is above 0.95.
func TestClusters(t *testing.T) {
	clusterStudy{rows: 6000, batch: 500, step: 0.0005, friction: 50, warmup: 400}.run(t)
}

func (c clusterStudy) run(t *testing.T) {
	const k, d = 20, 64
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	src := rng.New(5, 0, rng.Test).At(0)
	var kappa []float64
	for range k {
		kappa = append(kappa, 50+150*src.Float64())
	}
	text, err := json.Marshal(map[string]any{"kappa": kappa})
	if err != nil {
		t.Fatal(err)
	}
	write(t, at("kappa.json"), string(text))
	model := filepath.Join("..", "..", "examples", "models", "embedding_mixture.sg")
	sgppl := func(args ...string) string {
		t.Helper()
		status, out, errs := inProcess(t, "", args...)
		if status != 0 {
			t.Fatalf("%v: status %d\n%s", args, status, errs)
		}
		return out
	}
	sgppl("simulate", model, "--set", fmt.Sprint("N=", c.rows), "--set", fmt.Sprint("D=", d),
		"--set", fmt.Sprint("K=", k),
		"--params", at("kappa.json"), "--seed", "7", "--out", at("data.json"), "--params-out",
		at("truth.json"))
	sgppl("sample", model, "--data", at("data.json"), "--set", fmt.Sprint("K=", k), "--sampler",
		"geodesic_sgnht",
		"--batch", fmt.Sprint(c.batch), "--step", fmt.Sprint(c.step), "--friction",
		fmt.Sprint(c.friction), "--init", "kmeans:mu=x,kappa=100",
		"--chains", "1", "--warmup", fmt.Sprint(c.warmup), "--draws", "20", "--thin", "5",
		"--engine", "vm", "--progress", "none", "--out", at("run"))

	var data struct{ X [][]float64 }
	var truth struct {
		Labels []int `json:"x.component"`
	}
	var fit show.Summary
	read := func(text []byte, err error, into any) {
		t.Helper()
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	text, err = os.ReadFile(at("data.json"))
	read(text, err, &data)
	text, err = os.ReadFile(at("truth.json"))
	read(text, err, &truth)
	read([]byte(sgppl("summary", at("run"), "--json")), nil, &fit)
	mean := map[string]float64{}
	for _, v := range fit.Vars {
		mean[v.Name] = float64(v.Mean)
	}
	if len(fit.Directions) != k || len(truth.Labels) != c.rows || len(data.X) != c.rows {
		t.Fatalf("%d directions, %d labels, %d rows", len(fit.Directions), len(truth.Labels),
			len(data.X))
	}
	found := make([]int, c.rows)
	for i, x := range data.X {
		best := math.Inf(-1)
		for j, m := range fit.Directions {
			kappa, cosine := mean[fmt.Sprintf("kappa[%d]", j)], 0.0
			for l, v := range x {
				cosine += v * float64(m.Direction[l])
			}
			f := math.Log(mean[fmt.Sprintf("pi[%d]", j)]) + kappa*cosine +
				special.VMFLogConstant(d, kappa)
			if f > best {
				best, found[i] = f, j
			}
		}
	}
	if r := adjustedRand(found, truth.Labels); !(r > 0.95) {
		t.Errorf("the adjusted Rand index with the labels is %.4f", r)
	} else {
		t.Logf("adjusted Rand index %.4f", r)
	}
}

// adjustedRand is the index of Hubert & Arabie (1985): 1 for the same partition,
// 0 on average for independent ones.
func adjustedRand(a, b []int) float64 {
	both, ofA, ofB := map[[2]int]float64{}, map[int]float64{}, map[int]float64{}
	for i := range a {
		both[[2]int{a[i], b[i]}]++
		ofA[a[i]]++
		ofB[b[i]]++
	}
	pairs := func(n float64) float64 { return n * (n - 1) / 2 }
	index, sumA, sumB := 0.0, 0.0, 0.0
	for _, n := range both {
		index += pairs(n)
	}
	for _, n := range ofA {
		sumA += pairs(n)
	}
	for _, n := range ofB {
		sumB += pairs(n)
	}
	expected := sumA * sumB / pairs(float64(len(a)))
	return (index - expected) / ((sumA+sumB)/2 - expected)
}

// TestAdjustedRand: names do not matter, and the value of a small table is that
// of the formula worked by hand.
func TestAdjustedRand(t *testing.T) {
	if r := adjustedRand([]int{0, 0, 1, 1, 2, 2}, []int{5, 5, 3, 3, 4, 4}); r != 1 {
		t.Errorf("the same partition has %v", r)
	}
	// pairs together: 2 in both, 6 in a, 3 in b, of 15
	if r := adjustedRand([]int{0, 0, 0, 1, 1, 1},
		[]int{0, 0, 1, 1, 2, 2}); math.Abs(r-(2-1.2)/(4.5-1.2)) > 1e-15 {
		t.Errorf("got %v", r)
	}
}
