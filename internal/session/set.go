package session

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/spelling"
)

// A SetMap holds the values of --set for consts and dims.
type SetMap map[string]float64

// Numbers returns the values of --set that are numbers. Other values are skipped here; binding the
// data reports them.
func Numbers(set []string) SetMap {
	out := SetMap{}
	for _, s := range set {
		name, value, _ := strings.Cut(s, "=")
		if x, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil {
			out[strings.TrimSpace(name)] = x
		}
	}
	return out
}

// Known refuses names that no const or dim of the model has.
func (s SetMap) Known(m *check.Model) error {
	var names []string
	for _, sym := range m.Symbols {
		if sym.Kind == check.Const || sym.Kind == check.Dim {
			names = append(names, sym.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if slices.Contains(names, name) {
			continue
		}
		hint := ""
		if near := spelling.Nearest(name, names); near != "" {
			hint = "; did you mean " + near + "?"
		}
		return Usagef("--set %s: the model has no const or dim of that name%s", name, hint)
	}
	return nil
}

// Sizes returns an error if --set gives a dim a value that is not a whole number from 0. The check
// gives a clearer message than the errors of the model that such a value would cause.
func (s SetMap) Sizes(src *source.File) error {
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if x := s[name]; !(x >= 0) || x != float64(int64(x)) {
			wrong = append(wrong, name)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	_, m := driver.Check(src, driver.Options{})
	for _, name := range wrong {
		for _, sym := range m.Symbols {
			if sym.Kind == check.Dim && sym.Name == name {
				return Usagef("--set %s=%v: %s is a dim, and a size is a whole number from 0", name,
					s[name], name)
			}
		}
	}
	return nil
}
