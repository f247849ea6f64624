package commandline

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Make makes the model of a program. It panics where a tag or a type is not understood.
func (p *Program) Make() {
	globals := reflect.ValueOf(p.Globals).Elem()
	p.Model = &Node{Name: p.Name, Help: p.About, Target: globals}
	var asked bool
	help := &Flag{Short: 'h', isHelp: true, Value: &Value{Name: "help",
		Help: "Show context-sensitive help.", Target: reflect.ValueOf(&asked).Elem()}}
	help.flag = help
	p.Model.Flags = []*Flag{help}
	p.fill(p.Model, globals, "")
}

// fill adds the fields of a struct to a node. Flags without a group are of the given one.
func (p *Program) fill(n *Node, from reflect.Value, group string) {
	for i := range from.NumField() {
		field := from.Type().Field(i)
		tag, value := field.Tag, from.Field(i)
		own := group
		if g := tag.Get("group"); g != "" {
			own = g
		}
		_, command := tag.Lookup("cmd")
		switch {
		case tag.Get("flag") == "-":
		case field.Anonymous:
			p.fill(n, value, own)
		case command:
			p.command(n, field, value)
		case value.CanSet():
			p.value(n, field, value, own)
		}
	}
}

// command adds a command, if the program is to have it.
func (p *Program) command(n *Node, field reflect.StructField, at reflect.Value) {
	name := nameOf(field)
	if p.Only != "" && p.Only != name {
		return
	}
	child := &Node{Name: name, Help: interpolate(field.Tag.Get("help"), p.Vars), Parent: n, Target: at}
	if h, is := at.Addr().Interface().(interface{ Help() string }); is {
		child.Detail = h.Help()
	}
	p.fill(child, at, "")
	n.Children = append(n.Children, child)
}

// value adds a flag or an argument.
func (p *Program) value(n *Node, field reflect.StructField, at reflect.Value, group string) {
	tag := field.Tag
	has := func(key string) bool { _, is := tag.Lookup(key); return is }
	v := &Value{Name: nameOf(field), Target: at, HasDefault: has("default"),
		Default: interpolate(tag.Get("default"), p.Vars), Required: has("required"),
		passthrough: has("passthrough"), separator: ','}
	if at.Kind() == reflect.Map {
		v.separator = ';'
	}
	for _, key := range []string{"sep", "mapsep"} {
		switch sep := tag.Get(key); sep {
		case "":
		case "none":
			v.separator = -1
		default:
			v.separator, _ = utf8.DecodeRuneInString(sep)
		}
	}
	if !decodes(at.Type()) {
		if _, is := v.decoder(); !is {
			panic(fmt.Sprintf("commandline: %s of %s: no text becomes a %s", field.Name,
				n.Target.Type(), at.Type()))
		}
	}
	if enum := interpolate(tag.Get("enum"), p.Vars); enum != "" {
		for e := range strings.SplitSeq(enum, ",") {
			v.Enum = append(v.Enum, strings.TrimSpace(e))
		}
	}
	own := Vars{"default": v.Default, "enum": strings.Join(v.Enum, ",")}
	v.Help = interpolate(tag.Get("help"), own, p.Vars)
	if has("arg") {
		v.Required = !has("optional")
		n.Arguments = append(n.Arguments, v)
		return
	}
	f := &Flag{Value: v, PlaceHolder: interpolate(tag.Get("placeholder"), own, p.Vars), Group: group,
		Xor: tag.Get("xor")}
	v.flag = f
	f.Short, _ = utf8.DecodeRuneInString(tag.Get("short"))
	if tag.Get("short") == "" {
		f.Short = 0
	}
	if aliases := tag.Get("aliases"); aliases != "" {
		f.Aliases = strings.Split(aliases, ",")
	}
	n.Flags = append(n.Flags, f)
}

// nameOf is the name of the flag or command of a field.
func nameOf(field reflect.StructField) string {
	if name := field.Tag.Get("name"); name != "" {
		return name
	}
	return dashed(field.Name)
}

// dashed makes max-memory of MaxMemory: a word begins at a capital behind a small letter, at the
// last of several capitals before a small letter, and at a change from digits or to them.
func dashed(name string) string {
	r := []rune(name)
	var b strings.Builder
	for i, x := range r {
		if i > 0 {
			last := r[i-1]
			switch {
			case unicode.IsUpper(x) && unicode.IsLower(last),
				unicode.IsDigit(x) != unicode.IsDigit(last),
				unicode.IsUpper(x) && unicode.IsUpper(last) && i+1 < len(r) && unicode.IsLower(r[i+1]):
				b.WriteByte('-')
			}
		}
		b.WriteRune(unicode.ToLower(x))
	}
	return b.String()
}
