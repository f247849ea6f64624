package commandline

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A Node is the program or a command.
type Node struct {
	Name, Help string
	Detail     string // from the method Help() string of the struct
	Flags      []*Flag
	Arguments  []*Value
	Children   []*Node // commands
	Parent     *Node   // nil of the program
	Target     reflect.Value
}

// A Value is a flag or an argument.
type Value struct {
	Name, Help string
	Target     reflect.Value // the field
	Default    string
	HasDefault bool
	Enum       []string // the values that there are; nil for all
	Required   bool
	Set        bool // it has a value, be it the default

	flag        *Flag // nil of an argument
	passthrough bool
	separator   rune // of lists and maps; -1 for none
}

// A Flag is a flag.
type Flag struct {
	*Value
	Short       rune // 0 without one
	Aliases     []string
	PlaceHolder string
	Group       string
	Xor         string
	isHelp      bool
}

// A Decoder is the value of a flag that reads itself. What it reads may be left away, as that of a
// switch.
type Decoder interface {
	Decode(text string, given bool) error
}

func (v *Value) decoder() (Decoder, bool) {
	if !v.Target.CanAddr() {
		return nil, false
	}
	d, is := v.Target.Addr().Interface().(Decoder)
	return d, is
}

// IsBool reports whether a flag is given without a value.
func (v *Value) IsBool() bool {
	if _, is := v.decoder(); is {
		return true
	}
	return v.Target.Kind() == reflect.Bool
}

// IsSlice reports whether a value is a list.
func (v *Value) IsSlice() bool { return v.Target.Kind() == reflect.Slice }

func (v *Value) isMap() bool { return v.Target.Kind() == reflect.Map }

// Label names a value in messages.
func (v *Value) Label() string {
	if v.flag != nil {
		return "--" + v.Name
	}
	text := "<" + v.Name + ">"
	if v.IsSlice() || v.isMap() {
		text += " ..."
	}
	if !v.Required {
		text = "[" + text + "]"
	}
	return text
}

// Summary is Label with the value of a flag.
func (v *Value) Summary() string {
	if v.flag == nil || v.IsBool() {
		return v.Label()
	}
	return v.Label() + "=" + v.flag.Shown()
}

// Shown is what stands for the value in help.
func (f *Flag) Shown() string {
	tail := ""
	if f.IsSlice() && f.separator != -1 {
		tail = string(f.separator) + "..."
	}
	switch {
	case f.PlaceHolder != "":
		return f.PlaceHolder + tail
	case f.HasDefault && f.Target.Kind() == reflect.String:
		return strconv.Quote(f.Default) + tail
	case f.HasDefault:
		return f.Default + tail
	case f.isMap():
		if f.separator != -1 {
			tail = string(f.separator) + "..."
		}
		return "KEY=VALUE" + tail
	case f.Target.Type().Name() != "":
		return strings.ToUpper(dashed(f.Target.Type().Name()))
	}
	return strings.ToUpper(f.Name) + tail
}

// levels are the flags that a command understands: those of the program, then its own.
func (n *Node) levels() [][]*Flag {
	var out [][]*Flag
	if n.Parent != nil {
		out = n.Parent.levels()
	}
	if len(n.Flags) > 0 {
		out = append(out, n.Flags)
	}
	return out
}

func (n *Node) allFlags() []*Flag { return slices.Concat(n.levels()...) }

// Path is the name of a command behind that of the program.
func (n *Node) Path() string {
	if n.Parent == nil {
		return ""
	}
	return strings.TrimSpace(n.Parent.Path() + " " + n.Name)
}

// Usage is the path of a command with what may follow it.
func (n *Node) Usage() string {
	out := n.Path()
	optional := false
	for _, f := range n.allFlags() {
		if f.Required {
			out += " " + f.Summary()
		}
		optional = optional || !f.Required && !f.isHelp
	}
	closing := ""
	for _, a := range n.Arguments {
		text := a.Label()
		if !a.Required {
			text, closing = strings.TrimSuffix(text, "]"), closing+"]"
		}
		out += " " + text
	}
	out += closing
	if len(n.Arguments) == 0 && len(n.Children) > 0 {
		out += " <command>"
	}
	if optional {
		out += " [flags]"
	}
	return out
}

// values are the flags and the arguments of a node itself.
func (n *Node) values() []*Value {
	var out []*Value
	for _, f := range n.Flags {
		out = append(out, f.Value)
	}
	return append(out, n.Arguments...)
}

// each calls f with a node and those below it.
func (n *Node) each(f func(*Node)) {
	f(n)
	for _, c := range n.Children {
		c.each(f)
	}
}

// Forget has a program read its next command line as if it were the first.
func (p *Program) Forget() {
	p.Model.each(func(n *Node) {
		for _, v := range n.values() {
			v.Set = false
		}
	})
}

// inEnum refuses a value that is not one of those that there are.
func (v *Value) inEnum() error {
	if v.Enum == nil {
		return nil
	}
	list := []reflect.Value{v.Target}
	if v.IsSlice() {
		list = nil
		for i := range v.Target.Len() {
			list = append(list, v.Target.Index(i))
		}
	}
	for _, x := range list {
		if text := fmt.Sprint(x); !slices.Contains(v.Enum, text) {
			var known []string
			for _, e := range v.Enum {
				known = append(known, strconv.Quote(e))
			}
			return fmt.Errorf("%s must be one of %s but got %q", v.Label(),
				strings.Join(known, ","), text)
		}
	}
	return nil
}
