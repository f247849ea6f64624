package main

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// dispatches are the files that call assembly for amd64, of which each has one for arm64.
var dispatches = []string{"runtime/math/special/vectors", "runtime/math/rng/bulk",
	"runtime/math/kernel/convert", "runtime/math/kernel/vector", "runtime/math/kernel/watch",
	"runtime/math/kernel/windowmax", "runtime/math/kernel/sphere64", "runtime/math/kernel/join64",
	"runtime/math/kernel/optimizer64", "runtime/math/kernel/rectify64",
	"runtime/math/kernel/sparsemat64", "runtime/math/kernel/sparsevec64",
	"runtime/math/kernel/step64", "runtime/math/kernel/tile64"}

// forNEON is a text for AVX2 with the names of NEON.
func forNEON(text string) string {
	return strings.NewReplacer("avx2", "neon", "AVX2", "NEON").Replace(text)
}

// An edit replaces a part of a text.
type edit struct {
	from, to int
	with     string
}

// cpuImport is an import that is not used where there is one level only.
var cpuImport = regexp.MustCompile(`(?m)^(?:\t|import )"github.com/sgppl/sgppl/runtime/math/cpu"\n`)

// toARM64 is a file that calls assembly for amd64 as one for arm64: without the branches
// for AVX-512, and with NEON for AVX2.
//
// It has no head that says where it is from.
func toARM64(text []byte) []byte {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "", text, parser.ParseComments)
	if err != nil {
		panic(err)
	}
	offset := func(p token.Pos) int { return set.Position(p).Offset }
	part := func(n ast.Node) string { return string(text[offset(n.Pos()):offset(n.End())]) }
	var edits []edit
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if part(n.Cond) != "level == cpu.AVX512" {
				return true
			}
			otherwise := ""
			if b, ok := n.Else.(*ast.BlockStmt); ok {
				otherwise = string(text[offset(b.Lbrace)+1 : offset(b.Rbrace)])
			}
			edits = append(edits, edit{offset(n.Pos()), offset(n.End()), otherwise})
			return false
		case *ast.CaseClause:
			for _, e := range n.List {
				if strings.Contains(part(e), "cpu.AVX512") {
					edits = append(edits, edit{offset(n.Pos()), offset(n.End()), ""})
					return false
				}
			}
		}
		return true
	})
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(b.from, a.from) })
	for _, e := range edits {
		text = slices.Concat(text[:e.from], []byte(e.with), text[e.to:])
	}
	out := forNEON(strings.Replace(string(text), "//go:build amd64", "//go:build arm64", 1))
	if !strings.Contains(out, "cpu.") {
		out = cpuImport.ReplaceAllString(out, "")
	}
	return bytes.ReplaceAll(formatted(out), []byte("{\n\n"), []byte("{\n"))
}
