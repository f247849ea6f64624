package stan_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/stan"
)

// TestBoundSays: the text of a model that is translated for its data names the data whose values it
// depends on, and no others; that of a model for any data says nothing of the kind.
func TestBoundSays(t *testing.T) {
	for name, c := range map[string]struct{ data, names string }{
		"bound_while_data": {`{"N": 3, "y": [0.3, 4.0, 0.1]}`, "/// y. Import"},
		"bound_max_group":  {`{"N": 3, "g": [1, 2, 1], "y": [1, 2, 3]}`, "/// g. Import"},
		"ar1":              {`{"N": 3, "y": [1, 2, 3]}`, ""},
	} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".stan"))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "data.json")
		if err := os.WriteFile(file, []byte(c.data), 0o600); err != nil {
			t.Fatal(err)
		}
		out, bound, diags := stan.ModelFor(source.New(name+".stan", string(text)),
			func() map[string]*stan.Given { return stan.ReadData([]string{file}, nil) }, nil,
			func(*source.File) diag.List { return nil })
		if out == nil {
			t.Fatalf("%s: %v", name, diags)
		}
		if bound != (c.names != "") ||
			strings.Contains(out.Text, "holds for one data set") != bound ||
			!strings.Contains(out.Text, c.names) {
			t.Errorf("%s: bound %v\n%s", name, bound, out.Text)
		}
	}
}
