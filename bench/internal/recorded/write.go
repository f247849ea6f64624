package recorded

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// Line writes the values of one round of a benchmark, as Read reads them. Spaces of the name
// become underscores.
func Line(w io.Writer, name string, values ...Value) error {
	text := "Benchmark" + strings.ReplaceAll(name, " ", "_") + " 1"
	for _, v := range values {
		text += fmt.Sprintf(" %.6g %s", v.Value, strings.ReplaceAll(v.Unit, " ", "_"))
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

// A Value is a number with its unit.
type Value struct {
	Value float64
	Unit  string
}

var (
	benchmark = regexp.MustCompile(`(?m)^(Benchmark\S+[ \t]+\d+)((?:[ \t]+\S+[ \t]+\S+)+)$`)
	measure   = regexp.MustCompile(`([ \t]+\S+[ \t]+)(\S+)`)
)

// Prefixed puts a word before the units of benchmarks: "ns" becomes "avx2 ns".
func Prefixed(lines []byte, word string) []byte {
	return benchmark.ReplaceAllFunc(lines, func(line []byte) []byte {
		m := benchmark.FindSubmatch(line)
		return append(m[1], measure.ReplaceAll(m[2], []byte("${1}"+word+"_${2}"))...)
	})
}

// Commit names the tree in the working directory: eight digits, with a + where it has changes.
func Commit() string {
	out, err := exec.Command("git", "describe", "--always", "--abbrev=8", "--exclude=*",
		"--dirty=+").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

// Processor is the name that the processor gives itself, or "" where the system does not tell.
func Processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, value, found := strings.Cut(line, ":"); found &&
			strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Write stores what a command printed, benchmarks or a table, under a header.
func Write(path, command string, lines []byte) error {
	text := fmt.Sprintf("date: %s\ncommit: %s\n", time.Now().Format(time.DateOnly), Commit())
	if cpu := Processor(); cpu != "" && !bytes.Contains(lines, []byte("\ncpu:")) {
		text += "cpu: " + cpu + "\n"
	}
	text += "command: " + command + "\n"
	text += string(lines)
	if _, err := parse(text, command); err != nil { // so that nothing is stored that is not read
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}
