package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"

	"github.com/sgppl/sgppl/lang/diag"
)

// A config has flags from a TOML file: keys are their names, with - or _.
type config map[string]any

func readConfig(r io.Reader) (kong.Resolver, error) {
	raw := map[string]any{}
	if _, err := toml.NewDecoder(r).Decode(&raw); err != nil {
		return nil, err
	}
	c := config{}
	for key, v := range raw {
		c[strings.ReplaceAll(key, "_", "-")] = v
	}
	return c, nil
}

// Validate refuses keys that are no flags of sample or optimize.
func (c config) Validate(app *kong.Application) error {
	known := map[string]bool{}
	var names []string
	for _, cmd := range app.Children {
		if cmd.Name == "sample" || cmd.Name == "optimize" {
			for _, f := range cmd.Flags {
				if !known[f.Name] {
					names = append(names, f.Name)
				}
				known[f.Name] = true
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c)) {
		if !known[key] || key == "config" || key == "resume" {
			return noSetting(fmt.Sprintf("there is no setting %q", key), key, names)
		}
		if _, table := c[key].(map[string]any); table {
			return fmt.Errorf("setting %q is a table; a value is expected", key)
		}
	}
	return nil
}

// Resolve implements kong.Resolver.
func (c config) Resolve(ctx *kong.Context, _ *kong.Path, f *kong.Flag) (any, error) {
	if err := c.fits(ctx.Selected()); err != nil {
		return nil, err
	}
	v, ok := c[f.Name]
	if !ok {
		return nil, nil
	}
	if s, list := v.([]any); list || !f.IsSlice() {
		if list {
			return s, nil
		}
		return fmt.Sprint(v), nil
	}
	return []any{fmt.Sprint(v)}, nil
}

// fits refuses keys that are no flags of the command. Kong puts the flag that it
// asks for before the error, so it has a type of its own.
func (c config) fits(cmd *kong.Node) error {
	if cmd == nil {
		return nil
	}
	var names []string
	for _, f := range cmd.Flags {
		names = append(names, f.Name)
	}
	for _, key := range slices.Sorted(maps.Keys(c)) {
		if slices.Contains(names, key) {
			continue
		}
		others := cmd.Parent != nil && slices.ContainsFunc(cmd.Parent.Children, func(n *kong.Node) bool {
			return slices.ContainsFunc(n.Flags, func(f *kong.Flag) bool { return f.Name == key })
		})
		if others {
			return settingError(fmt.Sprintf("there is no setting %q of %s", key, cmd.Name))
		}
		return noSetting(fmt.Sprintf("there is no setting %q", key), key, names)
	}
	return nil
}

// A settingError is a key of a file that is no flag.
type settingError string

func (e settingError) Error() string { return string(e) }

func noSetting(text, key string, names []string) error {
	if near := diag.Nearest(key, names); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return settingError(text)
}
