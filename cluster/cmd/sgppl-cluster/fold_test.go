package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/cluster/pass"
)

// --split cuts a shard: the numbers stay to rounding, and the run is another.
func TestSplitFlag(t *testing.T) {
	dir := t.TempDir()
	rows := table(t, dir, 3000)
	run, want := fit(t, dir, rows)
	args := []string{"score", run, "--data=" + rows, "--shard-size=40K", "--engine=vm",
		"--cache=" + filepath.Join(dir, "cache"), "--json"}
	out := "--out=" + filepath.Join(dir, "a")
	if code, _, messages := command(t, nil, append(args, out)...); code != 0 {
		t.Fatal(messages)
	}
	code, text, messages := command(t, nil, append(args, "--split=1/3", "--split=0",
		"--out="+filepath.Join(dir, "b"))...)
	var got struct {
		Rows int
		LPD  float64
	}
	if err := json.Unmarshal([]byte(text), &got); code != 0 || err != nil || got.Rows != 3000 ||
		math.Abs(got.LPD-want.LPD) > 1e-13 {
		t.Errorf("%d: %s%s, want %v", code, text, messages, want.LPD)
	}
	_, a, _ := command(t, nil, "shards", "--data="+rows, "--shard-size=40K")
	_, b, _ := command(t, nil, "shards", "--data="+rows, "--shard-size=40K", "--split=1/3",
		"--split=0")
	if more := strings.Count(b, "\n") - strings.Count(a, "\n"); more != 3 {
		t.Errorf("%d shards more:\n%s", more, b)
	}
	for _, c := range []struct {
		code  int
		words string
		args  []string
	}{
		{exitData, "holds another run", []string{out, "--split=1"}},
		{exitUsage, "there are shards 0 to", []string{out, "--split=70"}},
		{exitUsage, "17/4 for four pieces", []string{out, "--split=1/1"}},
		{exitUsage, "17/4 for four pieces", []string{out, "--split=last"}},
		{exitUsage, "is given twice", []string{out, "--split=1", "--split=1"}},
	} {
		code, text, messages := command(t, nil, append(args, c.args...)...)
		if code != c.code || text != "" || !strings.Contains(messages, c.words) {
			t.Errorf("%v: %d: %s%s", c.args, code, text, messages)
		}
	}
}

// fold prints what the command that began the run prints at its end, without its flags and its
// rows, and says which tasks are missing.
func TestFoldCommand(t *testing.T) {
	dir := t.TempDir()
	rows := table(t, dir, 3000)
	run, _ := fit(t, dir, rows)
	cache := "--cache=" + filepath.Join(dir, "cache")
	kinds := []string{"score", "loo", "predict", "log-lik"}
	said := map[string]string{}
	for _, kind := range kinds {
		code, text, messages := command(t, nil, kind, run, "--data="+rows, "--shard-size=20K", cache,
			"--engine=vm", "--out="+filepath.Join(dir, kind))
		if code != 0 {
			t.Fatalf("%s: %d: %s", kind, code, messages)
		}
		said[kind] = text
	}
	model := modelFile(t, dir, "m.sg", regression)
	code, text, messages := command(t, nil, "fleet", model, "--data="+rows, "--by=customer",
		"--chains=2", "--draws=100", "--engine=vm", cache, "--out="+filepath.Join(dir, "fleet"))
	if code != 0 {
		t.Fatalf("%d: %s", code, messages)
	}
	said["fleet"] = text
	closed := modelFile(t, dir, "closed.sg", "dim N = 9\ndata y: real[N]\nparam m: real\n"+
		"m ~ normal(0, 1)\nfor n in N { y[n] ~ normal(m, 1) }\n")
	code, text, messages = command(t, nil, "test", closed, "--replications=20", "--sampler=nuts",
		"--draws=19", "--warmup=100", "--each=5", "--engine=vm", "--out="+filepath.Join(dir, "test"))
	if code != 0 {
		t.Fatalf("%d: %s%s", code, text, messages)
	}
	said["test"] = text
	if err := os.Remove(rows); err != nil {
		t.Fatal(err)
	}
	for kind, want := range said {
		bucket := filepath.Join(dir, kind)
		code, text, messages := command(t, nil, "fold", bucket, cache)
		first, rest, _ := strings.Cut(text, "\n")
		if code != 0 || rest != want || !strings.Contains(first, " tasks, ") {
			t.Errorf("%s: %d: %s%s\nwant %s", kind, code, text, messages, want)
		}
	}
	var s pass.Summary
	bucket := filepath.Join(dir, "score")
	code, text, messages = command(t, nil, "fold", bucket, "--json", "--pass=pass/001-score/")
	if err := json.Unmarshal([]byte(text), &s); code != 0 || err != nil || s.Rows != 3000 ||
		len(s.SHA256) != 64 {
		t.Errorf("%d: %s%s", code, text, messages)
	}
	code, _, messages = command(t, nil, "fold", bucket, "--pass=pass/002-score")
	if code != exitUsage || !strings.Contains(messages, "has pass/001-score") {
		t.Errorf("%d: %s", code, messages)
	}
	for _, name := range []string{"000002.done", "000002.bin"} {
		if err := os.Remove(filepath.Join(bucket, "pass", "001-score", name)); err != nil {
			t.Fatal(err)
		}
	}
	code, text, messages = command(t, nil, "fold", bucket)
	if code != exitFiles || text != "" || !strings.Contains(messages, "000002 has no result") ||
		strings.Contains(messages, "the same command goes on") {
		t.Errorf("%d: %s%s", code, text, messages)
	}
}
