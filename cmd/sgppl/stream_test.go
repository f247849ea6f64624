package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/run"
)

const (
	rowsTable = `dim N, P
data x[N, P] : real
data y[N] : bool
param w[P] : real ~ normal(0, 1)
for n in N { y[n] ~ bernoulli_logit(x[n] @ w) }
`
	rowsSparse = `dim N, P
data x[N, P] : sparse real
data y[N] : bool
data offset[N] : real = 0.5
param w[P] : real ~ normal(0, 1)
for n in N { y[n] ~ bernoulli_logit(x[n] @ w + offset[n]) }
`
	rowsTopics = `dim D, W(D), V, K = 3
data w[D, W] : index[V]
param phi[K] : simplex[V] ~ dirichlet(0.5)
for d in D {
  local theta : simplex[K] ~ dirichlet(0.5) by collapse
  for i in W {
    local z : index[K] ~ categorical(theta) by gibbs
    w[d, i] ~ categorical(phi[z])
  }
}
`
	rowsCounted = `dim N, P
data x[N, P] : real
data y[N] : real
data s : positive
param w[P] : real ~ normal(0, 1)
factor -sum(w[p] * w[p] for p in P) * s / N
for n in N { y[n] ~ normal(x[n] @ w * N / 100, sqrt(s)) }
`
	rowsDerived = `dim N, P
data x[N, P] : real
data y[N] : bool
param w[P], a : real ~ normal(0, 1)
for n in N { y[n] ~ bernoulli_logit(x[n] @ w + a * log(1 + x[n, 0] * x[n, 0])) }
`
	rowsLevels = `dim N, P, G
data x[N, P] : real
data town[N] : index[G]
data y[N] : bool
param w[P], a[G] : real ~ normal(0, 1)
for n in N { y[n] ~ bernoulli_logit(x[n] @ w + a[town[n]]) }
`
)

// A parquetRow has the columns of table.sg, each of another type, and others.
type parquetRow struct {
	A     float64 `parquet:"x.0"`
	B     float32 `parquet:"x.1,split"`
	C     string  `parquet:"x.2,dict"`
	Other string  `parquet:"other"`
	Zed   int32   `parquet:"zed"`
	Town  string  `parquet:"town,dict"`
	Y     bool    `parquet:"y"`
	List  []int64 `parquet:"list"`
}

// rowsData writes models, and data in every format that is read by rows.
func rowsData(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{"table.sg": rowsTable, "sparse.sg": rowsSparse,
		"topics.sg": rowsTopics, "derived.sg": rowsDerived, "counted.sg": rowsCounted,
		"levels.sg": rowsLevels} {
		write(t, filepath.Join(dir, name), text)
	}
	r := rand.New(rand.NewPCG(3, 4))
	var table, words, sparse, docs bytes.Buffer
	var columns []parquetRow
	fmt.Fprintln(&table, "x.0,x.1,x.2,y")
	fmt.Fprintln(&words, "town")
	for range 300 {
		a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		y := 0
		if a-b+r.NormFloat64() > 0 {
			y = 1
		}
		town := []string{"Ada", "Lincoln", "Kennedy", "Paris"}[len(columns)*7%11%4]
		fmt.Fprintf(&table, "%.4f,%.4f,%.4f,%d\n", a, b, c, y)
		fmt.Fprintln(&words, town)
		columns = append(columns,
			parquetRow{a, float32(b), fmt.Sprint(c), "no number", int32(len(columns) % 3), town,
				y == 1, []int64{1}})
		fmt.Fprintf(&sparse, "%d 1:%.3f", 2*y-1, a)
		if c > 0 {
			fmt.Fprintf(&sparse, " 4:%.3f", c)
		}
		fmt.Fprintln(&sparse)
		n := r.IntN(5)
		fmt.Fprint(&docs, n)
		for k, first := 0, r.IntN(3); k < n; k++ {
			fmt.Fprintf(&docs, " %d:%d", first+2*k, 1+r.IntN(3))
		}
		fmt.Fprintln(&docs)
	}
	write(t, filepath.Join(dir, "t.csv"), table.String())
	write(t, filepath.Join(dir, "w.csv"), words.String())
	if err := parquet.WriteFile(filepath.Join(dir, "t.parquet"), columns,
		parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(130),
		parquet.PageBufferSize(200)); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "s.svm"), sparse.String())
	write(t, filepath.Join(dir, "d.ldac"), docs.String())
	gz := exec.Command("gzip", "-k", "t.csv", "d.ldac")
	gz.Dir = dir
	if out, err := gz.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// rowsRuns are runs over rows: their data and settings.
