// Package config reads flags of the command line from files of TOML.
package config

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/sources"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/spelling"
)

// A Config has the flags from a TOML file: keys are their names, with - or _. Under
// [blocks.PARAM] are those that params have for themselves; PARAM may be what
// stands before the = of the command line.
type Config struct {
	byBlock []string // the flags that may differ by block
	flags   map[string]any
	blocks  []blockSetting // in the order of the file
}

// A blockSetting is BLOCK=VALUE of a flag.
type blockSetting struct{ flag, spec string }

// Files are the files of --config of a command line.
type Files struct {
	ByBlock []string // names of the flags whose values may differ by block
	List    []*Config
}

// Add reads the file of a flag --config, and adds its settings to those of the command line.
func (f *Files) Add(ctx *commandline.Context, flag *commandline.Flag) error {
	path, err := absolute(ctx.Text(flag))
	if err != nil {
		return err
	}
	r, err := disk.OpenRegular(path)
	if err != nil {
		return err
	}
	defer r.Close()
	c, err := f.read(r)
	if err != nil {
		return err
	}
	ctx.AddResolver(c)
	return nil
}

// absolute is a path with the home directory in the place of ~.
func absolute(path string) (string, error) {
	if rest, is := strings.CutPrefix(path, "~/"); is {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		path = filepath.Join(home, rest)
	}
	return filepath.Abs(path)
}

// read reads a file, and adds it to the list.
func (f *Files) read(r io.Reader) (*Config, error) {
	raw := map[string]any{}
	meta, err := toml.NewDecoder(r).Decode(&raw)
	if err != nil {
		return nil, err
	}
	c := &Config{byBlock: f.ByBlock, flags: map[string]any{}}
	for key, v := range raw {
		c.flags[dashed(key)] = concealed(v)
	}
	if err := c.readBlocks(raw, meta.Keys()); err != nil {
		return nil, err
	}
	f.List = append(f.List, c)
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
func (c *Config) readBlocks(raw map[string]any, keys []toml.Key) error {
	blocks, ok := raw["blocks"]
	if !ok {
		return nil
	}
	tables, ok := blocks.(map[string]any)
	if !ok {
		return Error("setting \"blocks\" is for tables, such as [blocks.phi] with a line " +
			"sampler = \"sgrld\"")
	}
	delete(c.flags, "blocks")
	for name, t := range tables {
		if _, ok := t.(map[string]any); !ok {
			return Error(fmt.Sprintf("setting \"blocks.%s\" is no table; [blocks.%s] is "+
				"expected, with a line such as sampler = \"sgrld\"", name, name))
		}
	}
	for _, k := range keys {
		if len(k) != 3 || k[0] != "blocks" {
			continue
		}
		flag := dashed(k[2])
		if !slices.Contains(c.byBlock, flag) {
			return missing(fmt.Sprintf("there is no setting %q of a block", flag), flag, c.byBlock)
		}
		v := tables[k[1]].(map[string]any)[k[2]]
		switch v.(type) {
		case map[string]any, []any:
			return Error(fmt.Sprintf("setting %q of block %s is no value", flag, k[1]))
		}
		c.blocks = append(c.blocks, blockSetting{flag, k[1] + "=" + fmt.Sprint(v)})
	}
	return nil
}

// Of are the values of a flag that may differ by block, those for all first.
func (c *Config) Of(flag string) []string {
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

// Check refuses keys that are no flags of sample or optimize.
func (c *Config) Check(program *commandline.Node) error {
	known := map[string]bool{}
	var names []string
	for _, cmd := range program.Children {
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
			return missing(fmt.Sprintf("there is no setting %q", key), key, names)
		}
		if _, table := c.flags[key].(map[string]any); table {
			return fmt.Errorf("setting %q is a table; a value is expected", key)
		}
	}
	return nil
}

// Resolve implements commandline.Resolver.
func (c *Config) Resolve(
	ctx *commandline.Context, f *commandline.Flag,
) (texts []string, found bool, err error) {
	if err := c.fits(ctx.Selected()); err != nil {
		return nil, false, err
	}
	v, ok := c.flags[f.Name]
	if !ok || ctx.Selected() != nil && ctx.Selected().Name == "sample" &&
		slices.Contains(c.byBlock, f.Name) {
		// the command reads these by block
		return nil, false, nil
	}
	list, is := v.([]any)
	if !is {
		return []string{fmt.Sprint(v)}, true, nil
	}
	if !f.IsSlice() {
		return nil, false, errors.New("one value is expected, and the file has a list")
	}
	texts = []string{}
	for _, x := range list {
		texts = append(texts, fmt.Sprint(x))
	}
	return texts, true, nil
}

// fits refuses keys that are no flags of the command. The flag that was asked for stands before
// errors of Resolve, so this one has its own type.
func (c *Config) fits(cmd *commandline.Node) error {
	if cmd == nil {
		return nil
	}
	var names []string
	for _, f := range cmd.Flags {
		names = append(names, f.Name)
	}
	if len(c.blocks) > 0 && cmd.Name != "sample" {
		return Error(fmt.Sprintf("there is no setting \"blocks\" of %s", cmd.Name))
	}
	for _, key := range slices.Sorted(maps.Keys(c.flags)) {
		if slices.Contains(names, key) {
			continue
		}
		others := cmd.Parent != nil && slices.ContainsFunc(cmd.Parent.Children,
			func(n *commandline.Node) bool {
				return slices.ContainsFunc(n.Flags, func(f *commandline.Flag) bool {
					return f.Name == key
				})
			})
		if others {
			return Error(fmt.Sprintf("there is no setting %q of %s", key, cmd.Name))
		}
		return missing(fmt.Sprintf("there is no setting %q", key), key, names)
	}
	return nil
}

// An Error is a key of a file that is not a flag.
type Error string

func (e Error) Error() string { return string(e) }

func missing(text, key string, names []string) error {
	if near := spelling.Nearest(key, names); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return Error(text)
}
