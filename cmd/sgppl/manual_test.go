package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/manual"
)

// TestCompletion: the scripts know every command and flag of the command line, the shells that
// are installed read them, and complete commands, flags and values by them.
func TestCompletion(t *testing.T) {
	commands := manual.Commands(newLine("").parser.Model)
	if len(commands) < 20 {
		t.Fatalf("%d commands", len(commands))
	}
	dir := t.TempDir()
	for _, shell := range manual.Shells() {
		status, script, stderr := inProcess(t, "", "completion", shell)
		if status != 0 {
			t.Fatal(stderr)
		}
		for _, c := range commands {
			if !strings.Contains(script, c.Name) {
				t.Errorf("%s: no %s", shell, c.Name)
			}
			for _, f := range c.Flags {
				if name := map[bool]string{true: "-l ", false: "--"}[shell == "fish"] +
					f.Name; !strings.Contains(script, name) {
					t.Errorf("%s: no %s of %s", shell, name, c.Name)
				}
			}
		}
		write(t, filepath.Join(dir, shell), script)
	}
	if status, _, stderr := inProcess(t, "", "completion", "csh"); status != 2 ||
		!strings.Contains(stderr, "powershell") {
		t.Errorf("status %d, %s", status, stderr)
	}
	ask := func(shell, program, want string) {
		t.Helper()
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not installed: its script was not run", shell)
			return
		}
		c := exec.Command(path, "-c", program)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if got := strings.Join(strings.Fields(string(out)), " "); err != nil || got != want {
			t.Errorf("%s: %s\ngives %q, %v; want %q", shell, program, got, err, want)
		}
	}
	bash := func(words string) string {
		return `source ./bash; COMP_WORDS=(` + words +
			`); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _sgppl; echo "${COMPREPLY[@]}"`
	}
	ask("bash", bash("sgppl sam"), "sample")
	ask("bash", bash("sgppl sample --engi"), "--engine")
	ask("bash", bash("sgppl sample --engine ''"), "auto native vm")
	ask("bash", bash("sgppl sample fi"), "fish")
	ask("fish", `source ./fish; complete -C 'sgppl expo' | string replace -r '\t.*' ''`, "export")
	ask("fish", `source ./fish; complete -C 'sgppl sample --engine ' | string replace -r '\t.*' ''`,
		"auto native vm")
	ask("zsh", `zsh -n ./zsh && autoload -U compinit && compinit -u -D && source ./zsh && echo $_comps[sgppl]`,
		"_sgppl")
	ask("pwsh", `. ./powershell; (TabExpansion2 'sgppl sample --engine n' 24).CompletionMatches.CompletionText`,
		"native")
}

// TestMan: there is a page of every command, and groff, where it is installed, has nothing to
// say against any.
func TestMan(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man")
	if status, _, stderr := inProcess(t, "", "man", "--out", dir); status != 0 {
		t.Fatal(stderr)
	}
	commands := manual.Commands(newLine("").parser.Model)
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) != len(commands)+1 {
		t.Errorf("%d pages of %d commands, %v", len(pages), len(commands), err)
	}
	request := regexp.MustCompile(`^\.(TH|SH|TP|B|BR|I|PP|nf|fi)( |$)`)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(line, ".") && !request.MatchString(line) ||
				strings.HasPrefix(line, "'") {
				t.Errorf("%s:%d: %s", filepath.Base(page), i+1, line)
			}
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed: the pages were not set")
	}
	for _, page := range pages {
		c := exec.Command(groff, "-man", "-ww", "-Tutf8", "-z", page)
		if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", filepath.Base(page), err, out)
		}
	}
}

// TestVersionOfProgram: the first line of `sgppl version` is the version, and the bill of
// materials names the modules of go.mod that are in the program.
func TestVersionOfProgram(t *testing.T) {
	status, out, _ := inProcess(t, "", "version")
	if status != 0 || !regexp.MustCompile(`^sgppl \S+\n(module .*\n)?(commit .*\n)?built by go1\S* for \w+/\w+\n$`).MatchString(out) {
		t.Errorf("%d %q", status, out)
	}
	bin := filepath.Join(t.TempDir(), "sgppl")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	bom, err := exec.Command(bin, "version", "--sbom").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"pkg:golang/github.com/alecthomas/participle/v2@v",
		"pkg:golang/github.com/parquet-go/parquet-go@v", "pkg:golang/std@1."} {
		if !strings.Contains(string(bom), want) {
			t.Errorf("%s is not named", want)
		}
	}
	if strings.Contains(string(bom), "pgregory.net/rapid") {
		t.Error("a module of tests is named")
	}
}
