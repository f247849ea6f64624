package spelling

import "testing"

func TestNearest(t *testing.T) {
	for name, want := range map[string]string{"nutz": "nuts", "Sgld": "sgld", "sgnth": "", "zzz": ""} {
		if got := Nearest(name, []string{"nuts", "sgld", "sgnht", "hmc"}); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if d := distance("kitten", "sitting"); d != 3 {
		t.Errorf("the distance of kitten and sitting is %d", d)
	}
}
