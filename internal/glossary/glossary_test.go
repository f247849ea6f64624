package glossary

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
)

// Every statistic of health is explained, and nothing else is called one.
func TestStatistics(t *testing.T) {
	known := map[string]bool{}
	for _, s := range health.Statistics() {
		known[s.Name] = true
		w, ok := statistics[s.Name]
		switch {
		case !ok || w.Formula == "" || w.Moves == "":
			t.Errorf("%s lacks its formula, or what moves it", s.Name)
		case s.OK != "" && (w.Expected == "" || w.Do == ""):
			t.Errorf("%s has a verdict, and lacks what is expected or what to do", s.Name)
		}
	}
	for name := range statistics {
		if !known[name] {
			t.Errorf("%s is no statistic of health", name)
		}
	}
}

// Every word is found by its name and aliases, once in its part, and its page exists.
func TestWords(t *testing.T) {
	for _, p := range Parts() {
		seen := map[string]bool{}
		for _, w := range p.Words {
			for _, name := range append([]string{w.Name}, w.Aliases...) {
				if key := strings.ToLower(name); seen[key] {
					t.Errorf("%s stands twice in %s", name, p.Name)
				} else {
					seen[key] = true
				}
				if len(Find(name)) == 0 {
					t.Errorf("%s is not found", name)
				}
			}
			if w.Is == "" || strings.HasSuffix(w.Is, ".") {
				t.Errorf("%s: %q", w.Name, w.Is)
			}
			if w.See != "" {
				if _, err := os.Stat(filepath.Join("..", "..", w.See)); err != nil {
					t.Error(err)
				}
			}
		}
	}
}
