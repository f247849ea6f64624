// Package sources_test runs sgppl with sgppl-sources in the same directory.
package sources_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	_ "modernc.org/sqlite"
)

// programs builds sgppl and sgppl-sources into one directory, once.
var programs = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "sgppl-sources-test")
	if err != nil {
		return "", err
	}
	for _, c := range [][]string{{".", "./cmd/sgppl-sources"}, {"..", "./cmd/sgppl"}} {
		build := exec.Command("go", "build", "-o", dir+string(filepath.Separator), c[1])
		build.Dir = c[0]
		if out, err := build.CombinedOutput(); err != nil {
			return dir, fmt.Errorf("%v: %s", err, out)
		}
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	status := m.Run()
	if dir, _ := programs(); dir != "" {
		os.RemoveAll(dir)
	}
	os.Exit(status)
}

// sgppl runs the command in a directory, and returns what it printed.
func sgppl(t *testing.T, dir string, args ...string) (said string, err error) {
	t.Helper()
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	name := "sgppl"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	c := exec.Command(filepath.Join(bin, name), args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	return string(out), err
}

const model = `dim N, G
data region[N] : index[G]
data day[N] : real
data age[N] : real
data loss[N] : real
param a[G] : real ~ normal(0, 10)
param b : real ~ normal(0, 1)
param s : positive ~ exponential(1)
for n in N { loss[n] ~ normal(a[region[n]] + b * age[n] + 0.001 * day[n], s) }
`

// A policy is a row of the tests; age is missing where it is NaN.
type policy struct {
	id        int
	region    string
	age, loss float64
	day       string
}

func policies() []policy {
	var out []policy
	for i := range 5000 {
		p := policy{id: i, region: []string{"north", "south", "east"}[i*i%7%3],
			age: 40 + 10*math.Sin(float64(i)), day: fmt.Sprintf("2024-%02d-%02d", i%12+1, i%28+1)}
		p.loss = 0.1*p.age + math.Cos(float64(7*i))
		if i%100 == 99 {
			p.age = math.NaN()
		}
		out = append(out, p)
	}
	return out
}

// prepare makes a directory with the model, and the policies as a.csv and a.db.
func prepare(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var csv strings.Builder
	csv.WriteString("id,region,age,loss,day\n")
	list := policies()
	for _, p := range list {
		age := fmt.Sprint(p.age)
		if p.age != p.age {
			age = "NA"
		}
		fmt.Fprintf(&csv, "%d,%s,%s,%v,%s\n", p.id, p.region, age, p.loss, p.day)
	}
	for name, text := range map[string]string{"m.sg": model, "a.csv": csv.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	fill(t, db, list, "create table policies(id integer primary key, region text, age real, "+
		"loss real, day date)", "?, ?, ?, ?, ?")
	for _, q := range []string{"create view aged as select * from policies order by id",
		"create table blobs(x blob)", "insert into blobs values (x'00ff')"} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// fill makes the table of policies, its rows from the last to the first.
func fill(t *testing.T, db *sql.DB, list []policy, create, places string) {
	t.Helper()
	if _, err := db.Exec(create); err != nil {
		t.Fatal(err)
	}
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	for i := len(list) - 1; i >= 0; i-- {
		p := list[i]
		var age any = p.age
		if p.age != p.age {
			age = nil
		}
		if _, err := tx.Exec("insert into policies values ("+places+")", p.id, p.region, age,
			p.loss, p.day); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

var runs = []string{"--draws", "30", "--warmup", "30", "--chains", "1", "--engine", "vm",
	"--progress", "none", "--step", "1e-4", "--sampler", "msgnht", "--batch", "100"}

// draws samples the model with some data, and returns its draws.
func draws(t *testing.T, dir string, data ...string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "run")
	if said, err := sgppl(t, dir,
		append(append([]string{"sample", "m.sg", "--out", out}, runs...), data...)...); err != nil {
		t.Fatalf("%v: %v\n%s", data, err, said)
	}
	return exported(t, dir, out)
}

// exported are the draws of a run as csv.
func exported(t *testing.T, dir, run string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "d.csv")
	if said, err := sgppl(t, dir, "export", run, "--to", "csv", "--out", file); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSameDraws: the rows of a table, a view or a query of sqlite, and of files of Arrow, are
// those of the csv: levels, dates, gaps and all; the draws have the same bits.
func TestSameDraws(t *testing.T) {
	dir := prepare(t)
	writeArrow(t, dir, policies())
	want := draws(t, dir, "--data", "a.csv", "--na", "drop")
	query := "select region, day, age, loss from policies order by id"
	for _, data := range [][]string{
		{"sqlite:a.db:policies"}, {"a.db:aged"}, {"sqlite:a.db?query=" + query},
		{"age=a.db:policies:age", "region=a.db:policies:region", "loss=a.db:aged:loss",
			"day=sqlite:a.db?query=" + query + ";:day"},
		{"a.arrow"}, {"a.feather"}, {"a.arrows"},
	} {
		var args []string
		for _, d := range data {
			args = append(args, "--data", d)
		}
		if got := draws(t, dir, append(args, "--na", "drop")...); !bytes.Equal(got, want) {
			t.Errorf("%v: other draws than of a.csv", data)
		}
	}
}

// TestStream: rows that are read as they are needed are those of the csv; the run goes on
// without the database.
func TestStream(t *testing.T) {
	dir := prepare(t)
	writeArrow(t, dir, policies())
	rows := "id % 100 <> 99"
	csv, err := os.ReadFile(filepath.Join(dir, "a.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var full []string
	for line := range strings.Lines(string(csv)) {
		if !strings.Contains(line, "NA") {
			full = append(full, line)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "full.csv"), []byte(strings.Join(full, "")),
		0o666); err != nil {
		t.Fatal(err)
	}
	want := draws(t, dir, "--data", "full.csv", "--stream")
	query := "sqlite:a.db?query=select * from policies where " + rows + " order by id"
	if got := draws(t, dir, "--data", query, "--stream"); !bytes.Equal(got, want) {
		t.Error("other draws than of full.csv")
	}
	out := filepath.Join(dir, "run")
	args := append([]string{"sample", "m.sg", "--out", out, "--data", query, "--stream"}, runs...)
	if said, err := sgppl(t, dir, args...); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if err := os.Rename(filepath.Join(dir, "a.db"), filepath.Join(dir, "b.db")); err != nil {
		t.Fatal(err)
	}
	if said, err := sgppl(t, dir, "sample", "--resume", out, "--more-draws", "5"); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestChanged: a run goes on with the rows that it had, also when other tables changed, and
// says when its own did.
func TestChanged(t *testing.T) {
	dir := prepare(t)
	out := filepath.Join(dir, "run")
	args := append([]string{"sample", "m.sg", "--out", out, "--na", "drop", "--data",
		"sqlite:a.db:policies"}, runs...)
	if said, err := sgppl(t, dir, args...); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, c := range []struct {
		query string
		fine  bool
	}{{"insert into blobs values (null)", true},
		{"update policies set loss = 1 where id = 3", false}} {
		if _, err := db.Exec(c.query); err != nil {
			t.Fatal(err)
		}
		said, err := sgppl(t, t.TempDir(), "sample", "--resume", out, "--more-draws", "5")
		if (err == nil) != c.fine ||
			!c.fine && !strings.Contains(said, "the data changed since the run began: sqlite:") {
			t.Errorf("%s: %v\n%s", c.query, err, said)
		}
	}
}

// TestMistakes: what is wrong is told with its place and the cure.
func TestMistakes(t *testing.T) {
	dir := prepare(t)
	if err := os.WriteFile(filepath.Join(dir, "q.sql"), []byte("select\n  agee from policies"),
		0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bad.arrow"), []byte("ARROW1\x00\x00 no"),
		0o666); err != nil {
		t.Fatal(err)
	}
	for data, want := range map[string][]string{
		"sqlite:a.db:polices":       {"there is no table polices", "did you mean policies?"},
		"a.db":                      {"which table? The database has aged, blobs, policies"},
		"sqlite:a.db?query=selct 1": {"line 1, column 1", "syntax error"},
		"sqlite:a.db?query=select 1 from polic": {"column 15: no such table: polic",
			"did you mean policies?"},
		"sqlite:a.db?query=@q.sql": {"line 2, column 3: no such column: agee",
			"did you mean age?"},
		"sqlite:a.db?query=drop table policies": {"attempt to write a readonly database"},
		"sqlite:none.db:policies":               {"there is no file none.db"},
		"sqlite:m.sg:policies":                  {"file is not a database"},
		"x=sqlite:a.db:blobs:x":                 {"x is not an input"},
		"loss=sqlite:a.db:blobs:x":              {"column x holds bytes"},
		"loss=sqlite:a.db:policies:los":         {"there is no field los", "did you mean loss?"},
		"bad.arrow":                             {"the file is damaged, or not of Arrow"},
	} {
		said, err := sgppl(t, dir, append([]string{"sample", "m.sg", "--data", data}, runs...)...)
		if err == nil {
			t.Errorf("%s: no error", data)
		}
		for _, w := range want {
			if !strings.Contains(said, w) {
				t.Errorf("%s: no %q in\n%s", data, w, said)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "runs")); err == nil {
		t.Error("a run is there")
	}
}
