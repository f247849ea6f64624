package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/typed"
	"github.com/sgppl/sgppl/runtime/results/predictive"
)

const regression = `dim N, P
data x: real[N, P], y: bool[N]
param w: real[P]
w ~ normal(0, 1)
for n in N { y[n] ~ bernoulli_logit(dot(x[n], w)) }
`

// table writes n rows of a logistic regression.
func table(t *testing.T, dir string, n int) string {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("customer,x.0,x.1,y\n")
	for i := range n {
		u, v, y := r.NormFloat64(), r.NormFloat64(), 0
		if r.Float64() < 1/(1+math.Exp(-u+0.5*v)) {
			y = 1
		}
		fmt.Fprintf(&b, "c%d,%g,%g,%d\n", i*7%5, u, v, y)
	}
	path := filepath.Join(dir, "rows.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// fit samples the regression on a table and saves the run; it returns its directory, and the
// score of the same rows in one piece.
func fit(t *testing.T, dir, rows string) (string, predictive.Score) {
	t.Helper()
	c, list := driver.Compile(source.New("regression.sg", regression), driver.Options{})
	if c == nil {
		t.Fatal(list)
	}
	bound, _, errs := data.Bind(&c.Spec.Schema, []string{rows}, nil, data.Options{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := typed.DefaultSettings()
	s.Chains, s.Draws, s.Sampler = 2, 50, "nuts"
	set, err := typed.Collect(t.Context(), m, s)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "run")
	if err := set.Save(out, m); err != nil {
		t.Fatal(err)
	}
	p := predictive.Of(m)
	all, eval, text := p.Average(), m.Evaluator(0), make([]float64, p.Width())
	for c := range set.Chains() {
		chain := p.Average()
		for i := range set.Len() {
			d, err := set.Draw(c, i)
			if err != nil {
				t.Fatal(err)
			}
			x := make([]float64, m.Dim())
			if err := eval.Unconstrain(d.Values, x); err != nil {
				t.Fatal(err)
			}
			p.Predict(eval, x, text)
			chain.Add(text)
		}
		all.Merge(chain)
	}
	return out, all.Score(nil)
}

// command runs a command line in this process.
func command(t *testing.T, env map[string]string, args ...string) (code int, out, messages string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	w := &world{context.Background(), &stdout, &stderr, func(name string) string { return env[name] }}
	code = execute(w, args)
	return code, stdout.String(), stderr.String()
}

// A run of sgppl scores rows in shards with the numbers that it has for them in one piece, by
// a loop and by the jobs of an array; predictions and log likelihoods have a line a row.
func TestRowsByDraws(t *testing.T) {
	dir := t.TempDir()
	rows := table(t, dir, 20000)
	run, want := fit(t, dir, rows)
	cache := "--cache=" + filepath.Join(dir, "cache")
	flags := []string{run, "--data=" + rows, "--shard-size=100K", cache}
	score := func(out string, more ...string) (int, string, string) {
		return command(t, nil, append(append([]string{"score"}, flags...), append(more,
			"--out="+filepath.Join(dir, out))...)...)
	}
	code, text, messages := score("loop", "--json")
	var got struct {
		Rows int
		LPD  float64
	}
	if code != 0 || json.Unmarshal([]byte(text), &got) != nil || got.Rows != 20000 ||
		math.Abs(got.LPD-want.LPD) > 1e-13 {
		t.Fatalf("status %d, %s%s, want %v", code, text, messages, want.LPD)
	}

	// On prism the same bits, or, without Beam, words that say so.
	for _, runner := range []string{"prism", "beam"} {
		code, again, messages := score(runner, "--runner="+runner, "--json")
		if again != text && !strings.Contains(messages, "nobeam") {
			t.Errorf("%s: status %d: %s%s, and by a loop %s", runner, code, again, messages, text)
		}
	}
	for _, wrong := range []string{"--endpoint=localhost:8099", "--runner=beam --endpoint=localhost",
		"--runner=loop --worker=/bin/true"} {
		code, _, messages := score("wrong", strings.Fields(wrong)...)
		if code != exitUsage || !strings.Contains(messages, "--endpoint") {
			t.Errorf("%s: status %d: %s", wrong, code, messages)
		}
	}
	if code, words, messages := score("array", "--runner=array"); code != 0 ||
		!strings.Contains(words, "sgppl cluster array") {
		t.Fatalf("status %d, %s%s", code, words, messages)
	}
	bucket := filepath.Join(dir, "array")
	code, script, messages := command(t, nil, "array", bucket, "--slurm", "--each=3", cache)
	if code != 0 || !strings.Contains(script, "#SBATCH --array=0-") {
		t.Fatalf("status %d, %s%s", code, script, messages)
	}
	var jobs, tasks int
	fmt.Sscanf(script[strings.Index(script, "--array=0-"):], "--array=0-%d", &jobs)
	fmt.Sscanf(script[strings.Index(script, "--tasks="):], "--tasks=%d", &tasks)
	for i := jobs; i >= 0; i-- { // backwards
		if code, _, messages := command(t, map[string]string{"SLURM_ARRAY_TASK_ID": fmt.Sprint(i)},
			"task", bucket, "--pass=pass/001-score", fmt.Sprintf("--tasks=%d", tasks), "--each=3",
			cache); code != 0 {
			t.Fatalf("job %d: %s", i, messages)
		}
	}
	if code, again, messages := score("array", "--json"); code != 0 || again != text {
		t.Errorf("status %d, by an array %s%s, and by a loop %s", code, again, messages, text)
	}
	if code, text, _ := command(t, nil, "status", bucket); code != 0 ||
		!strings.Contains(text, fmt.Sprintf("%d of %d tasks; 20000 rows", tasks, tasks)) {
		t.Errorf("status %d: %s", code, text)
	}
	for _, c := range []struct{ kind, folder string }{{"predict", "predictions"},
		{"log-lik", "log_lik"}} {
		out := filepath.Join(dir, c.kind)
		if code, text, messages := command(t, nil, append(append([]string{c.kind}, flags...),
			"--out="+out)...); code != 0 || !strings.Contains(text, fmt.Sprintf("%d objects", tasks)) {
			t.Errorf("%s: status %d, %s%s", c.kind, code, text, messages)
		}
		files, err := filepath.Glob(filepath.Join(out, c.folder, "*"))
		if err != nil || len(files) != tasks {
			t.Errorf("%s: %d files for %d shards", c.kind, len(files), tasks)
		}
	}
}

// A fleet has a posterior for each customer, and says which are not ok.
func TestFleet(t *testing.T) {
	dir := t.TempDir()
	rows := table(t, dir, 100)
	model := filepath.Join(dir, "regression.sg")
	if err := os.WriteFile(model, []byte(regression), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "fleet")
	code, text, messages := command(t, nil, "fleet", model, "--data="+rows, "--by=customer",
		"--out="+out, "--chains=2", "--draws=200", "--cache="+filepath.Join(dir, "cache"))
	if code != 0 || !strings.Contains(text, "each of 5 posteriors") {
		t.Fatalf("status %d, %s%s", code, text, messages)
	}
	lines, err := os.ReadFile(filepath.Join(out, "fleet", "posteriors.jsonl"))
	if err != nil || bytes.Count(lines, []byte("\n")) != 5 {
		t.Errorf("%s, %v", lines, err)
	}
}

// Mistakes have their exit status, and words.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	rows := table(t, dir, 10)
	model := filepath.Join(dir, "m.sg")
	if err := os.WriteFile(model, []byte(regression), 0o666); err != nil {
		t.Fatal(err)
	}
	out := "--out=" + filepath.Join(dir, "out")
	for _, c := range []struct {
		code  int
		words string
		args  []string
	}{
		{2, "--data", []string{"shards"}},
		{2, "shard-size", []string{"shards", "--data=" + rows, "--shard-size=much"}},
		{5, "no file has such a name", []string{"shards", "--data=" + dir + "/*.tsv"}},
		{5, "there is no such object", []string{"shards", "--data=" + dir + "/none.csv"}},
		{3, "there is no column age", []string{"fleet", model, "--data=" + rows, "--by=age", out}},
		{3, "holds no run", []string{"status", dir}},
		{2, "--index is missing", []string{"task", dir, "--pass=pass/001-score", "--tasks=3"}},
		{2, "SLURM", []string{"array", dir}},
	} {
		code, text, messages := command(t, nil, c.args...)
		if c.args[0] == "array" {
			c.words = "--slurm"
		}
		if code != c.code || !strings.Contains(messages+text, c.words) {
			t.Errorf("%v: status %d, wanted %d with %q: %s%s", c.args, code, c.code, c.words, text, messages)
		}
	}
}
