// Command testcpu runs the tests of packages, one package after another, and
// prints the seconds of CPU that each takes, most first. Processes that tests
// start count, the compiler among them; building the tests does not. Call it
// in the module:
//
//	go run ./internal/testcpu ./...                    # a line for each package
//	go run ./internal/testcpu -each ./cmd/sgppl        # a line for each test
//	go run ./internal/testcpu -each -run Scripts/fit ./cmd/sgppl
//
// The exit status is 1 where a test failed.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// into names the file that measured runs append their lines to.
const into = "SGPPL_TESTCPU"

func main() {
	if file := os.Getenv(into); file != "" {
		os.Exit(measured(file, os.Args[1], os.Args[2:]))
	}
	each := flag.Bool("each", false, "run and print each test by itself")
	only := flag.String("run", "", "the tests to run, as -run of go test")
	tags := flag.String("tags", "", "build tags, as -tags of go test")
	flag.Parse()
	failed, err := report(*each, *only, *tags, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(5)
	}
	if failed {
		os.Exit(1)
	}
}

// report runs go test with this program in the middle, and prints what it measured.
func report(each bool, only, tags string, packages []string) (failed bool, err error) {
	self, err := os.Executable()
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "testcpu")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "lines")
	c := exec.Command("go", append([]string{"test", "-count=1", "-p=1", "-exec", self,
		"-run", only, "-tags", tags}, packages...)...)
	c.Env = append(os.Environ(), into+"="+file, into+"_EACH="+strconv.FormatBool(each))
	output, err := c.CombinedOutput()
	if err != nil {
		failed = true
		fmt.Printf("%s", output)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return failed, err
	}
	root, err := os.Getwd()
	if err != nil {
		return failed, err
	}
	print(string(text), root)
	return failed, nil
}

// print writes the lines of measured runs, the dearest first, and their sum.
func print(text, root string) {
	type line struct {
		seconds float64
		name    string
	}
	var lines []line
	sum := 0.0
	for l := range strings.Lines(text) {
		seconds, name, _ := strings.Cut(strings.TrimSpace(l), " ")
		s, _ := strconv.ParseFloat(seconds, 64)
		name = strings.TrimPrefix(name, root+string(filepath.Separator))
		lines = append(lines, line{s, filepath.ToSlash(name)})
		sum += s
	}
	slices.SortFunc(lines, func(a, b line) int { return cmp.Compare(b.seconds, a.seconds) })
	for _, l := range lines {
		fmt.Printf("%7.2f  %s\n", l.seconds, l.name)
	}
	fmt.Printf("%7.2f  in all\n", sum)
}

// measured runs a test binary for go test, which calls it in the directory of
// the package, and appends its seconds to a file.
func measured(file, binary string, args []string) int {
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 5
	}
	if os.Getenv(into+"_EACH") != "true" {
		return timed(file, dir, binary, args)
	}
	names, err := list(binary, args)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 5
	}
	status := 0
	for _, name := range names {
		one := append(slices.Clone(args), "-test.run=^"+name+"$")
		status = max(status, timed(file, dir+" "+name, binary, one))
	}
	return status
}

// timed runs a binary and appends the CPU of it and of its children to a file.
func timed(file, name, binary string, args []string) int {
	c := exec.Command(binary, args...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, into) })
	err := c.Run()
	if c.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		return 5
	}
	cpu := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = fmt.Fprintf(f, "%.3f %s\n", float64(cpu)/float64(time.Second), name)
		err = cmp.Or(err, f.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 5
	}
	return c.ProcessState.ExitCode()
}

// list is the tests of a binary that its arguments choose.
func list(binary string, args []string) ([]string, error) {
	pattern := "."
	for _, a := range args {
		if p, ok := strings.CutPrefix(a, "-test.run="); ok && p != "" {
			pattern, _, _ = strings.Cut(p, "/")
		}
	}
	output, err := exec.Command(binary, "-test.list="+pattern).Output()
	return slices.DeleteFunc(strings.Fields(string(output)), func(name string) bool {
		return !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Example") &&
			!strings.HasPrefix(name, "Fuzz")
	}), err
}
