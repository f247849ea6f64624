package parser

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
)

// shake writes a text anew with spaces, line ends and comments at random, at
// places where they change nothing but the look.
func shake(rng *rand.Rand, text string) string {
	s := &scanner{file: source.New("shake.sg", text), text: text}
	s.scan()
	var b strings.Builder
	var open []string
	n := 0
	comment := func() string {
		n++
		return fmt.Sprintf("%s comment %d\n", []string{" //", " ///", "  //"}[rng.IntN(3)], n)
	}
	for i, t := range s.tokens {
		if t.kind == tEOF {
			break
		}
		if t.kind == tNewline {
			for range rng.IntN(2) {
				b.WriteString(comment())
			}
			b.WriteString(strings.Repeat("\n", 1+rng.IntN(3)))
			for range rng.IntN(2) {
				b.WriteString(comment())
			}
			continue
		}
		b.WriteString(t.text)
		switch {
		case t.is("("), t.is("["), t.is("{"):
			open = append(open, t.text)
		case t.is(")"), t.is("]"), t.is("}"):
			open = open[:len(open)-1]
		}
		inside := len(open) > 0 && open[len(open)-1] != "{"
		// A line end after { would end a one-line block's line, which is fine too.
		free := inside || t.continues() && i+1 < len(s.tokens) && s.tokens[i+1].kind != tNewline
		switch k := rng.IntN(12); {
		case k == 0 && free:
			b.WriteString(strings.Repeat("\n", 1+rng.IntN(3)))
		case k == 1 && free:
			b.WriteString(comment())
			for range rng.IntN(3) {
				b.WriteString("  " + comment())
			}
			b.WriteString(strings.Repeat("\n", rng.IntN(3)))
		default:
			b.WriteString(strings.Repeat(" ", 1+rng.IntN(3)))
		}
	}
	return b.String()
}

// TestShaken prints the golden programs in random disguises.
func TestShaken(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	_, files := readArchive(t, filepath.Join("testdata", "print.txtar"))
	for _, f := range files {
		if !strings.HasSuffix(f.name, ".sg") {
			continue
		}
		for range 12 {
			text := shake(rng, f.text)
			if _, diags := Parse(source.New(f.name, text)); len(diags) > 0 {
				t.Fatalf("%s: %s\n%s", f.name, diags[0].Message, text)
			}
			roundTrip(t, f.name, text)
			if t.Failed() {
				return
			}
		}
	}
}
