package commandline

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// reset gives all fields their defaults.
func (c *Context) reset() error {
	var errs []error
	c.Program.Model.each(func(n *Node) {
		for _, v := range n.values() {
			v.Target.SetZero()
			if v.HasDefault {
				if err := v.add(v.Target, token{text: v.Default, kind: value}); err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", v.Label(), err))
				}
				v.Set = true
			}
		}
	})
	return errors.Join(errs...)
}

// resolve asks the files for the flags that the command line does not have.
func (c *Context) resolve() error {
	var resolved []*Path
	for _, f := range c.Flags() {
		if c.texts[f.Value] != nil {
			continue
		}
		for _, r := range c.files {
			texts, found, err := r.Resolve(c, f)
			if err != nil {
				return fmt.Errorf("%s: %w", f.Label(), err)
			}
			if !found {
				continue
			}
			tokens := make([]token, len(texts))
			for i, text := range texts {
				tokens[i] = token{text: text, kind: whole}
			}
			c.texts[f.Value] = tokens
		}
		if c.texts[f.Value] != nil {
			f.Set = true
			resolved = append(resolved, &Path{Flag: f, Resolved: true})
		}
	}
	c.Path = append(c.Path, resolved...)
	return nil
}

// apply puts what was given into the fields.
func (c *Context) apply() error {
	done := map[*Value]bool{}
	for _, at := range c.Path {
		v := at.Argument
		if at.Flag != nil {
			v = at.Flag.Value
		}
		if v == nil || done[v] {
			continue
		}
		done[v] = true
		x, err := v.decode(c.texts[v])
		if err != nil {
			return err
		}
		v.Target.Set(x)
	}
	return nil
}

// check refuses values that do not fit, and misses what has to be given.
func (c *Context) check() error {
	for _, at := range c.Path {
		if at.Node == nil {
			continue
		}
		for _, v := range at.Node.values() {
			if v.Required && !v.HasDefault && !v.Set { // missed below
				continue
			}
			if err := v.inEnum(); err != nil {
				return err
			}
		}
	}
	for _, r := range c.files {
		if err := r.Check(c.Program.Model); err != nil {
			return err
		}
	}
	for _, at := range c.Path {
		if at.Node == nil {
			continue
		}
		if err := missing(at.Node.Flags); err != nil {
			return err
		}
	}
	selected := c.Selected()
	if selected == nil {
		selected = c.Program.Model
	}
	if err := selected.unfinished(); err != nil {
		return err
	}
	for _, at := range c.Path {
		if at.Node == nil {
			continue
		}
		if err := exclusive(at.Node.Flags); err != nil {
			return err
		}
	}
	return nil
}

// missing names the flags that have to be given and were not.
func missing(flags []*Flag) error {
	var out []string
	for _, f := range flags {
		if f.Required && !f.Set {
			out = append(out, f.Summary())
		}
	}
	if out == nil {
		return nil
	}
	slices.Sort(out)
	return fmt.Errorf("missing flags: %s", strings.Join(out, ", "))
}

// unfinished says that arguments or a command have to follow.
func (n *Node) unfinished() error {
	var args, out []string
	for _, a := range n.Arguments {
		if a.Required && !a.Set {
			args = append(args, a.Summary())
		}
	}
	if args != nil {
		out = append(out, strconv.Quote(strings.Join(args, " ")))
	}
	for _, c := range n.Children {
		out = append(out, strconv.Quote(c.Name))
	}
	switch {
	case len(out) == 0:
		return nil
	case len(out) == 1:
		return fmt.Errorf("expected %s", out[0])
	case len(out) > 5:
		out = append(out[:5], "...")
	}
	return fmt.Errorf("expected one of %s", strings.Join(out, ", "))
}

// exclusive refuses two flags of which one may be given.
func exclusive(flags []*Flag) error {
	first := map[string]*Flag{}
	for _, f := range flags {
		switch {
		case f.Xor == "" || !f.Set:
		case first[f.Xor] != nil:
			return fmt.Errorf("--%s and --%s can't be used together", first[f.Xor].Name, f.Name)
		default:
			first[f.Xor] = f
		}
	}
	return nil
}
