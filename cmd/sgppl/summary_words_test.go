package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/glossary"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// `sgppl doc` knows every column of the summary and every figure of `sgppl loo`.
func TestShownWords(t *testing.T) {
	shown := strings.Fields("mean sd mcse 5% 50% 95% ess_bulk ess_tail rhat ±rank ess_mean")
	b, err := json.Marshal(looJSON{Diff: new(run.Float), DiffSE: new(run.Float)})
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(b, &keys); err != nil {
		t.Fatal(err)
	}
	for key := range keys {
		if strings.Contains("run model axis observations draws", key) {
			continue
		}
		shown = append(shown, key)
	}
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
