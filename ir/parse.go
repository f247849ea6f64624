package ir

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/size"
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
	case words[0] == "func" && len(words) >= 2:
		p.f.ID = fn.Parse(strings.Join(words[1:], " "))
		return nil
	case words[0] == "axis" && len(words) >= 3:
		n, err := parsePoly(words[2])
		if err != nil {
			return err
		}
		name := words[1]
		if at := strings.LastIndexByte(name, '.'); at > 0 {
			name = name[:at]
		}
		a := p.b.Axis(name, n)
		a.Rows = len(words) > 3 && words[3] == "rows"
		p.axes[words[1]] = a
		return nil
	case words[0] == "out" && len(words) >= 4:
		return p.output(words)
	case len(words) >= 3 && words[1] == "=":
		return p.value(words)
	}
	return fmt.Errorf("cannot read %q", strings.Join(words, " "))
}

// output reads out NAME %VALUE [AXES]; the name may be of several words.
func (p *textParser) output(words []string) error {
	at := 2
	for at < len(words)-1 && !strings.HasPrefix(words[at], "%") {
		at++
	}
	v, ok := p.values[words[at]]
	if !ok {
		return fmt.Errorf("unknown value %s", words[at])
	}
	o := Output{Name: strings.Join(words[1:at], " "), Value: v}
	for _, w := range words[at+1:] {
		if err := p.axis(w, &o.Axes); err != nil {
			return err
		}
	}
	p.f.Outputs = append(p.f.Outputs, o)
	return nil
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
	section, first := "", 3
	if named(op) {
		if len(words) < 5 {
			return fmt.Errorf("%s wants a name", op.Name)
		}
		// By its place, so that a datum may be called "over".
		name := strings.ReplaceAll(words[3], "~", " ")
		v.Name, v.Hint, first = name, name, 4
	}
	for i := first; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "over" || w == "to" || w == "off" || w == "part":
			section = w
		case w == "reverse":
			if v.Mode = op.Mode; op.Mode == Plain {
				return fmt.Errorf("%s has no variant", op.Name)
			}
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
		case section == "part":
			n, err := strconv.Atoi(w)
			if err != nil || n < 0 {
				return fmt.Errorf("bad part %q", w)
			}
			if v.Part = n; windowed(op) {
				v.Part, v.Stride = 0, n
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
			return fmt.Errorf("cannot read %q", w)
		}
	}
	if err := verifyValue(&v); err != nil {
		return err
	}
	if _, twice := p.values[words[0]]; twice {
		return fmt.Errorf("%s is made twice", words[0])
	}
	p.values[words[0]] = p.b.MakeOrdered(v)
	return nil
}

// named ops are the leaves with a name, and what names one.
func named(op *Op) bool {
	return op == OpState || op == OpData || op == OpLocal || op == OpScalar || op == OpCarry ||
		op == OpNow
}

func parsePoly(text string) (size.Poly, error) {
	var p size.Poly
	terms, under, divided := strings.Cut(text, "/")
	for _, term := range strings.Split(terms, "+") {
		factors := strings.Split(term, "*")
		coef, err := strconv.Atoi(factors[0])
		if err != nil {
			return p, fmt.Errorf("bad size %q", text)
		}
		q := size.Const(coef)
		for _, d := range factors[1:] {
			q = q.Mul(size.Dim(strings.ReplaceAll(d, "~", " ")))
		}
		p = p.Add(q)
	}
	if divided {
		n, err := strconv.Atoi(under)
		if err != nil || n < 1 {
			return p, fmt.Errorf("bad size %q", text)
		}
		p = p.Div(n)
	}
	return p, nil
}
