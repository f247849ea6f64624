package fn

import "testing"

func TestParse(t *testing.T) {
	for _, id := range []ID{Density.ID(), Mean.Of("y"), Check.At(12), Default.Of("a long name"),
		Latent.Of("z")} {
		if got := Parse(id.String()); got != id {
			t.Errorf("%q is read as %+v, want %+v", id, got, id)
		}
	}
	for text, id := range map[string]ID{"mean y": {Mean, "y"}, "check 3": {Check, "3"},
		"gradient": {Gradient, ""}} {
		if id.String() != text {
			t.Errorf("%+v is written %q, want %q", id, id, text)
		}
	}
}
