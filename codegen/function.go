package codegen

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/kernels"
	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A function is one program of the model on its way to Go: a struct that
// holds its workspace, and a method for each segment.
type function struct {
	g       *generator
	p       *plan.Program
	typ     string // the struct's identifier
	slot    map[int]string
	field   map[*plan.Buffer]string // scalars that outlive a segment
	turns   []plan.Turn             // of the segment Rows
	joins   bool                    // several may compute blocks of rows at the same time
	sums    []member                // numbers that blocks of rows add to
	reads   map[*plan.Buffer]int
	again   map[*plan.Buffer]bool // another buffer is a later state of it
	scratch []*plan.Kernel        // kernels that need buffers for a block's sums
	block   string
	solver  map[*plan.Ode]string // fields of the solvers of differential equations
	staged  []staged             // of a function in single precision
	direct  map[*plan.Buffer]bool
	room    map[plan.Where]string // buffers for callers in double precision, see carries

	loops      []string // the instructions of loops by strips
	strips     int      // the largest number of strips of scratch of one of them
	stripField string   // the field that has them
}

// scalarField reports whether a number outlives its segment, as a field of the struct.
func (f *function) scalarField(b *plan.Buffer) bool { return f.field[b] != "" }

func (g *generator) function(p *plan.Program, typ string) (string, error) {
	f := &function{g: g, p: p, typ: typ, slot: map[int]string{}, field: map[*plan.Buffer]string{},
		reads: map[*plan.Buffer]int{}, again: map[*plan.Buffer]bool{}, solver: map[*plan.Ode]string{},
		room: map[plan.Where]string{}}
	f.turns, f.joins = p.Turns()
	for _, b := range p.Buffers {
		if b.Shares != nil {
			f.again[b.Shares] = true
		}
	}
	fields, err := f.workspace()
	if err != nil {
		return "", err
	}
	var methods bytes.Buffer
	for seg := range p.Steps {
		text, err := f.method(plan.Segment(seg))
		if err != nil {
			return "", fmt.Errorf("%s, %s: %w", p.ID, plan.Segment(seg), err)
		}
		methods.WriteString(text)
	}
	if f.strips > 0 {
		fields = append(fields, member{name: f.stripField, typ: "[]float64",
			make: fmt.Sprintf("%d * kernel.Strip", f.strips), note: "scratch of loops by strips"})
	}
	var out strings.Builder
	fmt.Fprintf(&out, "// %s %s\ntype %s struct {\nsize sizes\n", typ, g.describe(p.ID), typ)
	for _, w := range fields {
		note := w.note
		if note == "" {
			note = remark(w.values)
		}
		fmt.Fprintf(&out, "%s %s // %s\n", w.name, w.typ, note)
	}
	out.WriteString("}\n\n")
	out.WriteString(f.sumsType())
	capacity := "capacity"
	var made strings.Builder
	used := false
	for _, w := range fields {
		if w.value != "" {
			fmt.Fprintf(&made, "%s: %s,\n", w.name, w.value)
		}
		if w.make != "" {
			fmt.Fprintf(&made, "%s: make(%s, %s),\n", w.name, w.typ, w.make)
			used = used || w.rows
		}
	}
	if !used {
		capacity = "_"
	}
	fmt.Fprintf(&out, "func new%s(s sizes, %s int) *%s {\nreturn &%s{\nsize: s,\n%s}\n}\n\n",
		title(typ), capacity, typ, typ, made.String())
	if g.ragged() {
		fmt.Fprintf(&out, "// Resize implements model.Resizable.\n"+
			"func (f *%s) Resize(dims map[string]int) { f.size = sizesOf(dims) }\n\n", typ)
	}
	out.WriteString(f.join())
	out.Write(methods.Bytes())
	for _, l := range f.loops {
		out.WriteString(l)
	}
	return out.String(), nil
}