var rowsRuns = []struct{ name, args string }{
	{"table", "table.sg --data t.csv --step 0.01"},
	{"parquet", "table.sg --data t.parquet:skip=2%9 --step 0.01"},
	{"words", "levels.sg --data t.csv --data w.csv --step 0.01"},
	{"words of parquet", "levels.sg --data t.parquet:skip=3%7 --levels G=Paris,... --step 0.01"},
	{"columns", "levels.sg --data x=t.csv:x.2,x.0 --data y=t.csv:y --data w.csv --step 0.01"},
	{"columns of parquet", "table.sg --data x=t.parquet:x,zed --data y=t.parquet:y --step 0.01"},
	{"selected", "table.sg --data t.csv:skip=4%5 --step 0.01"},
	{"sequential", "table.sg --data t.csv --step 0.01 --batch-order sequential"},
	{"single", "table.sg --data t.csv --step 0.01 --precision f32"},
	{"sparse", "sparse.sg --data x=s.svm --data y=s.svm:label --step 0.01"},
	{"mixed", "sparse.sg --data x=s.svm --data y=t.csv:y --step 0.01 --set P=5"},
	{"derived", "derived.sg --data t.csv --step 0.01"},
	{"counted", "counted.sg --data t.csv --set s=3 --step 0.0001"},
	{"topics", "topics.sg --data w=d.ldac --step 0.001"},
	{"cached", "derived.sg --data t.csv.gz:skip=1%6 --step 0.01"},
	{"by block", "derived.sg --data t.csv --step 0.01 --sampler a=sgld --step a=0.001"},
	{"compressed", "topics.sg --data w=d.ldac.gz:words=0%2 --step 0.001"},
}

// settings of all of them.
const rowsSettings = " --sampler msgnht --batch 7 --chains 2 --warmup 30 --draws 60 --thin 2 " +
	"--block-rows 11 --window 3 --progress none"

// sameDraws holds the draws of two runs against one another, bit for bit.
func sameDraws(t *testing.T, got, want string) {
	t.Helper()
	a, b := stored(t, got, "draws.zarr"), stored(t, want, "draws.zarr")
	if len(b) < 5 {
		t.Fatalf("%s has %d arrays", want, len(b))
	}
	for name := range b {
		if !reflect.DeepEqual(a[name], b[name]) {
			t.Errorf("%s of %s differs from that of %s", name, got, want)
		}
	}
}

// TestStreams: rows that are read as they are needed give the draws, to the bit,
// that the same order gives of rows in memory.
func TestStreams(t *testing.T) { streamsAre(t, "vm") }

func streamsAre(t *testing.T, engine string) {
	dir := t.TempDir()
	rowsData(t, dir)
	for _, c := range rowsRuns {
		t.Run(c.name, func(t *testing.T) {
			memory := c.args + rowsSettings
			if !strings.Contains(memory, "--batch-order") {
				memory += " --batch-order blocks"
			} else {
				memory = strings.Replace(memory, "--block-rows 11 --window 3 ", "", 1)
			}
			out := strings.ReplaceAll(c.name, " ", "-")
			succeeds(t, dir, "sample "+memory+" --engine vm --out m-"+out)
			succeeds(t, dir, "sample "+c.args+rowsSettings+" --stream --engine "+engine+" --out s-"+out)
			sameDraws(t, filepath.Join(dir, "s-"+out), filepath.Join(dir, "m-"+out))
		})
	}
}

// streamRun are the arguments of a run over t.csv.
func streamRun(out string) []string {
	return strings.Fields("sample table.sg --data t.csv --stream --sampler msgnht --step 0.01 " +
		"--batch 20 --chains 2 --warmup 200 --draws 60 --thin 5 --block-rows 15 --window 4 " +
		"--checkpoint 1.3 --engine vm --progress none --out " + out)
}

