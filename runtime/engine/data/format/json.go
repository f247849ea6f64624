package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// readJSON reads CmdStan's data format: one object, arrays as nested lists in
// row-major order, numbers that are not finite as strings or bare atoms. A
// file that is one list or number is an array without a name.
func readJSON(file string, r io.Reader) (*Table, []*problem.Error) {
	t := NewTable(file, "json")
	text, err := io.ReadAll(r)
	if err != nil {
		return t, []*problem.Error{t.readError(0, err)}
	}
	p := &jsonParser{t: t, meter: memory.Meter{What: reading},
		b: bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))}
	p.blank()
	if p.i == len(p.b) {
		return t, []*problem.Error{t.Fail(0, 0, "D0103", "is empty")}
	}
	if p.b[p.i] == '{' {
		p.object()
	} else {
		t.one, t.errs[""] = p.array("")
	}
	if p.err == nil {
		if p.blank(); p.i < len(p.b) {
			p.syntax("nothing more is expected after the end of the value")
		}
	}
	if p.err != nil {
		return t, []*problem.Error{p.err}
	}
	return t, nil
}

type jsonParser struct {
	t   *Table
	b   []byte
	i   int
	err *problem.Error // of syntax: nothing can be read after it

	meter memory.Meter // of what is made of the text

	// The array being read.
	name  string
	out   []float64
	shape []int   // −1 where not known yet
	leaf  int     // depth of its numbers; −1 before the first
	at    []int   // path of lists to here
	lists [][]int // lengths of the lists of every level, in order
	wrong problem.List
	rag   int // how many of them are lists of another length than those before
	mute  int // > 0 inside a list that is reported as a whole
}

// maxDepth bounds nesting: no tensor has as many axes.
const maxDepth = 64

func (p *jsonParser) object() {
	p.i++
	for first := true; p.err == nil; first = false {
		p.blank()
		if p.peek() == '}' && first {
			p.i++
			return
		}
		start := p.i
		key, ok := p.text()
		if !ok {
			p.i = start
			p.syntax("a key in quotes is expected")
			return
		}
		if p.blank(); p.peek() != ':' {
			p.syntax("a colon is expected after the key " + key)
			return
		}
		p.i++
		v, errs := p.array(key)
		if p.err != nil {
			return
		}
		p.t.add(key, v)
		p.t.errs[key] = append(p.t.errs[key], errs...)
		switch p.blank(); p.peek() {
		case ',':
			p.i++
		case '}':
			p.i++
			return
		default:
			p.syntax("a comma or } is expected after the value of " + key)
		}
	}
}

// array reads one value of any shape. If the only mistakes are lists of different lengths, it
// returns the value together with the errors: a ragged input may be bound to it.
func (p *jsonParser) array(name string) (*array.Value, []*problem.Error) {
	p.name, p.out, p.shape, p.leaf, p.at, p.wrong = name, nil, nil, -1, p.at[:0], problem.List{}
	p.lists, p.rag = nil, 0
	p.value(0)
	if p.err != nil {
		return nil, nil
	}
	if p.rag > 0 && p.rag == p.wrong.Count {
		v := array.Ragged(p.out, p.lists)
		v.Origin = &array.Origin{File: p.t.File, Field: name, Path: p.path()}
		return v, p.wrong.Done("mistakes in it")
	}
	shape := p.shape
	if p.leaf >= 0 {
		shape = shape[:p.leaf]
	} else if p.wrong.Count == 0 {
		for k, n := range shape { // lists of empty lists
			if n <= 0 {
				shape = shape[:k+1]
				shape[k] = 0
				break
			}
		}
	}
	return &array.Value{Shape: append([]int(nil), shape...), F64: p.out,
			Origin: &array.Origin{File: p.t.File, Field: name, Path: p.path()}},
		p.wrong.Done("mistakes in it")
}

