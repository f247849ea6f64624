package checks

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/glossary"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// TestLooWords: the glossary, and so `sgppl doc`, has every figure of `sgppl loo`.
func TestLooWords(t *testing.T) {
	b, err := json.Marshal(looJSON{Diff: new(run.Float), DiffSE: new(run.Float)})
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(b, &keys); err != nil {
		t.Fatal(err)
	}
	if len(keys) < 15 {
		t.Errorf("%d keys", len(keys))
	}
	for key := range keys {
		if strings.Contains("run model axis observations draws", key) {
			continue
		}
		if len(glossary.Find(key)) == 0 {
			t.Errorf("%s is not explained", key)
		}
	}
}
