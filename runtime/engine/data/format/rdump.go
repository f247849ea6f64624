package format

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// sniffRDump recognises an assignment of R at the beginning.
func sniffRDump(head []byte) bool {
	p := rdump{b: head, line: 1}
	p.blank()
	_, ok := p.name()
	p.blank()
	return ok && bytes.HasPrefix(p.b[p.i:], []byte("<-"))
}

// readRDump reads the files that the function dump of R and stan_rdump write: NAME <- VALUE, where
// a value is a number, c(…), a range 1:9, integer(0), or structure(c(…), .Dim = c(…)) by columns.
func readRDump(file string, r io.Reader) (*Table, []*problem.Error) {
	t := NewTable(file, "rdump")
	text, err := io.ReadAll(r)
	if err != nil {
		return t, []*problem.Error{t.readError(0, err)}
	}
	p := &rdump{b: text, line: 1}
	var out bytes.Buffer
	out.WriteByte('{')
	for n := 0; ; n++ {
		p.blank()
		if p.i >= len(p.b) {
			break
		}
		if n > 0 {
			out.WriteByte(',')
		}
		if err := p.assignment(&out); err != nil {
			return t, []*problem.Error{t.Fail(p.line, 0, "D0106", err.Error())}
		}
	}
	out.WriteByte('}')
	if out.Len() == 2 {
		return t, []*problem.Error{t.Fail(0, 0, "D0103", "is empty")}
	}
	t, errs := readJSON(file, &out)
	t.Format = "rdump"
	return t, errs
}

// An rdump reads assignments of R from left to right.
type rdump struct {
	b    []byte
	i    int
	line int
}

// blank passes over spaces, comments and the ends of statements.
func (p *rdump) blank() {
	for p.i < len(p.b) {
		switch c := p.b[p.i]; {
		case c == '#':
			for p.i < len(p.b) && p.b[p.i] != '\n' {
				p.i++
			}
		case c == '\n':
			p.line++
			p.i++
		case c == ' ' || c == '\t' || c == '\r' || c == ';':
			p.i++
		default:
			return
		}
	}
}

func (p *rdump) take(s string) bool {
	p.blank()
	if bytes.HasPrefix(p.b[p.i:], []byte(s)) {
		p.i += len(s)
		return true
	}
	return false
}