// path is the JSON path of where the parser is.
func (p *jsonParser) path() string {
	var b strings.Builder
	b.WriteString("$")
	if p.name != "" {
		b.WriteString("." + p.name)
	}
	for _, i := range p.at {
		fmt.Fprintf(&b, "[%d]", i)
	}
	return b.String()
}

func (p *jsonParser) value(depth int) {
	p.blank()
	start := p.i
	switch c := p.peek(); {
	case c == '[':
		p.list(depth)
	case c == '{':
		p.skipObject(depth)
	case c == '"':
		text, ok := p.text()
		if !ok {
			return
		}
		if v, ok := Word([]byte(text)); ok {
			p.number(v, depth, start)
			return
		}
		p.bad(start, "D0106", fmt.Sprintf("%s is %s, and not a number", p.path(),
			quoted([]byte(text))))
	case c == '-' || c-'0' <= 9:
		v, n := Decimal(p.b[p.i:])
		if n == 0 {
			p.atom(depth)
			return
		}
		p.i += n
		if !jsonNumber(p.b[start:p.i]) || !p.ended() {
			p.i = start
			p.syntax("malformed number")
			return
		}
		if math.IsInf(v, 0) {
			p.bad(start, "D0106",
				fmt.Sprintf("%s is %s, which is beyond the range of float64", p.path(),
					cut(p.b[start:p.i])))
			return
		}
		p.number(v, depth, start)
	default:
		p.atom(depth)
	}
}

// jsonNumber refuses what decimal takes but JSON does not: 01, 1., .5, 1e.
func jsonNumber(b []byte) bool {
	if b[0] == '-' {
		b = b[1:]
	}
	if len(b) == 0 || b[0] == '.' || b[0] == '0' && len(b) > 1 && b[1]-'0' <= 9 {
		return false
	}
	k := bytes.IndexByte(b, '.')
	return k < 0 || k+1 < len(b) && b[k+1]-'0' <= 9
}

// ended reports whether a number or atom ends here.
func (p *jsonParser) ended() bool {
	switch p.peek() {
	case ',', ']', '}', ' ', '\t', '\n', '\r':
		return true
	}
	return p.i == len(p.b)
}

// atom reads true, false, null, NaN, Infinity and their like.
func (p *jsonParser) atom(depth int) {
	start, end := p.i, p.i
	for end < len(p.b) && (p.b[end]|0x20 >= 'a' && p.b[end]|0x20 <= 'z' || p.b[end] == '-' ||
		p.b[end] == '+') {
		end++
	}
	b := p.b[start:end]
	v, ok := Word(b)
	switch string(b) {
	case "true":
		v, ok = 1, true
	case "false":
		v, ok = 0, true
	case "null", "NA":
		v, ok = math.NaN(), true
	}
	if !ok {
		p.syntax("a value is expected")
		return
	}
	p.i = end
	p.number(v, depth, start)
}

// number stores a number found under depth lists.
func (p *jsonParser) number(v float64, depth, start int) {
	if p.leaf != depth {
		if p.leaf >= 0 || len(p.shape) > depth && p.shape[depth] >= 0 {
			p.bad(start, "D0107",
				fmt.Sprintf("%s is a number where a list is expected, as in the lists before it",
					p.path()))
			return
		}
		p.leaf = depth
	}
	p.out = append(p.out, v)
	p.use(8)
}

// use counts memory that is taken; too much of it ends the reading.
func (p *jsonParser) use(bytes int) {
	if err := p.meter.Add(bytes); err != nil && p.err == nil {
		p.err = p.t.readError(0, err)
	}
}

