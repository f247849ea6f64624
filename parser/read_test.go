package parser

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
)

// sameReading holds the reader to participle: it takes a statement where participle does, and makes
// the same of it.
func sameReading(t *testing.T, st statement) (fits bool) {
	t.Helper()
	if len(st.tokens) == 0 || nesting(st.tokens) > maxChain {
		return false
	}
	want, at := participate(st)
	got := readStatement(st.tokens)
	if (got != nil) != (at == -1) {
		t.Fatalf("%v: the reader takes it: %v, participle: %v", tokensText(st), got != nil, at == -1)
	}
	if at == -1 && !reflect.DeepEqual(got, want) {
		t.Fatalf("%v: the reader makes something else of it", tokensText(st))
	}
	return at == -1
}

func tokensText(st statement) string {
	var b strings.Builder
	for _, x := range st.tokens {
		b.WriteString(x.text + " ")
	}
	return b.String()
}

// statementsOf cuts a text into statements, those of blocks among them.
func statementsOf(text string) []statement {
	s := &scanner{file: source.New("x.sg", text), text: text}
	s.scan()
	sp := &splitter{tokens: s.tokens}
	out := sp.statements()
	for _, b := range sp.blocks {
		out = append(out, b.statements...)
	}
	return out
}

// texts are all models of the tree that tests of this package read.
func texts(t testing.TB) []string {
	var out []string
	for _, name := range []string{"errors.txtar", "print.txtar"} {
		_, files := readArchive(t, filepath.Join("testdata", name))
		for _, f := range files {
			out = append(out, f.text)
		}
	}
	for _, glob := range []string{"../stdlib/*.sg", "../examples/models/*.sg",
		"../examples/models/*/*.sg", "../bench/models/*.sg"} {
		paths, err := filepath.Glob(glob)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s has no files: %v", glob, err)
		}
		for _, p := range paths {
			text, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(text))
		}
	}
	return out
}

// TestReader: the reader and participle agree on every statement of the models and of the standard
// library, and on statements from which tokens were taken or in which tokens were replaced.
func TestReader(t *testing.T) {
	var all []statement
	for _, text := range texts(t) {
		all = append(all, statementsOf(text)...)
	}
	rng := rand.New(rand.NewPCG(3, 11))
	fit, wrong := 0, 0
	for _, st := range all {
		if sameReading(t, st) {
			fit++
		}
		for range 6 {
			tokens := append([]token{}, st.tokens...)
			other := all[rng.IntN(len(all))].tokens
			switch i := rng.IntN(len(tokens)); rng.IntN(3) {
			case 0:
				tokens = append(tokens[:i], tokens[i+1:]...)
			case 1:
				x := &tokens[i]
				from := other[rng.IntN(len(other))]
				x.kind, x.text = from.kind, from.text
			case 2:
				j := rng.IntN(len(tokens))
				tokens[i].kind, tokens[j].kind = tokens[j].kind, tokens[i].kind
				tokens[i].text, tokens[j].text = tokens[j].text, tokens[i].text
			}
			if !sameReading(t, statement{tokens}) {
				wrong++
			}
		}
	}
	if fit < 1000 || wrong < 1000 {
		t.Errorf("only %d statements that fit and %d that do not", fit, wrong)
	}
}

// FuzzReader: the reader and participle agree on every text.
func FuzzReader(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, st := range statementsOf(text) {
			sameReading(t, st)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	all := texts(b)
	for b.Loop() {
		for _, text := range all {
			Parse(source.New("x.sg", text))
		}
	}
}
