package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/cluster/pass"
)

// program builds sgppl and puts it on the PATH; it returns its path.
func program(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	c := exec.Command("go", "build", "-o", filepath.Join(bin, "sgppl"), "./cmd/sgppl")
	c.Dir = "../../.."
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return filepath.Join(bin, "sgppl")
}

// chainsOf are the flags of the runs of TestChains, which are those of sgppl sample.
var chainsOf = []string{"--chains", "3", "--sampler", "msgnht", "--stream", "--batch", "50",
	"--warmup", "500", "--draws", "4000", "--thin", "4", "--seed", "5", "--checkpoint", "0.02"}

// Chains as tasks have the bits of sgppl sample on the joined rows: with several workers, when
// the command is interrupted over and over, when a point is damaged, and when tasks come to
// the end of their time.
func TestChains(t *testing.T) {
	if testing.Short() {
		t.Skip("builds sgppl")
	}
	sgppl, dir := program(t), t.TempDir()
	rows := table(t, dir, 900)
	model := filepath.Join(dir, "m.sg")
	text, err := os.ReadFile(rows)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	head, lines := lines[0], lines[1:]
	for name, text := range map[string]string{model: regression,
		filepath.Join(dir, "part-1.csv"): head + strings.Join(lines[:300], ""),
		filepath.Join(dir, "part-2.csv"): strings.TrimSuffix(head+strings.Join(lines[300:], ""), "\n"),
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	whole := filepath.Join(dir, "whole")
	out, err := exec.Command(sgppl, append([]string{"sample", model, "--data", rows, "--engine", "vm",
		"--out", whole}, chainsOf...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, interrupts := range map[string]int{"once": 0, "interrupted": 6} {
		to := filepath.Join(dir, name)
		args := append([]string{"chains", model, "--data", filepath.Join(dir, "part-*.csv"), "--out", to,
			"--cache", filepath.Join(dir, "cache"), "--workers", "2"}, chainsOf...)
		for i := range interrupts {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(150+60*i)*time.Millisecond)
			var said bytes.Buffer
			code := execute(&world{ctx, &said, &said, os.Getenv}, args)
			cancel()
			if code != 0 && code != exitInterrupted {
				t.Fatalf("status %d: %s", code, said.String())
			}
			if i == 3 { // the chain begins anew
				os.WriteFile(filepath.Join(to, "chain", "000001", "point.json"), []byte("{"), 0o666)
			}
		}
		for range 2 { // the second finds that all is done
			var said bytes.Buffer
			if code := execute(&world{t.Context(), &said, &said, os.Getenv}, args); code != 0 ||
				!strings.Contains(said.String(), "3 chains of 4000 draws") {
				t.Fatalf("status %d: %s", code, said.String())
			}
		}
		sameFiles(t, whole, to)
		if n := enginesIn(t, to); n != 1 {
			t.Errorf("%s: %d engines, and chains run by one", name, n)
		}
		if a, b := summary(t, sgppl, whole), summary(t, sgppl, to); a != b {
			t.Errorf("%s: the summary is\n%s\nand that of sample\n%s", name, b, a)
		}
		args[len(args)-3] = "6"
		if code := execute(&world{t.Context(), &bytes.Buffer{}, &bytes.Buffer{}, os.Getenv},
			args); code !=
			exitData {
			t.Errorf("another seed in the same bucket: status %d", code)
		}
	}
	endsOfTime(t, model, dir, whole)
	once := filepath.Join(dir, "once")
	first := ""
	for range 2 { // the copy is found again
		var out, said bytes.Buffer
		code := execute(&world{t.Context(), &out, &said, os.Getenv}, []string{"fetch", "--cached", once,
			"--cache", filepath.Join(dir, "cache")})
		at := strings.TrimSpace(out.String())
		if code != 0 || at == once || first != "" && at != first {
			t.Fatalf("status %d, %s%s", code, out.String(), said.String())
		}
		first = at
		sameFiles(t, whole, at)
	}
	if a, b := summary(t, sgppl, whole), summary(t, sgppl, "file://"+whole); a != b {
		t.Errorf("the summary of a URL is\n%s", b)
	}
}

// endsOfTime has tasks of a twentieth of a second, so that each is given several times, and
// loses the files of a chain that was complete.
func endsOfTime(t *testing.T, model, dir, whole string) {
	t.Helper()
	to := filepath.Join(dir, "often")
	c := chainsCmd{Args: append([]string{model, "--data", filepath.Join(dir, "part-*.csv"), "--out",
		to,
		"--engine", "vm", "--cache", filepath.Join(dir, "cache")}, chainsOf...)}
	name, f, rest, err := c.split()
	if err != nil {
		t.Fatal(err)
	}
	f.TaskTime = 50 * time.Millisecond
	var said bytes.Buffer
	w := &world{t.Context(), &said, &said, os.Getenv}
	if err := c.begin(w, name, f, rest); err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	sameFiles(t, whole, to)
	if n := enginesIn(t, to); n != 0 {
		t.Errorf("%d engines, and the VM was asked for", n)
	}
	b, err := bucket.Open(t.Context(), to, false)
	if err != nil {
		t.Fatal(err)
	}
	e, err := pass.Open(t.Context(), b, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	all, err := e.Passes(t.Context())
	if err != nil || len(all) != 1 || all[0].Resumed != 3 || all[0].Done != 3 {
		t.Errorf("%+v, %v: each task was expected to be given more than once", all, err)
	}
}

// enginesIn counts the programs of models in a bucket that is a directory.
func enginesIn(t *testing.T, dir string) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "engine", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

func summary(t *testing.T, sgppl, dir string) string {
	t.Helper()
	out, err := exec.Command(sgppl, "summary", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// sameFiles holds the files of the draws of two runs against each other.
func sameFiles(t *testing.T, want, got string) {
	t.Helper()
	files := 0
	at := filepath.Join(want, "draws.zarr")
	err := fs.WalkDir(os.DirFS(at), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(filepath.Base(name), ".") {
			return err
		}
		a, err := os.ReadFile(filepath.Join(at, name))
		if err != nil {
			return err
		}
		b, err := os.ReadFile(filepath.Join(got, "draws.zarr", name))
		if files++; err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs in %s: %v", name, got, err)
		}
		return nil
	})
	if err != nil || files < 20 {
		t.Errorf("%d files: %v", files, err)
	}
}

// What does not go with chains is refused before anything is written.
func TestChainsRefused(t *testing.T) {
	dir := t.TempDir()
	for want, args := range map[string][]string{
		"a model comes first":  {"--data", "x.csv", "--out", dir},
		"--resume does not go": {"m.sg", "--data", "x.csv", "--out", dir, "--resume", "r"},
		"at least 1s":          {"m.sg", "--data", "x.csv", "--out", dir, "--task-time", "1ms"},
		"--engine must be one": {"m.sg", "--data", "x.csv", "--out", dir, "--engine", "jit"},
		"missing flags":        {"m.sg", "--data", "x.csv"},
	} {
		var said bytes.Buffer
		code := execute(&world{t.Context(), &said, &said, os.Getenv}, append([]string{"chains"}, args...))
		if code != exitUsage || !strings.Contains(said.String(), want) {
			t.Errorf("%q: status %d, %s", args, code, said.String())
		}
	}
}
