package setting

import "testing"

func TestText(t *testing.T) {
	for _, c := range []struct{ message, field, dashed string }{
		{"fewer {draws}, or {batch-order} replace", "fewer Draws, or BatchOrder replace",
			"fewer --draws, or --batch-order replace"},
		{"{xi0}", "Xi0", "--xi0"},
		{"a set {1, 2}, {} and { draws }", "a set {1, 2}, {} and { draws }",
			"a set {1, 2}, {} and { draws }"},
		{"{step-schedule}, {lp}", "Schedule, LogDensity", "--step-schedule, --lp"},
	} {
		if got := Text(c.message); got != c.field {
			t.Errorf("%q reads %q, want %q", c.message, got, c.field)
		}
		Spell = func(name string) string { return "--" + name }
		if got := Text(c.message); got != c.dashed {
			t.Errorf("%q reads %q on a command line, want %q", c.message, got, c.dashed)
		}
		Spell = Field
	}
	// What a user wrote is not of the format.
	if got := Sprintf("{set} %s: no number", "{draws}=x"); got != "Set {draws}=x: no number" {
		t.Error(got)
	}
}