// TestStoppedStreams: a run over rows that are read as they are needed goes on
// to the bit after it was killed, and after its file was broken and repaired.
func TestStoppedStreams(t *testing.T) {
	dir := t.TempDir()
	rowsData(t, dir)
	succeeds(t, dir, strings.Join(streamRun("whole"), " "))
	t.Run("killed", func(t *testing.T) { killedStream(t, dir) })
	good, err := os.ReadFile(filepath.Join(dir, "t.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(good, []byte("\n"))
	for _, c := range []struct {
		name, message string
		status        int
		harm          func(path string)
	}{
		{"changed", `t.csv:\d+: error.D0158.: changed since the run began: it has other bytes where rows`,
			3, func(path string) {
				bad := bytes.Clone(good)
				bad[len(bad)/2] ^= 1
				overwrite(t, path, bad)
			}},
		{"shrunk", `t.csv:\d+: error.D0158.: changed since the run began: it ends where rows`, 3,
			func(path string) {
				if err := os.Truncate(path, int64(len(good)/3)); err != nil {
					t.Fatal(err)
				}
			}},
		{"rows swapped", `t.csv:\d+: error.D0158.: changed`, 3, func(path string) {
			bad := bytes.Join([][]byte{lines[0], lines[2], lines[1], bytes.Join(lines[3:], nil)}, nil)
			overwrite(t, path, bad)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			brokenStream(t, dir, c.name, c.message, c.status, c.harm, good)
		})
	}
}

// overwrite changes a file in place, as long as it stays.
func overwrite(t *testing.T, path string, b []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err == nil {
		_, err = f.Write(b)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func killedStream(t *testing.T, dir string) {
	dies(t, dir, killedAt("chain-1.ckpt", 1), strings.Join(streamRun("killed"), " "))
	resume := "sample --resume killed --engine vm --progress none"
	if !diesAgain(t, dir, "chain-1.ckpt", []int{1, 2, 3}, resume) {
		dies(t, dir, killedAt("run.json", 1), resume) // behind its report
	}
	succeeds(t, dir, resume)
	sameDraws(t, filepath.Join(dir, "killed"), filepath.Join(dir, "whole"))
	if got, want := healthText(t, filepath.Join(dir, "killed")),
		healthText(t, filepath.Join(dir, "whole")); got != want {
		t.Errorf("health is\n%s\nof the run that was not stopped\n%s", got, want)
	}
}

func brokenStream(
	t *testing.T, dir, name, message string, status int, harm func(string), good []byte,
) {
	out := strings.ReplaceAll(name, " ", "-")
	path, rundir := filepath.Join(dir, "t.csv"), filepath.Join(dir, out)
	defer overwrite(t, path, good)
	// in the middle of the run
	on := atMoment("chain-0.ckpt", 2, func() bool { harm(path); return false })
	got, text := inDir(t, dir, on, streamRun(out)...)
	if got != status {
		t.Fatalf("the run ended with status %d\n%s", got, text)
	}
	if !regexp.MustCompile(message).MatchString(text) {
		t.Errorf("no %q in\n%s", message, text)
	}
	r, err := run.Read(rundir)
	if err != nil || r.Status != run.Failed {
		t.Fatalf("status %v, %v", r, err)
	}
	stored(t, rundir, "draws.zarr")
	resume := "sample --resume " + out + " --engine vm --progress none"
	if status, text := inDir(t, dir, disk.OS, strings.Fields(resume)...); status ==
		session.ExitDone {
		t.Fatalf("it goes on with the broken file\n%s", text)
	}
	overwrite(t, path, good)
	succeeds(t, dir, resume)
	sameDraws(t, rundir, filepath.Join(dir, "whole"))
}

// followRun are the arguments of a run that takes rows as they are appended.
func followRun(out string) []string {
	args := strings.Replace(strings.Join(streamRun(out), " "), "--stream", "--stream --follow", 1)
	return strings.Fields(args)
}

// TestFollow: a run that follows a file which nobody writes to is like any
// other; rows that are appended are taken from the next pass on, by runs that
// were killed too.
func TestFollow(t *testing.T) {
	dir := t.TempDir()
	rowsData(t, dir)
	succeeds(t, dir, strings.Join(streamRun("still"), " "))
	succeeds(t, dir, strings.Join(followRun("followed"), " "))
	sameDraws(t, filepath.Join(dir, "followed"), filepath.Join(dir, "still"))
	good, err := os.ReadFile(filepath.Join(dir, "t.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(good, []byte("\n"))
	f, err := os.OpenFile(filepath.Join(dir, "t.csv"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	grown := filepath.Join(dir, "grown")
	appended := false
	on := &momentDisk{FS: disk.OS, then: func(path string) bool {
		switch {
		case !appended && path == filepath.Join("grown", "chain-0.ckpt"):
			appended = true
			f.Write(bytes.Join(lines[1:81], nil))
			f.WriteString("1,2,") // a row that has no end yet
		case appended && path == run.IndexPath("grown"):
			return true
		}
		return false
	}}
	dies(t, dir, on, strings.Join(followRun("grown"), " "))
	f.WriteString("3,1\n")
	succeeds(t, dir, "sample --resume grown --engine vm --progress none")
	r, err := run.Read(grown)
	if err != nil || r.Status != run.Done || r.Chains[0].Rows != 381 || r.Chains[1].Rows != 381 ||
		r.Chains[1].Draws != 60 {
		t.Fatalf("%v, %+v", err, r.Chains)
	}
}
