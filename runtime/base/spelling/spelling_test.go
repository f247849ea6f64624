package spelling

import "testing"

func TestNearestSampler(t *testing.T) {
	for name, want := range map[string]string{"nutz": "nuts", "Sgld": "sgld", "sgnth": "sgnht",
		"sgdl": "sgld", "zzz": ""} {
		if got := Nearest(name, []string{"nuts", "sgld", "sgnht", "hmc"}); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"kitten", "sitting", 3}, {"ab", "ba", 1}, {"abcd", "badc", 2}, {"ca", "abc", 3},
		{"", "abc", 3}, {"abc", "", 3}} {
		if d := distance([]rune(c.a), []rune(c.b)); d != c.want {
			t.Errorf("the distance of %q and %q is %d, not %d", c.a, c.b, d, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"normal", "lognormal", "gamma", "poisson", "beta", "for"}
	for name, want := range map[string]string{"norml": "normal", "nromal": "normal",
		"gama": "gamma", "poison": "poisson", "xyz": "", "b": "", "normal": "", "betta": "beta"} {
		if got := Nearest(name, known); got != want {
			t.Errorf("Nearest(%s) = %q, want %q", name, got, want)
		}
	}
}
