package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/checked"
	"github.com/sgppl/sgppl/internal/session"
)

// TestCheckLongModel: check does not compile a right model of very many parts, and
// says so; shorter models are compiled.
func TestCheckLongModel(t *testing.T) {
	var b strings.Builder
	line := func(i int) { fmt.Fprintf(&b, "param a%d : real ~ normal(0, 1)\n", i) }
	for i := range 20 {
		line(i)
	}
	if status, stdout, stderr := inProcess(t, b.String(), "check", "-"); status != 0 ||
		strings.Contains(stdout, "not tried") {
		t.Errorf("20 params: %d %s%s", status, stdout, stderr)
	}
	for i := 20; i < checked.MostTried/4; i++ {
		line(i)
	}
	status, stdout, stderr := inProcess(t, b.String(), "check", "-")
	if status != 0 || !strings.Contains(stdout, "not tried") ||
		!strings.Contains(stdout, "sgppl compile") {
		t.Errorf("%d params: %d …%s%s", checked.MostTried/4, status, stdout[max(0, len(stdout)-300):],
			stderr)
	}
	var out struct{ NotTried string }
	_, stdout, _ = inProcess(t, b.String(), "check", "-", "--json")
	if err := json.Unmarshal([]byte(stdout), &out); err != nil || out.NotTried == "" {
		t.Errorf("%v: %q", err, out.NotTried)
	}
	// What is wrong is still said.
	if status, _, stderr := inProcess(t, b.String()+"param z : real ~ nrmal(0, 1)\n", "check",
		"-"); status != session.ExitModel || !strings.Contains(stderr, "nrmal") {
		t.Errorf("%d %s", status, stderr)
	}
}