// ragged reports whether rows may be shorter than the longest: along a ragged dim, or in the stored
// entries of sparse data.
func (g *generator) ragged() bool {
	if g.Spec == nil {
		return false
	}
	stored := func(d model.Datum) bool {
		return slices.ContainsFunc(d.Shape, func(p size.Poly) bool {
			return slices.ContainsFunc(p.Dims(),
				func(name string) bool { _, ok := data.EntriesInput(name); return ok })
		})
	}
	return slices.ContainsFunc(g.Spec.Schema.Dims, func(d data.Dim) bool { return d.Of != "" }) ||
		slices.ContainsFunc(g.Spec.Data, stored)
}

// A member is a field of a function's struct.
type member struct {
	name, typ, make string
	value           string      // initial value, if it is not an array
	values          []*ir.Value // what it holds, one after another
	note            string
	rows            bool
}

// workspace decides what the struct holds: slots of arrays, numbers that
// outlive a segment, and space for the sums of one block.
func (f *function) workspace() ([]member, error) {
	names := newScope(f.g.universe, "size", "sums")
	f.stripField = names.fresh("strips")
	segments := map[*plan.Buffer]map[plan.Segment]bool{}
	var order []*plan.Buffer
	touch := func(seg plan.Segment, b *plan.Buffer, read bool) {
		if segments[b] == nil {
			segments[b] = map[plan.Segment]bool{}
			order = append(order, b)
		}
		segments[b][seg] = true
		if read {
			f.reads[b]++
		}
	}
	for seg := range f.p.Steps {
		for _, s := range flat(f.p.Steps[seg]) {
			visit(s, func(b *plan.Buffer, read bool) { touch(plan.Segment(seg), b, read) })
			if k := s.Kernel; k != nil && k.Acc && len(k.Dst.Axes) > 0 {
				if row := kernels.Lookup(k.Name); row != nil && !row.Adds() {
					f.scratch = append(f.scratch, k)
				}
			}
		}
	}
	for _, b := range order { // who reads a part of an array reads the array
		for s := b.Shares; s != nil; s = s.Shares {
			f.reads[s] += f.reads[b]
		}
	}
	var fields []member
	at := map[int]int{} // slot to field
	for _, b := range order {
		if b.Where != plan.Temp {
			continue
		}
		want := f.name(b)
		switch {
		case len(b.Axes) > 0:
			if b.Slot < 0 {
				return nil, fmt.Errorf("%s: buffer %d has no slot", f.p.ID, b.ID)
			}
			if i, ok := at[b.Slot]; ok {
				fields[i].values = append(fields[i].values, b.Value)
				break
			}
			s := f.p.Slots[b.Slot]
			m := member{name: names.fresh(want), typ: "[]" + f.elem(), rows: s.Rows}
			m.make = f.g.polyText(s.Width, "s.")
			m.values = []*ir.Value{b.Value}
			if s.Rows {
				m.make = mul(primary("capacity"), f.g.polyExpr(s.Width, "s.")).text
			}
			at[b.Slot] = len(fields)
			f.slot[b.Slot] = m.name
			fields = append(fields, m)
		case b.Acc || len(segments[b]) > 1:
			m := member{name: names.fresh(want), typ: "float64", values: []*ir.Value{b.Value}}
			f.field[b] = m.name
			if b.Acc && f.joins {
				f.field[b] = "sums." + m.name
				f.sums = append(f.sums, m)
				break
			}
			fields = append(fields, m)
		}
	}
	if len(f.sums) > 0 {
		typ := f.typ + "Sums"
		fields = append(fields, member{name: "sums", typ: "*" + typ, value: "new(" + typ + ")",
			note: "of all blocks of rows"})
	}
	f.findDirect()
	fields = append(fields, f.staging(names, order)...)
	fields = append(fields, f.solvers(names)...)
	if len(f.scratch) > 0 {
		f.block = names.fresh("block")
		var widths []string
		for _, k := range f.scratch {
			if w := f.g.polyText(k.Dst.Width(), "s."); !slices.Contains(widths, w) {
				widths = append(widths, w)
			}
		}
		m := member{name: f.block, typ: "[]" + f.elem(), make: widths[0],
			note: "sums of one block of rows"}
		if len(widths) > 1 {
			m.make = "max(" + strings.Join(widths, ", ") + ")"
		}
		fields = append(fields, m)
	}
	return fields, nil
}

