package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A fence is a block of a page between lines of three backquotes, with the name of the
// file that the line above gives it.
type fence struct {
	kind, file, text string
	line             int
}

var fileOf = regexp.MustCompile("(?m)^[^\n]*`([a-z]+\\.[a-z]+)`[^`\n]*:\n\n$")

// fences returns the blocks of a page.
func fences(page string) []fence {
	var out []fence
	for at := 0; ; {
		open := strings.Index(page[at:], "\n```")
		if open < 0 {
			return out
		}
		open += at + 1
		kind, rest, _ := strings.Cut(page[open+3:], "\n")
		text, _, found := strings.Cut(rest, "```")
		if !found {
			return out
		}
		f := fence{kind: kind, text: text, line: 1 + strings.Count(page[:open], "\n")}
		if m := fileOf.FindStringSubmatch(page[max(0, open-200):open]); m != nil {
			f.file = m[1]
		}
		out = append(out, f)
		at = open + 3 + len(kind) + 1 + len(text) + 2
	}
}

// pageCommands are the pages whose commands are run, each with how many it has at least.
var pageCommands = map[string]int{
	"after.md": 17, "formula.md": 3, "posterior.md": 10,
	"tutorials/csv.md": 4, "tutorials/directions.md": 3, "tutorials/million-rows.md": 4,
	"tutorials/network.md": 2, "tutorials/topics.md": 2,
}

// TestPageCommands: the commands of a page work in its order, with the files that it
// shows. By default they run in the VM, which gives the same draws.
func TestPageCommands(t *testing.T) {
	docs, err := filepath.Abs(filepath.Join("..", "..", "docs"))
	if err != nil {
		t.Fatal(err)
	}
	for page, least := range pageCommands {
		text, err := os.ReadFile(filepath.Join(docs, page))
		if err != nil {
			t.Fatal(err)
		}
		t.Chdir(t.TempDir())
		ran := 0
		for _, f := range fences(string(text)) {
			if f.file != "" {
				write(t, f.file, f.text)
				continue
			}
			if f.kind != "" {
				continue
			}
			for i, command := range strings.Split(strings.TrimSpace(f.text), "\n") {
				args := shellWords(shorter.Replace(command))
				if args[0] != "sgppl" || strings.HasPrefix(command, "sgppl: ") {
					continue
				}
				if args[1] == "sample" {
					args = append(args, "--engine", pageEngine, "--progress", "none")
					if !slices.Contains(args, "--draws") && !slices.Contains(args, "--resume") {
						args = append(args, shortRun...)
					}
				}
				ran++
				if status, _, stderr := inProcess(t, "", args[1:]...); status != 0 {
					t.Errorf("%s: %s: status %d\n%s", fmt.Sprintf("%s:%d", page, f.line+1+i),
						command, status, stderr)
				}
			}
		}
		if ran < least {
			t.Errorf("%s: only %d commands were found", page, ran)
		}
	}
}

// shellWords cuts a command into words, as a shell does where no quotes but ' stand in it.
func shellWords(command string) []string {
	var out []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

// TestReadmeSample: the README's first command prints what the README shows below it,
// where "…" stands for lines that are left out.
func TestReadmeSample(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := fences(string(text))
	at := slices.IndexFunc(blocks,
		func(f fence) bool { return strings.HasPrefix(f.text, "go run ./cmd/sgppl sample ") })
	if at < 0 || at+1 == len(blocks) {
		t.Fatal("the README has no first command with its output")
	}
	args := strings.Fields(strings.TrimPrefix(blocks[at].text, "go run ./cmd/sgppl "))
	out := filepath.Join(t.TempDir(), "run")
	t.Chdir(filepath.Join("..", ".."))
	status, stdout, stderr := inProcess(t, "",
		append(args, "--engine", "vm", "--progress", "none", "--out", out)...)
	if status != 0 {
		t.Fatalf("status %d\n%s", status, stderr)
	}
	left := stdout
	for part := range strings.SplitSeq(blocks[at+1].text, "…\n") {
		_, after, found := strings.Cut(left, part)
		if !found {
			t.Fatalf("the README shows\n%s\nbut the command prints\n%s", part, stdout)
		}
		left = after
	}
	if left != "" {
		t.Errorf("the README does not show the end\n%s", left)
	}
}
