package ir

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/size"
)

// Parse reads the text form of a function into a new builder's values.
func Parse(b *Builder, text string) (*Func, error) {
	p := textParser{b: b, f: &Func{}, axes: map[string]*Axis{}, values: map[string]*Value{}}
	for i, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if err := p.line(words); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return p.f, nil
}

type textParser struct {
	b      *Builder
	f      *Func
	axes   map[string]*Axis
	values map[string]*Value
}

func (p *textParser) line(words []string) error {
	switch {
	case words[0] == "func" && len(words) == 2:
		p.f.Name = words[1]
		return nil
	case words[0] == "axis" && len(words) >= 3:
		n, err := parsePoly(words[2])
		if err != nil {
			return err
		}
		name, _, _ := strings.Cut(words[1], ".")
		a := p.b.Axis(name, n)
		a.Rows = len(words) > 3 && words[3] == "rows"
		p.axes[words[1]] = a
		return nil
	case words[0] == "out" && len(words) >= 4:
		v, ok := p.values[words[2]]
		if !ok {
			return fmt.Errorf("unknown value %s", words[2])
		}
		o := Output{Name: words[1], Value: v}
		for _, w := range words[3:] {
			if err := p.axis(w, &o.Axes); err != nil {
				return err
			}
		}
		p.f.Outputs = append(p.f.Outputs, o)
		return nil
	case len(words) >= 3 && words[1] == "=":
		return p.value(words)
	}
	return fmt.Errorf("cannot read %q", strings.Join(words, " "))
}

// axis reads one word of an axis list, brackets and all.
func (p *textParser) axis(word string, to *[]*Axis) error {
	name := strings.Trim(word, "[]")
	if name == "" {
		return nil
	}
	a, ok := p.axes[name]
	if !ok {
		return fmt.Errorf("unknown axis %s", name)
	}
	*to = append(*to, a)
	return nil
}

func (p *textParser) value(words []string) error {
	op, ok := Lookup(words[2])
	if !ok {
		return fmt.Errorf("unknown op %s", words[2])
	}
	v := Value{Op: op}
	section := ""
	for i := 3; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "over" || w == "to" || w == "off":
			section = w
		case w == "reverse":
			v.Flag = true
		case w == "sparse":
			v.Sparse = true
		case strings.HasPrefix(w, "[") || section == "axes":
			section = "axes"
			if err := p.axis(w, &v.Axes); err != nil {
				return err
			}
		case section == "over" || section == "to":
			a, ok := p.axes[w]
			if !ok {
				return fmt.Errorf("unknown axis %s", w)
			}
			if section == "to" {
				v.To = a
			} else {
				v.Over = append(v.Over, a)
			}
		case section == "off":
			n, err := parsePoly(w)
			if err != nil {
				return err
			}
			v.Off = n
		case strings.HasPrefix(w, "%"):
			a, ok := p.values[w]
			if !ok {
				return fmt.Errorf("unknown value %s", w)
			}
			v.Args = append(v.Args, a)
		case op == OpConst:
			x, err := strconv.ParseFloat(w, 64)
			if err != nil {
				return err
			}
			v.Num = x
		default:
			v.Name = w
			v.Hint = w
		}
	}
	if err := verifyValue(&v); err != nil {
		return err
	}
	p.values[words[0]] = p.b.Make(v)
	return nil
}

func parsePoly(text string) (size.Poly, error) {
	var p size.Poly
	for _, term := range strings.Split(text, "+") {
		factors := strings.Split(term, "*")
		coef, err := strconv.Atoi(factors[0])
		if err != nil {
			return p, fmt.Errorf("bad size %q", text)
		}
		q := size.Const(coef)
		for _, d := range factors[1:] {
			q = q.Mul(size.Dim(d))
		}
		p = p.Add(q)
	}
	return p, nil
}