// name is the identifier wanted for a buffer.
func (f *function) name(b *plan.Buffer) string {
	switch {
	case b.Where == plan.Out:
		return f.outName(b)
	case b.Name != "":
		return local(b.Name)
	case b.Value == nil:
		return "v"
	}
	return valueName(b.Value)
}

func (f *function) outName(b *plan.Buffer) string {
	switch f.p.ID.Kind {
	case fn.Evaluate, fn.Full, fn.Weighted, fn.Gradient, fn.Difference:
		if b.Name == model.DensityOutput {
			return "density"
		}
		return "grad" + title(local(b.Name))
	}
	if f.p.ID.Kind == fn.Density || f.p.ID.Kind == fn.Loglik || f.p.ID.Site != "" {
		return "out"
	}
	return "out" + title(local(b.Name))
}

// valueName is the identifier wanted for a value that the model did not name.
func valueName(v *ir.Value) string {
	switch {
	case v.Hint != "":
		return local(v.Hint)
	case v.Op == ir.OpContract:
		return "product"
	case v.Op == ir.OpSize:
		return "count"
	case v.Op == nil:
		return "v"
	}
	if name, ok := shortNames[v.Op]; ok {
		return name
	}
	return local(v.Op.Name)
}

// shortNames has names for ops whose own name does not describe the value, or could be misread.
var shortNames = map[*ir.Op]string{
	ir.OpAdd: "t", ir.OpSub: "d", ir.OpMul: "t", ir.OpDiv: "q", ir.OpNeg: "neg",
	ir.OpSelect: "pick", ir.OpMul0: "t",
	ir.OpMin: "least", ir.OpMax: "most", ir.OpReduceMin: "least", ir.OpReduceMax: "most",
	ir.OpSum: "total", ir.OpProd: "product",
	ir.OpGather: "entry", ir.OpSlice: "part", ir.OpAt: "entry", ir.OpRename: "t",
	ir.OpLayout: "turned", ir.OpPad: "padded",
	ir.OpSpread: "spread", ir.OpFlatten: "flat", ir.OpUnflatten: "shaped", ir.OpCholesky: "factor",
	ir.OpCholeskyAdjoint: "cotangent", ir.OpEigenSym: "eigen",
	ir.OpTriangularSolve: "solution", ir.OpWindowMax: "most",
}

// dim is the identifier of a dim's field.
func (g *generator) dim(name string) string { return g.dims[name] }

// polyExpr writes a size, with the prefix before each dim.
func (g *generator) polyExpr(p size.Poly, prefix string) expr {
	return writePoly(p, func(d string) string { return prefix + g.dim(d) })
}

func (g *generator) polyText(p size.Poly, prefix string) string {
	return g.polyExpr(p, prefix).text
}

// writePoly writes positive terms first, so that no size starts with a minus
// where it can be helped.
func writePoly(p size.Poly, dim func(string) string) expr {
	total := primary("0")
	for _, positive := range []bool{true, false} {
		for _, t := range p.Terms {
			if t.Coef > 0 != positive {
				continue
			}
			coef := t.Coef
			if !positive {
				coef = -coef
			}
			term := primary("%d", coef)
			for _, d := range t.Dims {
				term = mul(term, primary("%s", dim(d)))
			}
			switch {
			case positive:
				total = add(total, term)
			case total.zero():
				total = expr{"-" + term.in(precUnary), precUnary}
			default:
				total = sub(total, term)
			}
		}
	}
	if p.Over > 0 {
		total = expr{fmt.Sprintf("%s / %d", total.in(5), p.Over), 5}
	}
	return total
}
