package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// Functions in single precision keep to the rules of ir/plan/single.go.

// elem is the element type of the function's arrays.
func (f *function) elem() string {
	if f.p.Single {
		return "float32"
	}
	return "float64"
}

// carries reports whether callers may have the state and the outputs in single
// precision, so that blocks of them are read and written in place.
func (f *function) carries() bool { return f.p.Single && f.p.ID.Kind == fn.Gradient }

// narrow reports whether a buffer holds float32. An output that loops write and
// nothing reads or adds to needs no array: its entries are widened
// where they are written.
func (f *function) narrow(b *plan.Buffer) bool { return f.p.Narrow(b) && !f.direct[b] }

// findDirect looks for outputs that are written in place.
func (f *function) findDirect() {
	f.direct = map[*plan.Buffer]bool{}
	if !f.p.Single || f.carries() {
		return
	}
	for _, b := range f.p.Buffers {
		f.direct[b] = b.Where == plan.Out && !b.Acc && f.reads[b] == 0
	}
	for seg := range f.p.Steps {
		for _, s := range flat(f.p.Steps[seg]) {
			if s.Kernel != nil {
				f.direct[s.Kernel.Dst] = false
			}
		}
	}
}

// A staged array is a block of the state, rounded when a call begins, or an
// output, widened when it ends.
type staged struct {
	buf   *plan.Buffer
	field string
}

// staging gives the blocks of the state and the outputs that a function in
// single precision has members of the struct.
func (f *function) staging(names *scope, order []*plan.Buffer) []member {
	var out []member
	for _, b := range order {
		if !f.narrow(b) || b.Where != plan.State && b.Where != plan.Out {
			continue
		}
		m := member{name: names.fresh(f.name(b)), typ: "[]float32",
			make: f.g.polyText(b.Width(), "s."), rows: b.Rows()}
		m.note = "the state's " + clean(b.Name) + ", rounded"
		if b.Where == plan.Out {
			m.note = "an output, until it is widened"
		}
		if f.carries() {
			m.make, m.note = "", "the state's "+clean(b.Name)
			if b.Where == plan.Out {
				m.note = "the output for " + clean(b.Name)
			}
			f.staged = append(f.staged, staged{b, m.name})
			out = append(out, m)
			continue
		}
		if b.Rows() {
			m.make = mul(primary("capacity"), f.g.polyExpr(b.Width(), "s.")).text
		}
		f.staged = append(f.staged, staged{b, m.name})
		out = append(out, m)
	}
	for _, w := range f.rooms(names) {
		out = append(out, w)
	}
	return out
}

// rooms declares the buffers of a function's blocks for callers in double precision.
func (f *function) rooms(names *scope) []member {
	var out []member
	if !f.carries() {
		return nil
	}
	for _, where := range []plan.Where{plan.State, plan.Out} {
		if !slices.ContainsFunc(f.staged, func(s staged) bool { return s.buf.Where == where }) {
			continue
		}
		name, note := "state", "room for the state, of callers in double precision"
		if where == plan.Out {
			name, note = "outputs", "room for the outputs, of callers in double precision"
		}
		m := member{name: names.fresh(name), typ: "[]float32", note: note}
		f.room[where] = m.name
		out = append(out, m)
	}
	return out
}

// narrow rounds the state, at the start of a call.
func (m *method) narrow() {
	if m.f.carries() {
		m.carry(plan.State, "frame.Single")
		m.carry(plan.Out, "frame.SingleOut")
		return
	}
	for _, s := range m.f.staged {
		if s.buf.Where == plan.State {
			m.printf("kernel.Narrow(f.%s, %s)", s.field, m.vector("frame.X", s.buf))
		}
	}
}

// carry points the blocks of the state or of the outputs into the caller's array, or into a buffer.
func (m *method) carry(where plan.Where, source string) {
	room := m.f.room[where]
	if room == "" {
		return
	}
	all := m.names.fresh("all" + title(room))
	fmt.Fprintf(&m.carried, "%s := %s(&f.%s)\n", all, source, room)
	for _, s := range m.f.staged {
		if s.buf.Where == where {
			fmt.Fprintf(&m.carried, "f.%s = %s[:%s]\n", s.field, m.vector(all, s.buf),
				m.extent(s.buf.Axes).text)
		}
	}
}

// widen writes the outputs: those by row at the end of a block, others at the
// end of the call.
func (m *method) widen() {
	for _, s := range m.f.staged {
		switch rows := s.buf.Rows(); {
		case s.buf.Where != plan.Out:
		case m.f.carries():
			if m.seg == plan.Finish {
				at := m.poly(m.f.g.offset(m.f.p.ID.Kind, s.buf))
				m.printf("frame.Widen(%s, f.%s)", at.text, s.field)
			}
		case rows && m.seg == plan.Rows:
			m.printf("kernel.Widen(frame.Out[:%s], f.%s)", m.extent(s.buf.Axes).text, s.field)
		case !rows && m.seg == plan.Finish:
			m.printf("kernel.Widen(%s[:%s], f.%s)", m.vector("frame.Out", s.buf),
				m.extent(s.buf.Axes).text, s.field)
		}
	}
}

// vector returns the expression for the part of the state or output vector at which a buffer
// starts.
func (m *method) vector(array string, b *plan.Buffer) string {
	at := m.poly(m.f.g.offset(m.f.p.ID.Kind, b))
	if at.zero() {
		return array
	}
	return fmt.Sprintf("%s[%s:]", array, at.text)
}