// name reads a name, bare or in quotes.
func (p *rdump) name() (string, bool) {
	if p.i < len(p.b) && (p.b[p.i] == '"' || p.b[p.i] == '`') {
		end := bytes.IndexByte(p.b[p.i+1:], p.b[p.i])
		if end < 0 {
			return "", false
		}
		s := string(p.b[p.i+1 : p.i+1+end])
		p.i += end + 2
		return s, true
	}
	start := p.i
	for p.i < len(p.b) {
		c := p.b[p.i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '.'
		if !letter && (p.i == start || c < '0' || c > '9') {
			break
		}
		p.i++
	}
	return string(p.b[start:p.i]), p.i > start
}

func (p *rdump) found() string {
	p.blank()
	if p.i >= len(p.b) {
		return "the end of the file"
	}
	line, _, _ := bytes.Cut(p.b[p.i:min(len(p.b), p.i+12)], []byte("\n"))
	return fmt.Sprintf("%q", line)
}

func (p *rdump) assignment(out *bytes.Buffer) error {
	name, ok := p.name()
	if !ok {
		return fmt.Errorf("an assignment NAME <- VALUE is expected, and not %s", p.found())
	}
	if !p.take("<-") && !p.take("=") {
		return fmt.Errorf("<- is expected after the name %s, and not %s", name, p.found())
	}
	v, dims, scalar, err := p.value()
	if err != nil {
		return err
	}
	out.WriteString(strconv.Quote(name))
	out.WriteByte(':')
	if scalar {
		out.WriteString(v[0])
		return nil
	}
	if dims == nil {
		dims = []int{len(v)}
	}
	size := 1
	for _, d := range dims {
		size *= d
	}
	if size != len(v) {
		return fmt.Errorf("%s has %d entries, and .Dim says %d", name, len(v), size)
	}
	nest(out, v, dims, 0, 1)
	return nil
}

// nest writes an array that is stored by columns as nested lists.
func nest(out *bytes.Buffer, v []string, dims []int, at, stride int) {
	if len(dims) == 0 {
		out.WriteString(v[at])
		return
	}
	out.WriteByte('[')
	for k := range dims[0] {
		if k > 0 {
			out.WriteByte(',')
		}
		nest(out, v, dims[1:], at+k*stride, stride*dims[0])
	}
	out.WriteByte(']')
}

// value reads a value: its entries in order, its sizes where it says them, and whether it is one
// number.
func (p *rdump) value() (v []string, dims []int, scalar bool, err error) {
	switch {
	case p.take("structure("):
		if v, _, _, err = p.value(); err != nil {
			return nil, nil, false, err
		}
		for !p.take(")") {
			if !p.take(",") {
				return nil, nil, false, fmt.Errorf("`,` or `)` is expected, and not %s", p.found())
			}
			p.blank()
			key, ok := p.name()
			if !ok {
				return nil, nil, false, fmt.Errorf(".Dim = is expected, and not %s", p.found())
			}
			if !p.take("=") {
				return nil, nil, false, fmt.Errorf("= is expected, and not %s", p.found())
			}
			if key != ".Dim" && key != "dim" { // names of rows and columns, or a class
				p.pass()
				continue
			}
			sizes, _, _, err := p.value()
			if err != nil {
				return nil, nil, false, err
			}
			dims = []int{}
			for _, s := range sizes {
				d, err := strconv.ParseFloat(s, 64)
				if err != nil || d < 0 || d > 1<<31 || d != float64(int(d)) {
					return nil, nil, false, fmt.Errorf("%s is no size", s)
				}
				dims = append(dims, int(d))
			}
		}
		return v, dims, false, nil
	case p.take("c("):
		v = []string{}
		for !p.take(")") {
			part, _, _, err := p.value()
			if err != nil {
				return nil, nil, false, err
			}
			v = append(v, part...)
			if p.take(")") {
				break
			}
			if !p.take(",") {
				return nil, nil, false, fmt.Errorf("`,` or `)` is expected, and not %s", p.found())
			}
		}
		return v, nil, false, nil
	}
	for _, empty := range []string{"integer(", "double(", "numeric("} {
		if p.take(empty) {
			n, err := p.number()
			count, ok := strconv.Atoi(n)
			if err != nil || ok != nil || count < 0 || count > 1<<24 || !p.take(")") {
				return nil, nil, false, fmt.Errorf("a length is expected after %s", empty)
			}
			for range count {
				v = append(v, "0")
			}
			return v, nil, false, nil
		}
	}
	x, err := p.number()
	if err != nil {
		return nil, nil, false, err
	}
	if !p.take(":") {
		return []string{x}, nil, true, nil
	}
	y, err := p.number()
	if err != nil {
		return nil, nil, false, err
	}
	lo, ok := strconv.Atoi(x)
	hi, ok2 := strconv.Atoi(y)
	if ok != nil || ok2 != nil || hi-lo > 1<<24 || lo-hi > 1<<24 {
		return nil, nil, false, fmt.Errorf("%s:%s is no range of whole numbers", x, y)
	}
	step := 1
	if hi < lo {
		step = -1
	}
	for k := lo; k != hi+step; k += step {
		v = append(v, strconv.Itoa(k))
	}
	return v, nil, false, nil
}

// pass passes over a value of any kind, to the comma or the bracket behind it.
func (p *rdump) pass() {
	depth, quote := 0, byte(0)
	for ; p.i < len(p.b); p.i++ {
		c := p.b[p.i]
		switch {
		case c == '\n':
			p.line++
		case quote != 0:
			if c == '\\' {
				p.i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case depth == 0 && (c == ',' || c == ')'):
			return
		case c == ')':
			depth--
		}
	}
}

// number reads a number of R as JSON has it.
func (p *rdump) number() (string, error) {
	p.blank()
	start := p.i
	for p.i < len(p.b) && strings.IndexByte("+-.0123456789eEaAfFiInNTRUSLl", p.b[p.i]) >= 0 {
		p.i++
	}
	s := strings.TrimRight(string(p.b[start:p.i]), "Ll")
	switch s {
	case "NA", "NaN":
		return `"NaN"`, nil
	case "Inf", "+Inf":
		return `"Infinity"`, nil
	case "-Inf":
		return `"-Infinity"`, nil
	case "TRUE", "T":
		return "1", nil
	case "FALSE", "F":
		return "0", nil
	}
	if _, size := Decimal([]byte(strings.TrimPrefix(s, "+"))); size == 0 ||
		size != len(strings.TrimPrefix(s, "+")) {
		p.i = start
		return "", fmt.Errorf("a number is expected, and not %s", p.found())
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return "", fmt.Errorf("%s is beyond the range of numbers", s)
	}
	if x == float64(int64(x)) && x < 1<<53 && x > -1<<53 {
		return strconv.FormatInt(int64(x), 10), nil
	}
	return strconv.FormatFloat(x, 'g', -1, 64), nil
}
