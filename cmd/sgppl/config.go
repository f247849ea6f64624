package main

import (
	"fmt"
	"io"
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
	for key, v := range c {
		if !known[key] || key == "config" || key == "resume" {
			text := fmt.Sprintf("there is no setting %q", key)
			if near := diag.Nearest(key, names); near != "" {
				text += fmt.Sprintf("; did you mean %q?", near)
			}
			return fmt.Errorf("%s", text)
		}
		if _, table := v.(map[string]any); table {
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

// fits refuses keys that are flags of another command.
func (c config) fits(cmd *kong.Node) error {
	if cmd == nil {
		return nil
	}
	for key := range c {
		if !slices.ContainsFunc(cmd.Flags, func(f *kong.Flag) bool { return f.Name == key }) {
			return fmt.Errorf("there is no setting %q of %s", key, cmd.Name)
		}
	}
	return nil
}
