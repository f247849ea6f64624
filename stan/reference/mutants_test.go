package reference

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/stan"
)

var mutants = flag.Int("mutants", 1, "how many changed programs are made of every program")

// TestMutants: programs with a word, a number or a sign changed are refused, or have the log
// density
// of the interpreter; never a panic, and never another density.
func TestMutants(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.stan")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	imported := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if head(string(text), "ode") != "" || head(string(text), "refused") != "" {
			continue
		}
		for k := range *mutants {
			h := fnv.New64a() // so that other programs do not change these
			h.Write([]byte(filepath.Base(file)))
			r := rand.New(rand.NewPCG(h.Sum64(), uint64(k)))
			changed := mutate(string(text), r)
			m, _ := stan.Model(source.New("m.stan", changed))
			if m == nil {
				continue
			}
			imported++
			path := filepath.Join(t.TempDir(), "m.stan")
			if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%s/%d", strings.TrimSuffix(filepath.Base(file), ".stan"), k)
			t.Run(name, func(t *testing.T) { compare(t, path, true) })
		}
	}
	t.Logf("%d changed programs are imported", imported)
}

// mutate changes one token of a program: to another of the program, or another sign.
func mutate(text string, r *rand.Rand) string {
	at, end := 0, 0
	words := tokens(text)
	body := strings.Index(text, "parameters")
	for range 100 {
		w := words[r.IntN(len(words))]
		if w[0] > body && !strings.Contains(text[w[0]:w[1]], "{") && !strings.Contains(text[w[0]:w[1]],
			"}") {
			at, end = w[0], w[1]
			break
		}
	}
	old := text[at:end]
	kind := func(s string) int {
		switch c := s[0]; {
		case c >= '0' && c <= '9':
			return 1
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_':
			return 2
		}
		return 3
	}
	if end == 0 {
		return text
	}
	var others []string
	if kind(old) == 3 {
		others = []string{"+", "-", "*", ".*", "/", "<", ">", "==", "!=", "||", "&&", "^"}
	} else {
		for _, w := range words {
			if s := text[w[0]:w[1]]; kind(s) == kind(old) && s != old {
				others = append(others, s)
			}
		}
		if kind(old) == 1 {
			others = append(others, "0", "1", "2", "3")
		}
	}
	if len(others) == 0 {
		return text
	}
	return text[:at] + others[r.IntN(len(others))] + text[end:]
}

// tokens are the places of the words, numbers and signs of a text, those of comments left out.
func tokens(text string) [][2]int {
	var out [][2]int
	word := func(c byte) bool {
		return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' ||
			c == '.'
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case strings.HasPrefix(text[i:], "//"):
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case word(c):
			j := i
			for j < len(text) && word(text[j]) {
				j++
			}
			out = append(out, [2]int{i, j})
			i = j
		case c == ' ' || c == '\n':
			i++
		default:
			out = append(out, [2]int{i, i + 1})
			i++
		}
	}
	return out
}
