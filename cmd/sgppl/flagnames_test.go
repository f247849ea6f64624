package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRuntimeKnowsNoFlags: no text of the runtime has a flag, and every setting that a
// message names, in braces, is one of the command's flags.
func TestRuntimeKnowsNoFlags(t *testing.T) {
	flag := regexp.MustCompile(`--[a-z]`)
	name := regexp.MustCompile(`\{([a-z][a-z0-9-]*)\}`)
	known, places := flagsOf(), 0
	eachText(t, "../../runtime", func(place token.Position, text string) {
		if flag.MatchString(text) {
			t.Errorf("%s: %s names a flag: write the setting in braces, see runtime/base/setting",
				place, text)
		}
		for _, m := range name.FindAllStringSubmatch(text, -1) {
			places++
			if !known[m[1]] {
				t.Errorf("%s: {%s} is not a setting of the command", place, m[1])
			}
		}
	})
	if places < 200 {
		t.Errorf("only %d settings in braces: are texts still read?", places)
	}
}

// flagsOf returns the flags of all commands.
func flagsOf() map[string]bool {
	known := map[string]bool{}
	program := newLine("").parser.Model
	for _, n := range append(program.Children, program) {
		for _, f := range n.Flags {
			known[f.Name] = true
		}
	}
	return known
}

// eachText calls f with the string literals of the sources below dir, tests and tags of
// fields left out.
func eachText(t *testing.T, dir string, f func(place token.Position, text string)) {
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				n.Tag = nil
			case *ast.BasicLit:
				if n.Kind == token.STRING {
					f(files.Position(n.Pos()), n.Value)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
