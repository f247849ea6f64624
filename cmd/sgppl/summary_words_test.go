package main

import (
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/glossary"
)

// TestShownWords: `sgppl doc` knows every column of the summary.
func TestShownWords(t *testing.T) {
	shown := strings.Fields("mean sd mcse 5% 50% 95% ess_bulk ess_tail rhat ±rank ess_mean")
	for _, word := range shown {
		if len(glossary.Find(word)) == 0 {
			t.Errorf("%s is not explained", word)
		}
		code, out, errs := inProcess(t, "", "doc", word)
		if code != 0 || out == "" {
			t.Errorf("sgppl doc %s: status %d, %s", word, code, errs)
		}
	}
}
