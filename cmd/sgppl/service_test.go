package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestServicePage: the tutorial of a service works as it stands, from an empty folder, in at
// most six commands and 60 lines; the service starts again with its saved run.
func TestServicePage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "tutorials", "service.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	lines, commands := 0, []string(nil)
	for _, f := range fences(string(page)) {
		switch {
		case f.file != "":
			write(t, f.file, f.text)
			lines += strings.Count(f.text, "\n")
		case f.kind == "":
			commands = append(commands, strings.Split(strings.TrimSpace(f.text), "\n")...)
		}
	}
	if lines == 0 || lines > 60 || len(commands) != 6 {
		t.Fatalf("%d lines, %d commands", lines, len(commands))
	}
	address := freeAddress(t)
	env := append(os.Environ(), "GOPROXY=off", "GOTOOLCHAIN=local", "GOWORK=off")
	for _, command := range commands {
		command = strings.NewReplacer("/path/to/sgppl", root, "localhost:8080",
			address).Replace(command)
		args := shellWords(command)
		switch {
		case args[0] == "sgppl":
			if status, _, stderr := inProcess(t, "", args[1:]...); status != 0 {
				t.Fatalf("%s: status %d\n%s", command, status, stderr)
			}
		case args[0] == "go" && args[1] == "run":
			// go run does not pass a kill on
			build := exec.Command("go", "build", "-o", "service", args[2])
			build.Env = env
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", command, err, out)
			}
			serve(t, args[3:])
		case args[0] == "go":
			c := exec.Command("go", args[1:]...)
			c.Env = env
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", command, err, out)
			}
		case args[0] == "curl":
			first := predictedLeft(t, args)
			if len(first) != 2 || first[0] == first[1] {
				t.Errorf("%s: %v", command, first)
			}
		default:
			t.Errorf("nothing runs %s", command)
		}
	}
	if status, out, stderr := inProcess(t, "", "summary", "run"); status != 0 ||
		!strings.Contains(out, "w[2]") {
		t.Errorf("summary of the saved run: %d, %s%s", status, out, stderr)
	}
}

// serve starts the service for as long as the test runs.
func serve(t *testing.T, args []string) {
	t.Helper()
	var said bytes.Buffer
	c := exec.Command("./service", args...)
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	for range 600 {
		if conn, err := net.Dial("tcp", args[0]); err == nil {
			conn.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the service does not listen")
}

// predictedLeft sends what curl would, and returns the chances.
func predictedLeft(t *testing.T, args []string) []float64 {
	t.Helper()
	if len(args) != 4 || args[1] != "-d" {
		t.Fatal(args)
	}
	r, err := http.Post("http://"+args[3], "application/x-www-form-urlencoded",
		strings.NewReader(args[2]))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	var said struct{ Left []float64 }
	if e := json.Unmarshal(body, &said); err != nil || e != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%d %s %v %v", r.StatusCode, body, err, e)
	}
	return said.Left
}

// freeAddress is one that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestServiceExample: the package of examples/service is the one that is compiled now.
func TestServiceExample(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", "examples", "service"))
	dir, fresh := ".", filepath.Join(t.TempDir(), "churn")
	if status, _, stderr := inProcess(t, "", "compile", "churn.sg", "-o", fresh); status != 0 {
		t.Fatal(stderr)
	}
	names, err := filepath.Glob(filepath.Join(fresh, "*.go"))
	if err != nil || len(names) < 8 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if have, err := os.ReadFile(filepath.Join(dir, "churn", filepath.Base(name))); err != nil ||
			!bytes.Equal(have, want) {
			t.Errorf("examples/service/churn/%s is not what the compiler makes: go generate . in "+
				"examples/service", filepath.Base(name))
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil || !regexp.MustCompile(`go test -race`).Match(text) {
		t.Error("its README does not say how it is tested", err)
	}
}
