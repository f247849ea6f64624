package parser

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/cputime"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
)

// TestLimits parses and prints texts that are long or deep without growing out of bounds.
func TestLimits(t *testing.T) {
	n := 4000
	texts := map[string]string{
		"sum":        "let a = 1" + strings.Repeat(" + 1", n) + "\n",
		"statements": strings.Repeat("let a = f(x[1], 2 * b)\n", n/4),
		"parens":     "let a = " + strings.Repeat("(", n) + "1" + strings.Repeat(")", n) + "\n",
		"open":       "let a = " + strings.Repeat("([{", n),
		"unclosed":   "let a = " + strings.Repeat("(", n) + "\n",
		"close":      strings.Repeat(")]}", n/40),
		"minus":      "let a = " + strings.Repeat("-", n) + "1\n",
		"not":        "let a = " + strings.Repeat("not ", n) + "true\n",
		"power":      "let a = 2" + strings.Repeat("^2", n) + "\n",
		"if":         "let a = " + strings.Repeat("if c then 1 else ", n) + "2\n",
		"braces": strings.Repeat("for n in N { ", 190) + "y ~ d()" +
			strings.Repeat(" }", 190) + "\n",
		"scans": "let a = " + strings.Repeat("scan t in T from a = 1 { ", 190) + "a" +
			strings.Repeat(" }", 190) + "\n",
		"index":       "let a = b" + strings.Repeat("[0]", n) + "\n",
		"call":        "let a = " + strings.Repeat("f(", 190) + strings.Repeat(")", 190) + "\n",
		"semicolons":  strings.Repeat("x;", n/10),
		"foreign":     strings.Repeat("let a = b && c\n", n/20),
		"unknown":     strings.Repeat("$", n/20),
		"zeros":       strings.Repeat("\x00", 1000*n),
		"foreign all": strings.Repeat("let a = b && c\n", 25*n),
		"comments":    strings.Repeat("// c\n", n),
		"inner":       "let a = f(1" + strings.Repeat(" // c\n, 1", n/4) + ")\n",
		"negatives":   "let a = [" + strings.Repeat("-1, ", n) + "-1]\n",
		"commas":      "data x" + strings.Repeat(", x", n/4) + " : real\n",
		"declaration": "data x : real" + strings.Repeat(", x : real", n/4) + "\n",
	}
	for name, text := range texts {
		start := cputime.Now()
		f, diags := Parse(source.New(name, text))
		if len(diags) == 0 {
			ast.Print(f)
		}
		var shown bytes.Buffer
		diags.Render(&shown, false)
		if d := cputime.Now() - start; d > 5*time.Second {
			t.Errorf("%s took %v", name, d)
		} else {
			t.Logf("%-12s %8v %d diagnostics of %d bytes", name, d.Round(time.Millisecond),
				len(diags), shown.Len())
		}
		if most := 256 << 10; shown.Len() > most {
			t.Errorf("%s: %d diagnostics of %d bytes", name, len(diags), shown.Len())
		}
	}
}

// TestLongLists: signs in a list are not inside each other, however long it is.
func TestLongLists(t *testing.T) {
	for _, list := range []string{"-1, ", "2^-1, ", "(-1), ", "if true then -1 else 1, "} {
		text := "let a = [" + strings.Repeat(list, 2000) + "-1]\n"
		if _, diags := Parse(source.New("list", text)); len(diags) > 0 {
			t.Errorf("%s: %s", list, diags[0].Message)
		}
	}
	text := "let a = " + strings.Repeat("-(", 600) + "1" + strings.Repeat(")", 600) + "\n"
	if _, diags := Parse(source.New("deep", text)); len(diags) == 0 {
		t.Error("600 signs inside each other are taken")
	}
}
