package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"
	"github.com/sgppl/sgppl/internal/calibrate"
)

// mostCombinations is how many a sweep may have.
const mostCombinations = 10000

// A grid is the file of a sweep: a model, and combinations of settings of a test.
type grid struct {
	model string
	names []string // of the lists, in the order of the file
	list  []gridPoint
}

// A gridPoint is a combination, in which the last list varies fastest.
type gridPoint struct {
	settings map[string]string
	flags    calibrate.Flags
}

// readGrid reads the file of a sweep. Files that it names stand next to it.
func readGrid(path string) (*grid, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var raw map[string]any
	meta, err := toml.Decode(string(text), &raw)
	if parse := (toml.ParseError{}); errors.As(err, &parse) {
		return nil, usage("%s: %s", path, parse.ErrorWithPosition())
	} else if err != nil {
		return nil, usage("%s: %v", path, err)
	}
	wrong := func(format string, args ...any) error {
		return usage("%s: %s", path, fmt.Sprintf(format, args...))
	}
	g := &grid{}
	var shared []string
	values := map[string][]string{}
	for _, key := range meta.Keys() { // in the order of the file
		name := flagName(key[len(key)-1])
		switch {
		case len(key) == 1 && key[0] == "grid":
			if _, is := raw["grid"].(map[string]any); !is {
				return nil, wrong("grid is a table of lists: [grid]")
			}
		case len(key) == 1 && key[0] == "model":
			model, is := raw["model"].(string)
			if !is || model == "" {
				return nil, wrong("model is the path of a model, such as model = \"schools.sg\"")
			}
			if g.model = model; !filepath.IsAbs(model) {
				g.model = filepath.Join(filepath.Dir(path), model)
			}
		case len(key) == 1:
			list, is := raw[key[0]].([]any)
			if !is {
				list = []any{raw[key[0]]}
			} else if name != "data" && name != "set" {
				return nil, wrong("%s has one value outside of [grid]", key[0])
			}
			for _, v := range list {
				arg, err := flagOf(name, v)
				if err != nil {
					return nil, wrong("%v", err)
				}
				shared = append(shared, arg)
			}
		case len(key) == 2 && key[0] == "grid":
			list, is := raw["grid"].(map[string]any)[key[1]].([]any)
			if !is || len(list) == 0 {
				return nil, wrong("grid.%s is a list, such as %s = [...], of at least one value", key[1],
					key[1])
			}
			if name == "data" || name == "set" {
				return nil, wrong("%s is the same for all combinations of a sweep: it stands above [grid]",
					name)
			}
			for _, v := range list {
				if _, err := flagOf(name, v); err != nil {
					return nil, wrong("%v", err)
				}
				values[name] = append(values[name], fmt.Sprint(v))
			}
			g.names = append(g.names, name)
		default:
			return nil, wrong("%s: a sweep has model, settings of test, and [grid]", key)
		}
	}
	switch {
	case g.model == "":
		return nil, wrong("there is no model: model = \"FILE.sg\"")
	case len(g.names) == 0:
		return nil, wrong("there is nothing to combine: [grid] has a list for each setting, such as " +
			"sampler = [\"nuts\", \"gmc\"]")
	}
	return g, g.combine(shared, values, wrong)
}

// flagName is a key as the flag of test.
func flagName(key string) string { return strings.ReplaceAll(key, "_", "-") }

// gridFlags are what a sweep may set.
var gridFlags = sync.OnceValue(func() (names []string) {
	for _, f := range gridParser(&calibrate.Flags{}).Model.Flags {
		if f.Name != "help" {
			names = append(names, f.Name)
		}
	}
	return names
})

func gridParser(f *calibrate.Flags) *kong.Kong {
	return kong.Must(f, kong.Name("sweep"), kong.NoDefaultHelp(), testVars(),
		kong.Writers(io.Discard, io.Discard))
}

// flagOf is a value as a flag of test.
func flagOf(name string, v any) (string, error) {
	if names := gridFlags(); !slices.Contains(names, name) {
		return "", fmt.Errorf("%s is no setting of test; those are %s", name, strings.Join(names, ", "))
	}
	switch v.(type) {
	case string, int64, float64:
		return fmt.Sprintf("--%s=%v", name, v), nil
	}
	return "", fmt.Errorf("%s = %v: a text or a number is expected", name, v)
}

// combine makes all combinations.
func (g *grid) combine(
	shared []string, values map[string][]string, wrong func(string, ...any) error,
) error {
	n := 1
	for _, name := range g.names {
		if n *= len(values[name]); n > mostCombinations {
			return wrong("more than %d combinations", mostCombinations)
		}
	}
	for i := range n {
		p := gridPoint{settings: map[string]string{}}
		args, rest := slices.Clone(shared), i
		for _, name := range slices.Backward(g.names) {
			list := values[name]
			p.settings[name] = list[rest%len(list)]
			args = append(args, fmt.Sprintf("--%s=%s", name, p.settings[name]))
			rest /= len(list)
		}
		_, err := gridParser(&p.flags).Parse(args)
		if err == nil {
			_, err = p.flags.Options()
		}
		if err != nil {
			return wrong("%s: %v", strings.Join(args, " "), err)
		}
		g.list = append(g.list, p)
	}
	return nil
}
