package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/run"
)

const approximatedModel = `dim N
data x[N] : real
data y[N] : real
param a : real ~ normal(0, 10)
param b : real ~ normal(0, 10)
param s : positive ~ exponential(1)
for n in N { y[n] ~ normal(a + b * x[n], s) }
`

// TestApproximations: each method writes a run that the commands read, whose summary begins with
// how exact it is; engines give the same draws, and what cannot be done is said in words.
func TestApproximations(t *testing.T) { approximationsAre(t, "vm") }

func approximationsAre(t *testing.T, engine string) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "m.sg"), approximatedModel)
	write(t, filepath.Join(dir, "t.csv"), "x,y\n-2,-3.1\n-1,-0.8\n0,1.2\n1,2.7\n2,5.3\n3,7.2\n4,8.6\n"+
		"5,11.3\n6,12.9\n7,14.6\n8,17.3\n9,18.8\n")
	const args = "approximate m.sg --data t.csv --draws 200 --candidates 2000 --progress none " +
		"--accept-approximation --method "
	for _, method := range []string{"laplace", "pathfinder", "advi", "smc",
		"advi --batch 5 --tolerance 0.1"} {
		name := strings.NewReplacer(" ", "", "--", "").Replace(method)
		succeeds(t, dir, args+method+" --engine vm --out "+name)
		rec, err := run.Read(filepath.Join(dir, name))
		if err != nil || rec.Status != run.Done || rec.Exactness == nil ||
			rec.Exactness.Kind != "approximate" || !(rec.Exactness.K < 0.7) {
			t.Fatalf("%s: %v: %+v", name, err, rec.Exactness)
		}
		_, said := inDir(t, dir, disk.OS, "summary", name)
		kind := map[bool]string{true: "particles of smc", false: "draws of "}[method == "smc"]
		if !strings.HasPrefix(said, "exactness   approximate: "+kind) ||
			!strings.Contains(said, map[bool]string{true: "evidence_spread",
				false: "pareto_k"}[method == "smc"]) {
			t.Errorf("summary does not begin with how exact the draws are:\n%s", said)
		}
		attrs, err := os.ReadFile(filepath.Join(dir, name, "draws.zarr", ".zattrs"))
		if err != nil || !strings.Contains(string(attrs), "approximate: "+kind) {
			t.Errorf("the store does not say that it is approximate: %v\n%s", err, attrs)
		}
	}
	if engine != "vm" {
		succeeds(t, dir, args+"pathfinder --out other --engine "+engine)
		sameParams(t, filepath.Join(dir, "other"), filepath.Join(dir, "pathfinder"))
	}
	var summary struct {
		Exactness *run.Exactness
	}
	_, said := inDir(t, dir, disk.OS, "summary", "--json", "laplace")
	if err := json.Unmarshal([]byte(said), &summary); err != nil || summary.Exactness == nil {
		t.Errorf("summary --json: %v\n%s", err, said)
	}
	for _, line := range []string{"score laplace --data t.csv", "verify laplace",
		"predict laplace --data t.csv --out p.csv --mean", "report laplace --no-checks --out r.html",
		"export laplace --to csv --out e", "loo laplace", "approximate --resume laplace",
		"sample m.sg --data t.csv --engine vm --progress none --warmup 50 --draws 20 " +
			"--out s1 --init pathfinder",
		"sample m.sg --data t.csv --engine vm --progress none --warmup 50 --draws 20 " +
			"--out s2 --init laplace",
	} {
		succeeds(t, dir, line)
	}
	page, err := os.ReadFile(filepath.Join(dir, "r.html"))
	if err != nil || !strings.Contains(string(page), "approximate: draws of laplace") {
		t.Errorf("the report does not say that it is approximate: %v", err)
	}
	write(t, filepath.Join(dir, "flat.sg"), "param u : real\nparam v : real\nfactor -(u + v) ^ 2\n")
	write(t, filepath.Join(dir, "slope.sg"), "param u : real\nfactor u\n")
	write(t, filepath.Join(dir, "none.sg"), "param u : real ~ student_t(1, 0, 1)\n")
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"approximate m.sg --data t.csv --method laplas", session.ExitUsage, "--method laplace"},
		{"approximate m.sg --data t.csv --method laplace --batch 5", session.ExitUsage, "--method advi"},
		{"approximate none.sg --method advi --batch 5", session.ExitUsage, "minibatched"},
		{"approximate m.sg --data t.csv --method advi --covariance wide", session.ExitUsage,
			"low-rank"},
		{"approximate m.sg --data t.csv --covariance dense", session.ExitUsage, "pathfinder"},
		{"approximate m.sg --data t.csv --method laplace --only q", session.ExitUsage, "a, b, s"},
		{"approximate m.sg --data t.csv --method smc --chains 1", session.ExitUsage, "--chains 4"},
		{"approximate m.sg --data t.csv --method smc --resample none", session.ExitUsage,
			"on the way"},
		{"approximate m.sg --data t.csv --method smc --covariance dense", session.ExitUsage,
			"their own covariance"},
		{"approximate slope.sg --method smc --engine vm --out h --progress none", session.ExitRun,
			"improper"},
		{"approximate m.sg --data t.csv --resample some", session.ExitUsage, "psis or none"},
		{"approximate m.sg --data t.csv --draws 5 --chains 1", session.ExitUsage, "--candidates"},
		{"approximate m.sg --data t.csv --init pathfinder", session.ExitUsage, "--method pathfinder"},
		{"approximate flat.sg --method laplace --engine vm --out f --progress none", session.ExitRun,
			"does not bend down along"},
		{"approximate none.sg --method laplace --engine vm --out g --progress none", session.ExitRun,
			"--accept-approximation"},
		{"sample m.sg --data t.csv --init f", session.ExitFiles, "f"},
		{"sample --resume laplace --more-draws 10", session.ExitUsage, "weighted all together"},
	} {
		status, said := inDir(t, dir, disk.OS, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(said, c.want) {
			t.Errorf("sgppl %s: status %d\n%s", c.args, status, said)
		}
	}
}
