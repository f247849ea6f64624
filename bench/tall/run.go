package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// target is the effective sample size that seconds are given for.
const target = 400

// A result is one run. Seconds count from when the data are bound.
type result struct {
	way, sampler   string // as it was asked for, and what ran
	rows           int
	seed           int
	setup, seconds float64 // the set-up is part of seconds
	ess            float64 // the least of bulk and tail, over all numbers
	// row gradients, of which a difference to the anchor has two; 0 for full passes
	evaluated        float64
	biasMean, biasSD float64 // as reported, 0 if not
	verdicts         string  // the worst of the health
}

// flags of a way to sample, in addition to the model and the data. The numbers of draws of nuts and
// msgnht are such that 400 or more of them are effective.
func flags(way string, rows int) []string {
	switch way {
	case "nuts":
		return []string{"--sampler", "nuts", "--draws", "250"}
	case "msgnht":
		return []string{"--sampler", "msgnht", "--metric", "dense", "--batch",
			strconv.Itoa(max(rows/100, 100)), "--batch-order", "replace", "--warmup", "2000",
			"--draws", "600", "--thin", "40"}
	}
	return nil
}

// run samples the data in work one way.
func run(program, work, way, engine string, rows, seed int) (*result, error) {
	out := filepath.Join(work, "run")
	args := []string{"sample", filepath.Join(work, "model.sg"), "--data",
		"x=" + filepath.Join(work, "x.npy"), "--data", "y=" + filepath.Join(work, "y.npy"),
		"--engine", engine, "--progress", "none", "--max-memory", "4G", "--force", "--out", out,
		"--seed", strconv.Itoa(seed)}
	text, err := exec.Command(program, append(args, flags(way, rows)...)...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s, %d rows: %v\n%s", way, rows, err, text)
	}
	b, err := os.ReadFile(filepath.Join(out, "run.json"))
	if err != nil {
		return nil, err
	}
	var record struct {
		Settings struct {
			Sampler string
			Batch   int
		}
		Tuning *struct {
			SetUp         float64 `json:"setup_passes"`
			Batch, Always int
			Minibatches   bool
		}
		Setup   float64 `json:"setup_seconds"`
		Seconds float64
		Chains  []struct{ Steps float64 }
		Health  []struct {
			Statistic, Verdict string
			Value              float64
		}
	}
	if err := json.Unmarshal(b, &record); err != nil {
		return nil, err
	}
	r := &result{way: way, sampler: record.Settings.Sampler, rows: rows, seed: seed,
		setup: record.Setup, seconds: record.Seconds, verdicts: "ok"}
	for _, h := range record.Health {
		switch h.Statistic {
		case "ess_bulk", "ess_tail":
			if r.ess == 0 || h.Value < r.ess {
				r.ess = h.Value
			}
		case "bias_mean":
			r.biasMean = h.Value
		case "bias_sd":
			r.biasSD = h.Value
		}
		if h.Verdict == "off" || h.Verdict == "unsure" && r.verdicts == "ok" {
			r.verdicts = h.Verdict
		}
	}
	perStep := float64(record.Settings.Batch)
	if t := record.Tuning; t != nil && t.Minibatches {
		// A chain and the finer one that is paired with it, which takes two steps.
		perStep, r.evaluated = 3*2*float64(t.Batch+t.Always), t.SetUp*float64(rows)
	}
	for _, c := range record.Chains {
		r.evaluated += c.Steps * perStep
	}
	return r, nil
}

// to400 is the seconds to 400 effective draws: of a run without settings those that it
// took, for it stops by itself, and of the others scaled by the least effective sample
// size, warm-up included.
func (r *result) to400() float64 {
	if r.way == "auto" {
		return r.seconds
	}
	return r.seconds * target / r.ess
}

const header = "way,sampler,rows,seed,setup_seconds,seconds,ess,row_gradients," +
	"bias_mean,bias_sd,health"

func (r *result) csv() string {
	return fmt.Sprintf("%s,%s,%d,%d,%.3g,%.3g,%.0f,%.3g,%.2g,%.2g,%s", r.way, r.sampler, r.rows,
		r.seed, r.setup, r.seconds, r.ess, r.evaluated, r.biasMean, r.biasSD, r.verdicts)
}

// readRuns reads what the runs were, in the order of their numbers of rows.
func readRuns(file string) ([]result, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if lines[0] != header {
		return nil, fmt.Errorf("%s: the columns are %s, expected %s", file, lines[0], header)
	}
	var out []result
	for i, line := range lines[1:] {
		var r result
		f := strings.Split(line, ",")
		if len(f) != 11 {
			return nil, fmt.Errorf("%s:%d: %d cells, expected 11", file, i+2, len(f))
		}
		r.way, r.sampler, r.verdicts = f[0], f[1], f[10]
		for k, p := range []any{&r.rows, &r.seed, &r.setup, &r.seconds, &r.ess, &r.evaluated,
			&r.biasMean, &r.biasSD} {
			if _, err := fmt.Sscan(f[k+2], p); err != nil {
				return nil, fmt.Errorf("%s:%d: cell %d: %v", file, i+2, k+3, err)
			}
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b result) int { return a.rows - b.rows })
	return out, nil
}
