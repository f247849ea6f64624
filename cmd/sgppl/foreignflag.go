package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/lang/foreign"
)

// explainForeign says of an unknown flag that other samplers have what it is called here,
// where the command that was asked for has that; other errors come back as they are.
func explainForeign(err error) error {
	var wrong *commandline.Error
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag --")
	if !unknown || !errors.As(err, &wrong) || wrong.Context.Selected() == nil {
		return err
	}
	name, _, _ = strings.Cut(name, ",")
	here := foreign.Flag(name)
	own, _, _ := strings.Cut(strings.TrimPrefix(here, "--"), " ")
	is := func(f *commandline.Flag) bool { return f.Name == own }
	if own == "" || !slices.ContainsFunc(wrong.Context.Selected().Flags, is) {
		return err
	}
	return fmt.Errorf("unknown flag --%s; here it is %s", name, here)
}
