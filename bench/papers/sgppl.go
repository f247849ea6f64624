package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	sgppl "github.com/sgppl/sgppl/runtime/results/run"
)

// call runs sgppl, which it builds first, on one thread, and returns what it prints.
func (b *bench) call(args ...string) ([]byte, error) {
	if b.program == "" {
		b.program = filepath.Join(b.work, "sgppl")
		build := exec.Command("go", "build", "-o", b.program, "./cmd/sgppl")
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%v\n%s", err, out)
		}
	}
	cmd := exec.Command(b.program, args...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err := cmd.Output()
	if failed, is := err.(*exec.ExitError); is {
		return nil, fmt.Errorf("%v\n%s", err, failed.Stderr)
	}
	return out, err
}

// dir is a run directory that is not there.
func (b *bench) dir() string {
	dir := filepath.Join(b.work, "run")
	os.RemoveAll(dir)
	return dir
}

// sampled runs sgppl sample and returns how the predictive of the held-out rows came about: the
// draw, from 1, the accuracy and the mean log density by the average of the draws up to it, and
// the accuracy by this draw alone. A run that diverged gives the rows that it has, and one in
// which draw is 0 in the end.
func (b *bench) sampled(args ...string) ([][]string, error) {
	dir := b.dir()
	_, err := b.call(append([]string{"sample", "--out", dir, "--threads", "1", "--chains", "1",
		"--progress", "none"}, args...)...)
	var rows [][]string
	text, missing := os.ReadFile(sgppl.HeldOutSeries(dir))
	if missing == nil {
		var s sgppl.Series
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, err
		}
		c := &s.Chains[0]
		for i, draw := range c.Draws {
			rows = append(rows, []string{strconv.FormatInt(draw+1, 10),
				number(float64(c.Accuracy[i]), 5), number(float64(c.LPDMean[i]), 6),
				number(float64(c.DrawAccuracy[i]), 5)})
		}
	}
	if err == nil {
		return rows, nil
	}
	if r, unread := sgppl.Read(dir); unread == nil && r.Status == sgppl.Failed {
		return append(rows, []string{"0", "diverged", "", ""}), nil
	}
	return nil, err
}

// number writes a number with so many significant digits.
func number(x float64, digits int) string { return strconv.FormatFloat(x, 'g', digits, 64) }

func decimal(n int) string { return strconv.Itoa(n) }

// scored is a score of rows under a point of a run.
func (b *bench) scored(dir, point string, data ...string) (map[string]float64, error) {
	out, err := b.call(append([]string{"score", dir, "--point", point, "--json", "--threads",
		"1"}, data...)...)
	if err != nil {
		return nil, err
	}
	var all map[string]any
	if err := json.Unmarshal(out, &all); err != nil {
		return nil, err
	}
	score := map[string]float64{}
	for name, x := range all {
		if v, is := x.(float64); is {
			score[name] = v
		}
	}
	return score, nil
}

// looks are columns of what the looks of an optimiser's only chain found, of which lp is divided by
// the number of rows.
func looks(dir string, n float64, columns ...string) ([][]string, error) {
	r, err := sgppl.Read(dir)
	if err != nil {
		return nil, err
	}
	path, _ := sgppl.Checks(dir, r)
	store, err := sgppl.OpenStore(path, r)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	var rows [][]string
	for k, name := range columns {
		a, err := store.Read("sample_stats", name)
		if err != nil {
			return nil, err
		}
		for i, x := range a.Data {
			if k == 0 {
				rows = append(rows, nil)
			}
			if name == "lp" {
				x /= n
			}
			rows[i] = append(rows[i], number(x, 6))
		}
	}
	return rows, nil
}
