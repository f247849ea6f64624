package builtin

import (
	"testing"

	"github.com/sgppl/sgppl/lang/types"
)

func TestTable(t *testing.T) {
	for _, f := range Funcs() {
		if g, ok := Lookup(f.Name); !ok || g != f {
			t.Errorf("%s is not found", f.Name)
		}
		if f.Doc == "" || f.Op == "" {
			t.Errorf("%s lacks its doc or op", f.Name)
		}
		if f.Result.Kind == types.Invalid {
			t.Errorf("%s has no result", f.Name)
		}
		switch f.Class {
		case Elementwise:
			if len(f.Params) == 0 || len(f.Result.Sizes) > 0 {
				t.Errorf("%s takes and gives numbers", f.Name)
			}
			for _, p := range f.Params {
				if len(p.Sizes) > 0 {
					t.Errorf("%s takes an array", f.Name)
				}
			}
		case Reduction:
			if len(f.Params) != 1 {
				t.Errorf("%s takes one array", f.Name)
			}
		case Array:
			known := map[string]bool{}
			for _, p := range f.Params {
				for _, s := range p.Sizes {
					known[s] = true
				}
			}
			for _, s := range f.Result.Sizes {
				if !known[s] {
					t.Errorf("the size %s of %s's result is not found in its arguments", s, f.Name)
				}
			}
		case Special:
			if f.Rule == NoRule {
				t.Errorf("%s has no rule", f.Name)
			}
		}
		if f.Class != Special && f.Rule != NoRule {
			t.Errorf("%s has a rule and a signature", f.Name)
		}
	}
}
