package main

import (
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/foreign"
)

// Every flag of another program in the table is answered by one that `sample` has, and a
// command that lacks it does not name it.
func TestForeignFlags(t *testing.T) {
	for name, here := range foreign.Flags {
		t.Run(name, func(t *testing.T) {
			dashed := "--" + strings.ReplaceAll(name, "_", "-")
			for _, flag := range []string{"--" + name, dashed} {
				code, _, errs := inProcess(t, "", "sample", "m.sg", flag, "10")
				if want := "unknown flag " + flag + "; here it is " + here; code !=
					session.ExitUsage || !strings.Contains(errs, want) {
					t.Errorf("status %d, %s\nwant %s", code, errs, want)
				}
			}
		})
	}
	if _, _, errs := inProcess(t, "", "check", "m.sg", "--iter", "10"); strings.Contains(errs,
		"--draws") {
		t.Errorf("a command without --draws: %s", errs)
	}
}
