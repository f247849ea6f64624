package commandline

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// A Context is a command line that was read.
type Context struct {
	Program *Program
	Path    []*Path // what stood on it, in its order; what files have is behind
	texts   map[*Value][]token
	files   []Resolver
}

// A Path is a part of a command line. One of its fields is set.
type Path struct {
	Node     *Node // the program, or a command
	Flag     *Flag
	Argument *Value
	Resolved bool // a file has the flag
}

// Selected is the command, nil without one.
func (c *Context) Selected() *Node {
	var out *Node
	for _, at := range c.Path[1:] {
		if at.Node != nil {
			out = at.Node
		}
	}
	return out
}

// Flags are the flags of the program and of the command.
func (c *Context) Flags() []*Flag {
	var out []*Flag
	for _, at := range c.Path {
		if at.Node != nil {
			out = append(out, at.Node.Flags...)
		}
	}
	return out
}

// Text is the text of a flag that stands on the command line, of its last occurrence.
func (c *Context) Text(f *Flag) string {
	if t := c.texts[f.Value]; len(t) > 0 {
		return t[len(t)-1].text
	}
	return ""
}

// AddResolver adds a file of flags. Later files win.
func (c *Context) AddResolver(r Resolver) { c.files = append(c.files, r) }

// A token is a word of the command line, or a part of one.
type token struct {
	text string
	kind kind
}

type kind int

const (
	word   kind = iota // as it stands there: a flag if it begins with a dash
	value              // behind = or a letter: no flag, whatever it is
	whole              // one entry of a list, whatever separators it has
	absent             // a switch without a value
)

// flagLike reports whether a word can be no value, and what it is then.
func (t token) flagLike() (what string, is bool) {
	switch {
	case t.kind != word || t.text == "-" || !strings.HasPrefix(t.text, "-"):
		return "", false
	case strings.HasPrefix(t.text, "--"):
		return "long flag", true
	}
	return "short flag", true
}

// A scanner has the words that are left.
type scanner struct{ left []token }

func words(args []string) []token {
	out := make([]token, len(args))
	for i, a := range args {
		out[i].text = a
	}
	return out
}

func (s *scanner) pop() token {
	t := s.left[0]
	s.left = s.left[1:]
	return t
}

func (s *scanner) push(t token) { s.left = append([]token{t}, s.left...) }

// read finds out what the words are.
func (c *Context) read(s *scanner) error {
	node, next := c.Program.Model, 0 // next is the argument that a value is for
	for len(s.left) > 0 {
		t := s.pop()
		_, flag := t.flagLike()
		if t.kind == word && t.text == "--" {
			s.rest()
			continue
		}
		if flag {
			known, err := c.flag(node, s, t)
			if !known && next < len(node.Arguments) && node.Arguments[next].passthrough {
				t.kind, err = value, nil
				s.push(t)
			}
			if err != nil {
				return err
			}
			continue
		}
		if next < len(node.Arguments) {
			a := node.Arguments[next]
			next++
			c.argument(a, s, t)
			continue
		}
		child, err := node.child(t.text)
		if err != nil {
			return err
		}
		node, next = child, 0
		c.Path = append(c.Path, &Path{Node: child})
	}
	return nil
}

// rest makes values of all words that are left.
func (s *scanner) rest() {
	for i := range s.left {
		s.left[i].kind = value
	}
}

// argument takes a value, or as many as follow one another.
func (c *Context) argument(a *Value, s *scanner, t token) {
	if a.passthrough {
		s.rest()
	}
	list := []token{t}
	for a.IsSlice() && len(s.left) > 0 {
		if _, flag := s.left[0].flagLike(); flag {
			break
		}
		list = append(list, s.pop())
	}
	a.Set = true
	c.texts[a] = list
	c.Path = append(c.Path, &Path{Argument: a})
}

// child is the command of a name.
func (n *Node) child(name string) (*Node, error) {
	var names []string
	for _, c := range n.Children {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return nil, near("unexpected argument "+name, name, names)
}

// flag reads a flag: --name, --name=value, -n, -nvalue or several letters of switches.
func (c *Context) flag(n *Node, s *scanner, t token) (known bool, err error) {
	match, behind, attached := t.text, "", false
	if strings.HasPrefix(match, "--") {
		match, behind, attached = strings.Cut(match, "=")
	} else if _, size := utf8.DecodeRuneInString(match[1:]); len(match) > 1+size {
		match, behind, attached = match[:1+size], match[1+size:], true
	}
	var names []string
	for _, f := range n.allFlags() {
		own := f.spellings()
		names = append(names, own...)
		for _, name := range own {
			if name != match {
				continue
			}
			if attached && !strings.HasPrefix(match, "--") && f.IsBool() {
				s.push(token{text: "-" + behind})
				attached = false
			}
			return true, c.given(f, s, behind, attached)
		}
	}
	return false, near("unknown flag "+match, match, names)
}

// spellings are the words for a flag.
func (f *Flag) spellings() []string {
	out := []string{"--" + f.Name}
	if f.Short != 0 {
		out = append(out, "-"+string(f.Short))
	}
	for _, a := range f.Aliases {
		out = append(out, "--"+a)
	}
	return out
}

// given notes a flag with its value, which is attached to it or the next word.
func (c *Context) given(f *Flag, s *scanner, behind string, attached bool) error {
	t := token{text: behind, kind: value}
	switch {
	case attached:
	case f.IsBool():
		t.kind = absent
	case len(s.left) == 0:
		return missed(f)
	default:
		t = s.pop()
		if what, flag := t.flagLike(); flag {
			return fmt.Errorf("%s: expected %s value but got %q (%s); perhaps try %s=%q?", f.Label(),
				kindName(f.Target.Type()), t.text, what, f.Label(), t.text)
		}
	}
	tokens := append(c.texts[f.Value], t)
	if _, err := f.decode(tokens[len(tokens)-1:]); err != nil {
		return err
	}
	f.Set, c.texts[f.Value] = true, tokens
	c.Path = append(c.Path, &Path{Flag: f})
	return nil
}

// missed says that the command line ends before the value of a flag.
func missed(f *Flag) error {
	tail := ""
	if f.separator != -1 {
		tail = string(f.separator) + "..."
	}
	switch f.Target.Kind() {
	case reflect.Slice:
		return fmt.Errorf("%s: missing value, expecting \"<arg>%s\"", f.Label(), tail)
	case reflect.Map:
		return fmt.Errorf("%s: missing value, expecting \"<key>=<value>%s\"", f.Label(), tail)
	}
	return fmt.Errorf("%s: expected %s value but got %q (<EOL>)", f.Label(),
		kindName(f.Target.Type()), "EOL")
}
