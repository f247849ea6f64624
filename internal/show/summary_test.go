package show

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// TestSummaryKeys: summary --json has the keys of its contract, in small letters, and nothing
// of what a summary is read and printed by.
func TestSummaryKeys(t *testing.T) {
	s := Summary{summarised: summarised{Status: run.Done, Chosen: &run.Chosen{}, Owes: true}}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(text, &keys); err != nil {
		t.Fatal(err)
	}
	small := regexp.MustCompile(`^[a-z_]+$`)
	for key := range keys {
		if !small.MatchString(key) {
			t.Errorf("there is the key %q", key)
		}
	}
	if len(keys) == 0 || keys["model"] == nil {
		t.Errorf("%s", text)
	}
}
