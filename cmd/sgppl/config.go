package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"

	"github.com/sgppl/sgppl/internal/sources"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/spelling"
)

// A config has flags from a TOML file: keys are their names, with - or _. Under
// [blocks.PARAM] are those that params have for themselves; PARAM may be what
// stands before the = of the command line.
type config struct {
	flags  map[string]any
	blocks []blockSetting // in the order of the file
}

// A blockSetting is BLOCK=VALUE of a flag.
type blockSetting struct{ flag, spec string }

// configFile is the value of --config: kong.ConfigFlag, of regular files alone.
type configFile string

// BeforeResolve adds the settings of the file to those of the command line.
func (configFile) BeforeResolve(k *kong.Kong, ctx *kong.Context, trace *kong.Path) error {
	path := string(ctx.FlagValue(trace.Flag).(configFile))
	f, err := disk.OpenRegular(kong.ExpandPath(path))
	if err != nil {
		return err
	}
	f.Close()
	resolver, err := k.LoadConfig(path)
	if err != nil {
		return err
	}
	ctx.AddResolver(resolver)
	return nil
}

// configFiles are the files of --config.
type configFiles struct{ list []*config }

// read reads a file.
func (f *configFiles) read(r io.Reader) (kong.Resolver, error) {
	raw := map[string]any{}
	meta, err := toml.NewDecoder(r).Decode(&raw)
	if err != nil {
		return nil, err
	}
	c := &config{flags: map[string]any{}}
	for key, v := range raw {
		c.flags[dashed(key)] = concealed(v)
	}
	if err := c.readBlocks(raw, meta.Keys()); err != nil {
		return nil, err
	}
	f.list = append(f.list, c)
	return c, nil
}

func dashed(key string) string { return strings.ReplaceAll(key, "_", "-") }

// concealed is a setting without the passwords of databases.
func concealed(v any) any {
	switch v := v.(type) {
	case string:
		return sources.ConcealOne(v)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = concealed(x)
		}
		return out
	}
	return v
}

// readBlocks reads the tables under blocks.
func (c *config) readBlocks(raw map[string]any, keys []toml.Key) error {
	blocks, ok := raw["blocks"]
	if !ok {
		return nil
	}
	tables, ok := blocks.(map[string]any)
	if !ok {
		return settingError("setting \"blocks\" is for tables, such as [blocks.phi] with a line " +
			"sampler = \"sgrld\"")
	}
	delete(c.flags, "blocks")
	for name, t := range tables {
		if _, ok := t.(map[string]any); !ok {
			return settingError(fmt.Sprintf("setting \"blocks.%s\" is no table; [blocks.%s] is "+
				"expected, with a line such as sampler = \"sgrld\"", name, name))
		}
	}
	var names []string
	for _, f := range blockFlags {
		names = append(names, f.name)
	}
	for _, k := range keys {
		if len(k) != 3 || k[0] != "blocks" {
			continue
		}
		flag := dashed(k[2])
		if !slices.Contains(names, flag) {
			return noSetting(fmt.Sprintf("there is no setting %q of a block", flag), flag, names)
		}
		v := tables[k[1]].(map[string]any)[k[2]]
		switch v.(type) {
		case map[string]any, []any:
			return settingError(fmt.Sprintf("setting %q of block %s is no value", flag, k[1]))
		}
		c.blocks = append(c.blocks, blockSetting{flag, k[1] + "=" + fmt.Sprint(v)})
	}
	return nil
}

// of are the values of a flag that may differ by block, those for all first.
func (c *config) of(flag string) []string {
	var out []string
	switch v := c.flags[flag].(type) {
	case nil:
	case []any:
		for _, x := range v {
			out = append(out, fmt.Sprint(x))
		}
	default:
		out = append(out, fmt.Sprint(v))
	}
	for _, b := range c.blocks {
		if b.flag == flag {
			out = append(out, b.spec)
		}
	}
	return out
}

// Validate refuses keys that are no flags of sample or optimize.
func (c *config) Validate(app *kong.Application) error {
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
	for _, key := range slices.Sorted(maps.Keys(c.flags)) {
		if !known[key] || key == "config" || key == "resume" {
			return noSetting(fmt.Sprintf("there is no setting %q", key), key, names)
		}
		if _, table := c.flags[key].(map[string]any); table {
			return fmt.Errorf("setting %q is a table; a value is expected", key)
		}
	}
	return nil
}

// Resolve implements kong.Resolver.
func (c *config) Resolve(ctx *kong.Context, _ *kong.Path, f *kong.Flag) (any, error) {
	if err := c.fits(ctx.Selected()); err != nil {
		return nil, err
	}
	v, ok := c.flags[f.Name]
	if !ok || ctx.Selected() != nil && ctx.Selected().Name == "sample" && isBlockFlag(f.Name) {
		// byBlock reads these
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
// asks for before the error, so it has its own type.
func (c *config) fits(cmd *kong.Node) error {
	if cmd == nil {
		return nil
	}
	var names []string
	for _, f := range cmd.Flags {
		names = append(names, f.Name)
	}
	if len(c.blocks) > 0 && cmd.Name != "sample" {
		return settingError(fmt.Sprintf("there is no setting \"blocks\" of %s", cmd.Name))
	}
	for _, key := range slices.Sorted(maps.Keys(c.flags)) {
		if slices.Contains(names, key) {
			continue
		}
		others := cmd.Parent != nil && slices.ContainsFunc(cmd.Parent.Children,
			func(n *kong.Node) bool {
				return slices.ContainsFunc(n.Flags, func(f *kong.Flag) bool {
					return f.Name == key
				})
			})
		if others {
			return settingError(fmt.Sprintf("there is no setting %q of %s", key, cmd.Name))
		}
		return noSetting(fmt.Sprintf("there is no setting %q", key), key, names)
	}
	return nil
}

// A settingError is a key of a file that is not a flag.
type settingError string

func (e settingError) Error() string { return string(e) }

func noSetting(text, key string, names []string) error {
	if near := spelling.Nearest(key, names); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return settingError(text)
}