// narrowPlace says where an array in single precision lies.
func (m *method) narrowPlace(b *plan.Buffer, width string) string {
	if b.Where == plan.Data {
		i := m.f.g.datum(b)
		if b.Sparse {
			return fmt.Sprintf("frame.Sparse32[%d]", i)
		}
		return fmt.Sprintf("frame.Dense32[%d][:%s]", i, width)
	}
	field := m.f.slot[b.Slot]
	if b.Where == plan.Temp {
		return m.part(field, b, width)
	}
	for _, s := range m.f.staged {
		if s.buf == b {
			field = s.field
		}
	}
	return fmt.Sprintf("f.%s[:%s]", field, width)
}

// call names a kernel in the function's precision.
func (m *method) call(kernel string) string {
	if m.f.p.Single {
		kernel += "32"
	}
	return "kernel." + kernel
}

// matrix writes a matrix argument.
func (m *method) matrix(data string, stride expr) string {
	return fmt.Sprintf("%s{Data: %s, Stride: %s}", m.call("Matrix"), data, stride.text)
}

// number32 writes a constant of single precision: the shortest decimal that Go
// reads as the same bits.
func number32(x float64) expr {
	v := float64(float32(x))
	e := number(v)
	if !isNumber(e.text) {
		return primary("float32(%s)", e.text)
	}
	e.text = strconv.FormatFloat(v, 'g', -1, 32)
	return e
}

// wide converts an expression in single precision to double.
func wide(e expr) expr {
	if x, err := strconv.ParseFloat(e.text, 64); err == nil && x != float64(float32(x)) {
		return primary("float64(float32(%s))", e.text)
	}
	return primary("float64(%s)", e.text)
}

// narrow rounds an expression in double precision.
func narrow(e expr) expr {
	if x, err := strconv.ParseFloat(e.text, 64); err == nil {
		return number32(x)
	}
	return primary("float32(%s)", e.text)
}

// rounded reads a number of double precision in a loop of single, once.
func (n *nest) rounded(name string, e expr) expr {
	if isNumber(e.text) {
		return narrow(e)
	}
	key := "float32 " + e.text
	if known, ok := n.known[key]; ok {
		return primary("%s", known)
	}
	name = n.names.fresh(name)
	n.m.names.taken[name], n.names.taken[name] = true, true
	n.known[key] = name
	fmt.Fprintf(&n.before[0], "%s := float32(%s)\n", name, e.text)
	return primary("%s", name)
}

// elem is the type that the loop computes in.
func (n *nest) elem() string {
	if n.single {
		return "float32"
	}
	return "float64"
}

// read converts an entry of an array to the precision of the loop.
func (n *nest) read(b *plan.Buffer, e expr) expr {
	if !n.single && n.m.f.narrow(b) {
		return wide(e)
	}
	return e
}

// written converts a value of the loop to the precision of a buffer.
func (n *nest) written(b *plan.Buffer, e expr) expr {
	switch narrowed := n.m.f.narrow(b); {
	case n.single && !narrowed:
		return wide(e)
	case !n.single && narrowed:
		return narrow(e)
	}
	return e
}

// singleNames are the functions of package special that have a form in single
// precision, and what of package math that package has.
var singleNames = strings.NewReplacer("special.Exp(", "special.Exp32(", "special.Bool(",
	"special.Bool32(", "special.Select(", "special.Select32(",
	"special.Mul0(", "special.Mul032(", "special.Sign(", "special.Sign32(", "special.Min(",
	"special.Min32(", "special.Max(", "special.Max32(",
	"special.Relu(", "special.Relu32(", "math.Abs(", "special.Abs32(", "math.Sqrt(",
	"special.Sqrt32(", "float64(", "float32(")

// singleTemplate is the Go text of an op in single precision: as in double if every function in it
// has a single-precision form, otherwise in double with the result rounded.
type singleTemplate struct {
	template
	around bool // in double
}

// singleTemplates returns the templates of ops in single precision. They are made at the first use,
// like templates.
func singleTemplates() map[*ir.Op]singleTemplate {
	madeSingle.Do(func() {
		madeSingle.all = map[*ir.Op]singleTemplate{}
		for _, op := range ir.Ops() {
			if op.Go != "" {
				madeSingle.all[op] = newSingleTemplate(op)
			}
		}
	})
	return madeSingle.all
}

var madeSingle struct {
	sync.Once
	all map[*ir.Op]singleTemplate
}

func newSingleTemplate(op *ir.Op) singleTemplate {
	text := singleNames.Replace(op.Go)
	if text == op.Go && strings.Contains(text, "special.") || strings.Contains(text, "math.") {
		return singleTemplate{templates()[op], true}
	}
	return singleTemplate{parseTemplate(op.Name, text), false}
}

// applySingle writes an op on arguments in single precision.
func applySingle(op *ir.Op, args []expr) (expr, error) {
	t, ok := singleTemplates()[op]
	if !ok {
		return expr{}, fmt.Errorf("the op %s has no Go text", op.Name)
	}
	if !t.around {
		return t.fill(args, "float32"), nil
	}
	doubles := make([]expr, len(args))
	for i, a := range args {
		doubles[i] = wide(a)
	}
	return primary("float32(%s)", t.fill(doubles, "float64").text), nil
}
