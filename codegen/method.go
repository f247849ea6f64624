package codegen

import (
	"fmt"
	"maps"
	"sort"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A method is one segment of a function. Its body is written first; the
// declarations above it are of what the body turned out to use.
type method struct {
	f     *function
	seg   plan.Segment
	names *scope
	body  strings.Builder

	dims     map[string]string       // the local of a dim
	usedDims map[string]bool         // those that the body mentions
	buffers  map[*plan.Buffer]string // the local of a buffer
	used     map[*plan.Buffer]bool
	order    []*plan.Buffer
	written  map[*plan.Buffer]bool // local numbers that have been declared
	rows     bool
	index    map[string]string       // of a loop along an axis of that name
	known    map[string]string       // by their text: what has been taken out of loops
	now      map[*ir.Axis]string     // the index of a sequence around the step
	last     map[*plan.Buffer]string // the local that has what a sequence carries in an array
	scalars  map[string]bool         // of the call: scale, jacobian
	line     int                     // of the model, in the comment above
	// where the caller's state and output lie, before the names of arrays
	carried strings.Builder
}

// callScalars are the run-time numbers of a call, by their name in the IR.
var callScalars = map[string]string{"scale": "frame.Scale", "jacobian": "frame.Jacobian"}

func (f *function) method(seg plan.Segment) (string, error) {
	m := &method{f: f, seg: seg,
		names: newScope(f.g.universe, "f", "frame", "rows", "scale", "jacobian"),
		dims:  map[string]string{}, usedDims: map[string]bool{}, buffers: map[*plan.Buffer]string{},
		used:    map[*plan.Buffer]bool{},
		written: map[*plan.Buffer]bool{}, known: map[string]string{}, now: map[*ir.Axis]string{},
		last: map[*plan.Buffer]string{}, index: map[string]string{}, scalars: map[string]bool{}}
	for _, d := range f.g.dimOrder {
		m.dims[d] = m.names.fresh(f.g.dims[d])
	}
	steps := f.p.Steps[seg]
	m.declareAll(steps)
	if seg == plan.Prepare {
		m.narrow()
		m.resetAll()
	}
	if err := m.inTurns(steps); err != nil {
		return "", err
	}
	m.widen()
	var out strings.Builder
	receiver, frame := "f *"+f.typ, "frame *model.Frame"
	head := m.head()
	text := head + m.body.String()
	if !strings.Contains(text, "frame.") {
		frame = "*model.Frame"
	}
	if text == "" {
		receiver = "*" + f.typ
	}
	doc := segmentDoc(seg, text == "")
	if text == "" {
		fmt.Fprintf(&out, "// %s %s\nfunc (%s) %s(%s) {}\n\n", title(seg.String()), doc, receiver,
			title(seg.String()), frame)
		return out.String(), nil
	}
	if seg == plan.Finish && len(f.p.Steps[plan.Rows]) == 0 {
		doc = "writes the results."
	}
	fmt.Fprintf(&out, "// %s %s\nfunc (%s) %s(%s) {\n%s}\n\n", title(seg.String()), doc, receiver,
		title(seg.String()), frame, strings.TrimRight(text, "\n")+"\n")
	return out.String(), nil
}

// steps emits one step after another, some of them in turns.
func (m *method) steps(steps []plan.Step, turns []turn) error {
	for at := 0; at < len(steps); {
		n, err := m.fused(steps[at:], behind(turns, at))
		if err == nil && n == 0 {
			n, err = m.grouped(steps[at:], behind(turns, at))
		}
		if err == nil && n == 0 {
			n, err = 1, m.eachStep(steps[at:at+1], behind(turns, at), m.step)
		}
		if err != nil {
			return err
		}
		at += n
	}
	return nil
}

func (m *method) step(s plan.Step) error {
	switch {
	case s.Sequence != nil:
		return m.sequence(s.Sequence)
	case s.Ode != nil:
		return m.ode(s.Ode)
	}
	m.source(s)
	if s.Kernel != nil {
		return m.kernel(s.Kernel)
	}
	return m.loop(s.Loop)
}

// sequence emits a loop around its steps. What it declares is its own.
func (m *method) sequence(q *plan.Sequence) error {
	length := m.length(q.Axis).text
	names, known := m.names, m.known
	m.names, m.known = newScope(names), maps.Clone(known)
	defer func() {
		m.names, m.known = names, known
		delete(m.now, q.Axis)
	}()
	at := m.names.fresh(local(q.Axis.Name))
	m.now[q.Axis] = at
	before := m.body.String()
	m.body.Reset()
	held := m.held(q)
	if held != nil {
		m.last[held] = names.fresh("last") // it is declared before the loop
	}
	if err := m.steps(q.Steps, nil); err != nil {
		return err
	}
	steps := m.body.String()
	m.body.Reset()
	m.body.WriteString(before)
	if held != nil {
		first := "0"
		if q.Reverse {
			first = length
		}
		m.printf("%s := %s[%s]", m.last[held], m.array(held), first)
		delete(m.last, held)
	}
	switch {
	case q.Reverse:
		m.printf("for %s := %s - 1; %s >= 0; %s-- {", at, length, at, at)
	case source.Mentions(steps, at):
		m.printf("for %s := range %s {", at, length)
	default: // all that is carried has the memory of one step
		m.printf("for range %s {", length)
	}
	m.printf("%s}", steps)
	return nil
}

// declareAll reserves identifiers: first for values that the model names, then for the indices of
// loops, then for unnamed values.
func (m *method) declareAll(steps []plan.Step) {
	all := func(f func(b *plan.Buffer)) {
		for _, s := range steps {
			visit(s, func(b *plan.Buffer, _ bool) { f(b) })
		}
		if m.seg == plan.Prepare {
			for _, b := range m.f.accumulators() {
				f(b)
			}
		}
	}
	all(func(b *plan.Buffer) {
		if _, ok := m.buffers[b]; !ok {
			m.order = append(m.order, b)
			m.buffers[b] = ""
		}
		if b.Where != plan.Temp || b.Value != nil && b.Value.Hint != "" {
			m.declare(b)
		}
	})
	for _, s := range flat(steps) {
		if s.Loop == nil {
			continue
		}
		for _, a := range s.Loop.Axes {
			if a.Name != "" && m.index[a.Name] == "" {
				m.index[a.Name] = m.names.fresh(local(a.Name))
			}
		}
	}
	all(m.declare)
}

func segmentDoc(seg plan.Segment, empty bool) string {
	switch {
	case empty:
		return "has nothing to do."
	case seg == plan.Prepare:
		return "computes what depends on no row."
	case seg == plan.Rows:
		return "takes one block of rows."
	}
	return "computes what depends on sums over rows."
}

func (m *method) printf(format string, args ...any) { fmt.Fprintf(&m.body, format+"\n", args...) }

// declare reserves the identifier of a buffer.
func (m *method) declare(b *plan.Buffer) {
	if m.buffers[b] != "" || len(b.Axes) == 0 && (b.Where == plan.Out || m.f.scalarField(b)) {
		return // named where it lies
	}
	name := m.f.name(b)
	if b.Where == plan.Temp && len(b.Axes) > 0 && strings.HasPrefix(m.f.slot[b.Slot], name) &&
		!m.names.has(m.f.slot[b.Slot]) {
		name = m.f.slot[b.Slot] // the number behind the field's name is the local's too
	}
	m.buffers[b] = m.names.fresh(name)
}

// dim is the local of a dim.
func (m *method) dim(name string) string {
	m.usedDims[name] = true
	return m.dims[name]
}

func (m *method) poly(p size.Poly) expr { return writePoly(p, m.dim) }

// length is the size of an axis: of this block for the row axis.
func (m *method) length(a *ir.Axis) expr {
	if a.Rows {
		m.rows = true
		return primary("rows")
	}
	return m.poly(a.Size)
}

// extent is the number of entries along axes.
func (m *method) extent(axes []*ir.Axis) expr {
	width, rows := size.Const(1), false
	for _, a := range axes {
		if a.Rows {
			rows = true
			continue
		}
		width = width.Mul(a.Size)
	}
	if !rows {
		return m.poly(width)
	}
	m.rows = true
	return mul(primary("rows"), m.poly(width))
}

// head declares what the body uses.
func (m *method) head() string {
	var lines []string
	for _, b := range m.order {
		if m.used[b] {
			if text := m.place(b); text != "" {
				lines = append(lines, fmt.Sprintf("%s := %s", m.buffers[b], text))
			}
		}
	}
	var names, values []string
	for _, d := range m.f.g.dimOrder {
		if m.usedDims[d] {
			names, values = append(names, m.dims[d]), append(values, "f.size."+m.f.g.dims[d])
		}
	}
	if m.rows {
		names, values = append(names, "rows"), append(values, "frame.N")
	}
	var scalars []string
	for s := range m.scalars {
		scalars = append(scalars, s)
	}
	sort.Strings(scalars)
	for _, s := range scalars {
		names, values = append(names, s), append(values, callScalars[s])
	}
	text := ""
	if len(names) > 0 {
		text = strings.Join(names, ", ") + " := " + strings.Join(values, ", ") + "\n"
	}
	text += m.carried.String()
	if len(lines) > 0 {
		text += strings.Join(lines, "\n") + "\n"
	}
	if text != "" && m.body.Len() > 0 {
		text += "\n"
	}
	return text
}

// place says where a buffer lies: "" for a local number.
func (m *method) place(b *plan.Buffer) string {
	width := m.extent(b.Axes).text
	if m.f.narrow(b) {
		return m.narrowPlace(b, width)
	}
	switch b.Where {
	case plan.Data:
		i := m.f.g.datum(b)
		switch {
		case b.Sparse:
			return fmt.Sprintf("frame.Sparse[%d]", i)
		case len(b.Axes) == 0:
			return fmt.Sprintf("frame.Dense[%d][0]", i)
		}
		return fmt.Sprintf("frame.Dense[%d][:%s]", i, width)
	case plan.State, plan.Out:
		if b.Where == plan.Out && b.Rows() && m.f.p.ID.Kind == fn.Locals {
			return fmt.Sprintf("frame.Dense[%d][:%s]", m.f.g.datum(b), width)
		}
		array := "frame.X"
		if b.Where == plan.Out {
			array = "frame.Out"
		}
		at := m.poly(m.f.g.offset(m.f.p.ID.Kind, b))
		switch {
		case len(b.Axes) == 0:
			return fmt.Sprintf("%s[%s]", array, at.text)
		case at.zero():
			return fmt.Sprintf("%s[:%s]", array, width)
		}
		return fmt.Sprintf("%s[%s:][:%s]", array, at.text, width)
	}
	if len(b.Axes) == 0 {
		return ""
	}
	return m.part(m.f.slot[b.Slot], b, width)
}

// part says where in a field a temporary lies.
func (m *method) part(field string, b *plan.Buffer, width string) string {
	if before := m.poly(b.Before()); !before.zero() {
		return fmt.Sprintf("f.%s[%s:][:%s]", field, before.text, width)
	}
	return fmt.Sprintf("f.%s[:%s]", field, width)
}

// array is the local that holds a buffer with axes, or a number that is read.
func (m *method) array(b *plan.Buffer) string {
	if name := m.buffers[b]; name != "" {
		m.used[b] = true
		return name
	}
	return m.number(b)
}

// number returns the expression by which a buffer without axes is read and written.
func (m *method) number(b *plan.Buffer) string {
	switch {
	case m.f.scalarField(b):
		return "f." + m.f.field[b]
	case b.Where == plan.Out:
		return m.place(b)
	}
	return m.array(b)
}

// assign stores an expression in a buffer without axes.
func (m *method) assign(b *plan.Buffer, value expr, adds bool) {
	if b.Where == plan.Temp && m.f.reads[b] == 0 {
		return
	}
	op := "="
	switch {
	case adds:
		op = "+="
	case b.Where == plan.Temp && !m.f.scalarField(b) && !m.written[b]:
		op = ":="
		if isNumber(value.text) {
			value = primary("float64(%s)", value.text)
		}
	}
	m.written[b] = true
	m.printf("%s %s %s", m.number(b), op, value.text)
}

// source writes the line of the model that a step comes from, once for consecutive steps from the
// same line.
func (m *method) source(s plan.Step) {
	var at []*ir.Value
	if s.Kernel != nil {
		at = append(at, s.Kernel.Dst.Value)
	} else {
		for _, in := range s.Loop.Body {
			at = append(at, in.Value)
		}
	}
	for i := len(at) - 1; i >= 0; i-- {
		v := at[i]
		if v == nil || v.Span.End <= v.Span.Start {
			continue
		}
		n, text := m.f.g.sourceLine(v.Span.Start)
		if n > 0 && n != m.line && text != "" {
			m.line = n
			m.printf("// %s  (line %d)", clean(text), n)
		}
		return
	}
}
