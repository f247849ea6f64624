package session

import (
	"strings"
	"testing"
)

// TestCompilable: a package whose functions Go's compiler has no memory for is refused by name.
func TestCompilable(t *testing.T) {
	files := map[string][]byte{"spec.go": nil, "gradient.go": make([]byte, mostText)}
	if err := compilable(files); err != nil {
		t.Error(err)
	}
	files["gradient.go"] = make([]byte, mostText*3/2)
	err := compilable(files)
	if err == nil || !strings.Contains(err.Error(), "gradient.go of the sampler would have 3.0 MB") {
		t.Errorf("the error is %v", err)
	}
}
