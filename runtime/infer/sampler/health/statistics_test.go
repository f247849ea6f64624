package health

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strconv"
	"strings"
	"testing"
)

// TestStatistics: every statistic that is put into a health table has one row in the
// table of statistics, and every row is of one that is put there.
func TestStatistics(t *testing.T) {
	used := map[string]string{}
	for _, dir := range []string{".", "..", "../hmc", "../../tall", "../../approximate"} {
		found, err := parser.ParseDir(token.NewFileSet(), dir, func(i fs.FileInfo) bool {
			return !strings.HasSuffix(i.Name(), "_test.go") && i.Name() != "statistics.go"
		}, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range found {
			for name, f := range p.Files {
				ast.Inspect(f, func(n ast.Node) bool {
					for _, s := range statisticsIn(n) {
						used[s] = name
					}
					return true
				})
			}
		}
	}
	rows := map[string]bool{}
	for _, s := range Statistics() {
		if rows[s.Name] || s.Of == "" || s.Is == "" {
			t.Errorf("the row of %s is there twice, or lacks a text", s.Name)
		}
		rows[s.Name] = true
		if used[s.Name] == "" {
			t.Errorf("no health table has %s", s.Name)
		}
	}
	for s, file := range used {
		if !rows[s] {
			t.Errorf("%s: %s has no row in the table of statistics", file, s)
		}
	}
	if len(used) < 20 {
		t.Errorf("only %d statistics were found", len(used))
	}
}

// statisticsIn returns the names of statistics in a literal of a row, in a call that
// appends one, and in a table of names with functions of a quantity.
func statisticsIn(n ast.Node) []string {
	var at []ast.Expr
	switch n := n.(type) {
	case *ast.CompositeLit:
		if len(n.Elts) < 2 {
			return nil
		}
		if _, isFunc := n.Elts[1].(*ast.FuncLit); isFunc {
			at = n.Elts[:1]
		}
		if len(n.Elts) == 6 {
			at = n.Elts[1:2]
		}
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				if k, ok := kv.Key.(*ast.Ident); ok && k.Name == "Statistic" {
					at = append(at, kv.Value)
				}
			}
		}
	case *ast.CallExpr:
		name := ""
		switch f := n.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = f.Sel.Name
		}
		if name == "row" || name == "appendRow" || name == "Judged" {
			at = n.Args[:min(3, len(n.Args))]
		}
	}
	var out []string
	for _, e := range at {
		if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if s, err := strconv.Unquote(l.Value); err == nil && s == strings.ToLower(s) {
				out = append(out, s)
			}
		}
	}
	return out
}