func (p *jsonParser) list(depth int) {
	start, n := p.i, 0
	if depth == maxDepth {
		p.syntax(fmt.Sprintf("lists are nested deeper than %d", maxDepth))
		return
	}
	if p.leaf >= 0 && depth >= p.leaf {
		p.bad(start, "D0107", fmt.Sprintf("%s is a list where a number is expected, as before it",
			p.path()))
		p.mute++
		defer func() { p.mute-- }()
	}
	if len(p.shape) == depth {
		p.shape = append(p.shape, -1)
		p.lists = append(p.lists, nil)
	}
	p.i++
	if p.blank(); p.peek() == ']' {
		p.i++
	} else {
		for done := false; !done && p.err == nil; n++ {
			p.at = append(p.at, n)
			p.value(depth + 1)
			if p.err != nil {
				return
			}
			p.at = p.at[:len(p.at)-1]
			switch p.blank(); p.peek() {
			case ',':
				p.i++
			case ']':
				p.i++
				done = true
			default:
				p.syntax("a comma or ] is expected")
				return
			}
		}
	}
	p.lists[depth] = append(p.lists[depth], n)
	p.use(8)
	switch {
	case p.shape[depth] < 0:
		p.shape[depth] = n
	case p.shape[depth] != n:
		if p.mute == 0 {
			p.rag++
		}
		p.bad(start, "D0107", fmt.Sprintf("%s has %s, but the lists before it have %d", p.path(),
			problem.Counted(n, "entry"), p.shape[depth]))
	}
}

// skipObject passes over an object inside a value: no input is one, but a
// file may hold more than inputs.
func (p *jsonParser) skipObject(depth int) {
	start := p.i
	if depth == maxDepth {
		p.syntax(fmt.Sprintf("values are nested deeper than %d", maxDepth))
		return
	}
	inner := jsonParser{t: NewTable(p.t.File, "json"), b: p.b, i: p.i}
	d := json.NewDecoder(bytes.NewReader(p.b[p.i:]))
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		var se *json.SyntaxError
		if errors.As(err, &se) {
			inner.i += int(se.Offset) - 1
		} else {
			inner.i = len(p.b)
		}
		inner.syntax("malformed object")
		p.err = inner.err
		return
	}
	p.i += int(d.InputOffset())
	p.bad(start, "D0106", fmt.Sprintf("%s is an object, and not a number or list", p.path()))
}

// text reads a string.
func (p *jsonParser) text() (string, bool) {
	if p.peek() != '"' {
		return "", false
	}
	for j := p.i + 1; j < len(p.b); j++ {
		switch p.b[j] {
		case '\\':
			j++
		case '"':
			var s string
			if json.Unmarshal(p.b[p.i:j+1], &s) != nil {
				p.syntax("malformed string")
				return "", false
			}
			p.i = j + 1
			return s, true
		}
	}
	p.syntax("a string is not closed")
	return "", false
}

func (p *jsonParser) blank() {
	for p.i < len(p.b) && (p.b[p.i] == ' ' || p.b[p.i] == '\n' || p.b[p.i] == '\t' ||
		p.b[p.i] == '\r') {
		p.i++
	}
}

// peek is the next byte, 0 at the end.
func (p *jsonParser) peek() byte {
	if p.i < len(p.b) {
		return p.b[p.i]
	}
	return 0
}

// syntax ends the parse here.
func (p *jsonParser) syntax(what string) {
	if p.err != nil {
		return
	}
	found := "the end of the file"
	if p.i < len(p.b) {
		end := p.i
		for end < len(p.b) && end < p.i+12 && p.b[end] != '\n' && p.b[end] != '\r' {
			end++
		}
		found = quoted(p.b[p.i:end])
	}
	line, column := p.where(p.i)
	p.err = p.t.Fail(line, column, "D0108", what+", not "+found)
}

func (p *jsonParser) bad(at int, code, message string) {
	if p.mute > 0 {
		return
	}
	p.wrong.Add(func() *problem.Error {
		line, column := p.where(at)
		return p.t.Fail(line, column, code, message)
	})
}

// where is the line and column of an offset.
func (p *jsonParser) where(at int) (line, column int) {
	at = min(at, len(p.b))
	line = bytes.Count(p.b[:at], []byte("\n")) + 1
	start := bytes.LastIndexByte(p.b[:at], '\n') + 1
	return line, columnOf(p.b[start:], at-start)
}
