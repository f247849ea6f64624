package clients

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/sgppl/sgppl"
)

// TestR builds the R package, and has R check the file that is built: R installs it into a
// library of its own, holds pages against code, and runs the tests, here with the command of
// this tree. Then the tutorial is run.
func TestR(t *testing.T) {
	r, err := exec.LookPath("R")
	if err != nil {
		t.Skip("R is not installed")
	}
	work := t.TempDir()
	needs := `for (p in c("digest", "jsonlite", "loo", "posterior", "processx", "testthat")) ` +
		`if (!requireNamespace(p, quietly = TRUE)) cat(p, "")`
	if missing, err := exec.Command(r, "--slave", "-e", needs).Output(); err != nil ||
		len(missing) > 0 {
		t.Skipf("R packages are not installed: %s %v", missing, err)
	}
	command := command(t)
	source, err := filepath.Abs("r")
	if err != nil {
		t.Fatal(err)
	}
	build := exec.Command(r, "CMD", "build", source)
	build.Dir = work
	do(t, build)
	built, err := filepath.Glob(filepath.Join(work, "sgppl_*.tar.gz"))
	if err != nil || len(built) != 1 {
		t.Fatal(built, err)
	}
	// A version of R has no words: 0.1.0-dev is 0.1.0.9000.
	if want := "sgppl_" + strings.Replace(sgppl.Version, "-dev", ".9000", 1) +
		".tar.gz"; filepath.Base(built[0]) != want {
		t.Errorf("%s was built, not %s", filepath.Base(built[0]), want)
	}
	check := exec.Command(r, "CMD", "check", "--no-manual", built[0])
	check.Dir = work
	check.Env = append(os.Environ(), "SGPPL="+command, "SGPPL_TESTS=1",
		"SGPPL_TEST_RELEASES="+releases(t, command), "_R_CHECK_FORCE_SUGGESTS_=false")
	said, err := check.CombinedOutput()
	results, _ := filepath.Glob(filepath.Join(work, "sgppl.Rcheck", "tests", "testthat.Rout*"))
	for _, name := range results {
		if text, err := os.ReadFile(name); err == nil {
			_, text, _ := bytes.Cut(text, []byte("test_check("))
			t.Logf("%s", text)
		}
	}
	if err != nil || !bytes.Contains(said, []byte("\nStatus: OK\n")) {
		t.Fatalf("%v\n%s", err, said)
	}
	tutorial(t, r, filepath.Join(work, "sgppl.Rcheck"), command) // where check has installed it
}

var (
	fences = regexp.MustCompile("(?ms)^```([a-z]*)\\n(.*?)^```")
	fileOf = regexp.MustCompile("`([a-z]+\\.csv)`:\\n\\n$")
)

// tutorial runs the blocks of R of docs/tutorials/r.md, with the files that it shows, by the
// package in a library. Runs are by the virtual machine, which gives the same draws.
func tutorial(t *testing.T, r, library, command string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "docs", "tutorials", "r.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script, blocks := "options(warn = 1)\n", 0
	for _, at := range fences.FindAllSubmatchIndex(page, -1) {
		kind, text := string(page[at[2]:at[3]]), page[at[4]:at[5]]
		if named := fileOf.FindSubmatch(page[:at[0]]); named != nil {
			save(t, filepath.Join(dir, string(named[1])), text)
		} else if kind == "r" {
			script += string(text)
			blocks++
		}
	}
	if blocks < 9 {
		t.Errorf("the tutorial has %d blocks of R", blocks)
	}
	save(t, filepath.Join(dir, "tutorial.R"), []byte(script))
	slow := filepath.Join(dir, "sgppl")
	save(t, slow, fmt.Appendf(nil, "#!/bin/sh\ncase \"$1 $2\" in\n\"sample --resume\") ;;\n"+
		"sample*) set -- \"$@\" --engine vm ;;\nesac\nexec %q \"$@\"\n", command))
	if err := os.Chmod(slow, 0o755); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(r, "--slave", "-f", "tutorial.R")
	c.Dir, c.Env = dir, append(os.Environ(), "SGPPL="+slow, "R_LIBS="+library)
	out := do(t, c)
	for _, want := range []string{"\nok: ", "effect[Curie]", "elpd_diff", "score[1]"} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("the tutorial does not print %q:\n%s", want, out)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "exam.html")); err != nil {
		t.Error(err)
	}
}

// do runs a command, and returns what it prints.
func do(t *testing.T, c *exec.Cmd) []byte {
	t.Helper()
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", c.Args, err, out)
	}
	return out
}

// releases serves two releases with the command as its program: 1.0.0, and 1.0.1, whose
// archive has another check sum than is said.
func releases(t *testing.T, command string) string {
	t.Helper()
	program, err := os.ReadFile(command)
	if err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	packed, err := gzip.NewWriterLevel(&archive, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	files := tar.NewWriter(packed)
	for _, f := range []struct {
		name string
		text []byte
	}{{"LICENSE", []byte("BSD")}, {"sgppl", program}} {
		if err := files.WriteHeader(&tar.Header{Name: f.name, Mode: 0o755,
			Size: int64(len(f.text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := files.Write(f.text); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []interface{ Close() error }{files, packed} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	mux := http.NewServeMux()
	for _, version := range []string{"1.0.0", "1.0.1"} {
		name := fmt.Sprintf("sgppl_%s_%s_%s.tar.gz", version, runtime.GOOS, runtime.GOARCH)
		sum := sha256.Sum256(archive.Bytes())
		if version == "1.0.1" {
			sum[0]++
		}
		mux.HandleFunc("/v"+version+"/"+name, func(w http.ResponseWriter, _ *http.Request) {
			w.Write(archive.Bytes())
		})
		mux.HandleFunc("/v"+version+"/checksums.txt",
			func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprintf(w, "%064x  sgppl_%s_plan9_mips.tar.gz\n%x  %s\n", 0, version, sum, name)
			})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}
