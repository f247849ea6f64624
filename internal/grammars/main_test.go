package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

const root = "../.."

// TestWritten: the committed grammars are what the tables say.
func TestWritten(t *testing.T) {
	for name, text := range files {
		got, err := os.ReadFile(filepath.Join(root, "editors", name))
		if err != nil || string(got) != text(table()) {
			t.Errorf("editors/%s is not what go generate ./internal/grammars writes: %v", name, err)
		}
	}
}

// models reads the .sg files of the repository that have no syntax errors.
func models(t *testing.T) map[string]string {
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".sg") {
			return err
		}
		text, err := os.ReadFile(path)
		if _, diags := parser.Parse(source.New(path, string(text))); !diags.Errors() {
			out[path] = string(text)
		}
		return err
	})
	if err != nil || len(out) < 300 {
		t.Fatalf("%d models: %v", len(out), err)
	}
	return out
}

// classes has a letter for each unit of UTF-16 of a text: what the parser takes it for.
func classes(text string) []byte {
	out := bytes.Repeat([]byte{' '}, len(utf16.Encode([]rune(text))))
	at, units := 0, 0
	for _, t := range parser.Tokens(source.New("", text)) {
		units += len(utf16.Encode([]rune(text[at:t.Start])))
		at = t.Start
		n := len(utf16.Encode([]rune(t.Text)))
		if !strings.ContainsAny(t.Text, "()[]{}") || t.Class != parser.OperatorToken {
			for i := range n {
				out[units+i] = "inkocd"[t.Class]
			}
		}
	}
	return out
}

// node runs a script of testdata over the models, and returns what it prints of each.
func node(t *testing.T, script string, needs ...string) (map[string]string, map[string]string) {
	program, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: the grammar is not tested")
	}
	for _, n := range needs {
		if exec.Command(program, "-e", "require('"+n+"')").Run() != nil {
			t.Skipf("NODE_PATH has no %s: the grammar is not tested", n)
		}
	}
	texts := models(t)
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "testdata/"+script, filepath.Join(root, "editors"))
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	if err := json.Unmarshal(out, &got); err != nil || len(got) != len(texts) {
		t.Fatalf("%d of %d models: %v", len(got), len(texts), err)
	}
	return texts, got
}

// compare holds what an editor colours against the parser.
func compare(t *testing.T, texts, got map[string]string, mayBeWord bool) {
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		want, units := classes(texts[path]), utf16.Encode([]rune(texts[path]))
		if len(got[path]) != len(want) {
			t.Errorf("%s: %s", path, got[path])
			continue
		}
		for i := range want {
			if want[i] == got[path][i] ||
				mayBeWord && want[i] == 'i' && got[path][i] == 'k' &&
					slices.Contains(table().starters, wordAt(units, i)) {
				continue
			}
			t.Errorf("%s: at %q the parser has %c, the grammar %c", path,
				string(utf16.Decode(units[max(0, i-10):min(len(units), i+10)])), want[i],
				got[path][i])
			break
		}
	}
}

// wordAt is the word of ASCII letters around a place.
func wordAt(units []uint16, at int) string {
	letter := func(i int) bool {
		return i >= 0 && i < len(units) && units[i] >= 'a' && units[i] <= 'z'
	}
	from, to := at, at
	for letter(from - 1) {
		from--
	}
	for letter(to) {
		to++
	}
	return string(utf16.Decode(units[from:to]))
}

// TestTextMate: the engine of VS Code takes every character of every model for what the parser
// does.
func TestTextMate(t *testing.T) {
	texts, got := node(t, "textmate.js", "vscode-textmate", "vscode-oniguruma")
	compare(t, texts, got, false)
}

// TestLezer: the grammar is built by Lezer's generator, reads every model without an error, and
// takes every character for what the parser does; but words that begin statements are words
// everywhere.
func TestLezer(t *testing.T) {
	texts, got := node(t, "lezer.js", "@lezer/generator", "@lezer/lr")
	compare(t, texts, got, true)
}

// TestTreeSitterLoads: node reads grammar.js, and its rules name only rules that are there. The
// tool of tree-sitter does not run here.
func TestTreeSitterLoads(t *testing.T) {
	program, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: grammar.js is not read")
	}
	out, err := exec.Command(program, "testdata/treesitter.js",
		filepath.Join(root, "editors/tree-sitter-sgppl/grammar.js")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "identifier") {
		t.Errorf("%v: %s", err, out)
	}
}
