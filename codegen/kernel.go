package codegen

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/kernels"
	"github.com/sgppl/sgppl/ir/plan"
)

// kernel emits a call of runtime/math/kernel: the one that the VM makes, with the
// same sizes.
func (m *method) kernel(k *plan.Kernel) error {
	row := kernels.Lookup(k.Name)
	c := &call{m: m, k: k}
	switch {
	case k.Name == "scatter":
		return m.scatter(k)
	case k.Name == "gemm_rows":
		m.gemmRows(k)
	case row == nil || row.Emit == "" && row.Number == "":
		return fmt.Errorf("no kernel %q", k.Name)
	case row.Product:
		c.product(row)
	case len(k.Dst.Axes) == 0 && row.Number != "":
		m.assign(k.Dst, c.number(row), k.Acc)
	case m.fewEntries(k):
	case k.Acc && !row.Adds():
		c.sum(row)
	default:
		m.printf("%s", c.text(row.Emit))
	}
	return nil
}

// A call is a kernel that is printed.
type call struct {
	m     *method
	k     *plan.Kernel
	dst   string // where the result goes; empty: to the kernel's buffer
	batch string // the index of the loop over the batch around the call; empty without
}

// text fills in the text of a row of the table of kernels.
func (c *call) text(emit string) string {
	name, _, _ := strings.Cut(emit, "(")
	text := os.Expand(emit, c.operand)
	if name == strings.ToLower(name) { // a function of Go's own
		return text
	}
	return c.m.call(name) + text[len(name):]
}

// operand returns the text that replaces a name in a row of the kernel table.
func (c *call) operand(name string) string {
	m, k := c.m, c.k
	words := strings.Fields(name)
	if words[0] == "number" {
		return m.number(c.buffer(words[1]))
	}
	if b := c.buffer(words[0]); b != nil {
		return c.array(b, words[1:])
	}
	switch name {
	case "team":
		return "frame.Team"
	case "acc":
		return fmt.Sprint(k.Acc)
	case "reverse":
		return fmt.Sprint(k.Reverse)
	case "transA":
		return fmt.Sprint(k.TransA)
	case "transB":
		return fmt.Sprint(k.TransB)
	case "windows":
		return c.windows()
	case "rows":
		m.rows = true
		return "rows"
	}
	return c.extent(name).text
}

// buffer returns the array with a name; nil for other names.
func (c *call) buffer(name string) *plan.Buffer {
	if name == "dst" {
		return c.k.Dst
	}
	if i := strings.Index("xyzwvusrq", name); i >= 0 && len(name) == 1 {
		return c.k.Args[i]
	}
	return nil
}

// extent returns the number of entries along a group of axes, or the distance between the rows of a
// matrix.
func (c *call) extent(name string) expr {
	k := c.k
	switch {
	case name == "lda" && k.TransA:
		name = "m"
	case name == "lda" || name == "ldb" && k.TransB:
		name = "k"
	case name == "ldb":
		name = "n"
	}
	groups := map[string][]*ir.Axis{"outer": k.Outer, "batch": k.Batch, "along": k.Along,
		"inner": k.Inner, "m": k.M, "n": k.N, "k": k.K}
	axes, ok := groups[name]
	if !ok {
		panic("codegen: the table of kernels has the unknown name " + name)
	}
	return c.m.extent(axes)
}

// array writes an array; with a shape, its part for one entry of the batch; with
// a distance of rows behind that, as a matrix.
func (c *call) array(b *plan.Buffer, shape []string) string {
	if b == c.k.Dst && c.dst != "" {
		return c.dst
	}
	if len(b.Axes) == 0 { // a number among arrays
		return "[]float64{" + c.m.number(b) + "}"
	}
	text := c.m.array(b)
	matrix := len(shape) > 2 && shape[len(shape)-2] == "/"
	sides := shape
	if matrix {
		sides = shape[:len(shape)-2]
	}
	if c.batch != "" {
		width := primary("1")
		for _, s := range sides {
			width = mul(width, c.extent(s))
		}
		text = fmt.Sprintf("%s[%s:][:%s]", text, mul(primary("%s", c.batch), width).text,
			width.text)
	}
	if matrix {
		text = c.m.matrix(text, c.extent(shape[len(shape)-1]))
	}
	return text
}

// number writes a call whose result is a number.
func (c *call) number(row *kernels.Row) expr {
	value := primary("%s", c.text(row.Number))
	if c.m.f.p.Single && !row.Wide {
		value = wide(value)
	}
	return value
}

// sum emits a reduction that blocks of rows add up: each into a buffer, which is added.
func (c *call) sum(row *kernels.Row) {
	m, k := c.m, c.k
	dst := m.array(k.Dst)
	c.dst = fmt.Sprintf("f.%s[:%s]", m.f.block, m.extent(k.Dst.Axes).text)
	m.printf("%s", c.text(row.Emit))
	inside := newScope(m.names)
	i, v := inside.fresh("i"), inside.fresh("v")
	m.printf("for %s, %s := range %s {\n%s[%s] += %s\n}", i, v, c.dst, dst, i, v)
}

// product emits a matrix kernel, in a loop over the batch axes if there are any.
func (c *call) product(row *kernels.Row) {
	m, k := c.m, c.k
	if len(k.Batch) > 0 {
		c.batch = newScope(m.names).fresh("i")
		m.printf("for %s := range %s {", c.batch, m.extent(k.Batch).text)
		defer m.printf("}")
	}
	switch {
	case row.Number == "":
		m.printf("%s", c.text(row.Emit))
	case len(k.Dst.Axes) == 0:
		m.assign(k.Dst, c.number(row), k.Acc)
	default:
		value := primary("%s", c.text(row.Number))
		if m.f.p.Single {
			value = narrow(value)
		}
		op, at := "=", "0"
		if k.Acc {
			op = "+="
		}
		if c.batch != "" {
			at = c.batch
		}
		m.printf("%s[%s] %s %s", m.array(k.Dst), at, op, value.text)
	}
}

// windows writes the windows that an array is read through.
func (c *call) windows() string {
	m, k := c.m, c.k
	two := func(axes []*ir.Axis) string {
		if len(axes) == 1 {
			return "[2]int{1, " + m.extent(axes).text + "}"
		}
		return "[2]int{" + m.extent(axes[:1]).text + ", " + m.extent(axes[1:]).text + "}"
	}
	return fmt.Sprintf(
		"kernel.Windows{Outer: %s, Inner: %s,\nIn: %s, Pos: %s, Len: %s, Stride: %d}",
		m.extent(k.Outer).text, m.extent(k.Inner).text, two(k.Along), two(k.M), two(k.K), k.Stride)
}

// gemmRows emits, for every entry of the batch, a product of matrices whose rows are
// those of the minibatch.
func (m *method) gemmRows(k *plan.Kernel) {
	batch, mm, nn, kk := m.extent(k.Batch), m.extent(k.M), m.extent(k.N), m.extent(k.K)
	i := newScope(m.names).fresh("i")
	at := func(b *plan.Buffer, width expr) string {
		return fmt.Sprintf("%s[%s:]", m.array(b), mul(primary("%s", i), width).text)
	}
	m.printf("for %s := range %s {", i, batch.text)
	if k.M[0].Rows {
		ldb := nn
		if k.TransB {
			ldb = kk
		}
		m.printf("%s(frame.Team, %s, %s, %s,\n%s, %s, %s, false, %t, %t)",
			m.call("TeamGemm"),
			m.matrix(at(k.Dst, nn), mul(batch, nn)), m.matrix(at(k.Args[0], kk), mul(batch, kk)),
			m.matrix(at(k.Args[1], mul(kk, nn)), ldb), mm.text, nn.text, kk.text, k.TransB, k.Acc)
	} else {
		m.printf("%s(frame.Team, %s, %s, %s,\n%s, %s, %s, true, false, %t)", m.call("TeamGemm"),
			m.matrix(at(k.Dst, mul(mm, nn)), nn), m.matrix(at(k.Args[0], mm), mul(batch, mm)),
			m.matrix(at(k.Args[1], nn), mul(batch, nn)), mm.text, nn.text, kk.text, k.Acc)
	}
	m.printf("}")
}

// scatter adds entry by entry in row-major order of all axes: those of the
// index, then of what is added, then of the result.
func (m *method) scatter(k *plan.Kernel) error {
	c, index := k.Args[0], k.Args[1]
	var axes []*ir.Axis
	for _, list := range [][]*ir.Axis{index.Axes, c.Axes, k.Dst.Axes} {
		for _, a := range list {
			if a != k.To && !slices.Contains(axes, a) {
				axes = append(axes, a)
			}
		}
	}
	if !k.Acc {
		m.printf("clear(%s)", m.array(k.Dst))
	}
	load := func(b *plan.Buffer) plan.Operand {
		o := plan.Operand{Kind: plan.Load, Buf: b}
		for _, a := range b.Axes {
			o.At = append(o.At, plan.Index{Axis: a})
		}
		return o
	}
	from := load(index)
	to := plan.Store{Buf: k.Dst}
	for _, a := range k.Dst.Axes {
		if a == k.To {
			to.At = append(to.At, plan.Index{From: &from})
		} else {
			to.At = append(to.At, plan.Index{Axis: a})
		}
	}
	add := plan.Instr{Args: []plan.Operand{load(c)}, Value: k.Dst.Value, Stores: []plan.Store{to}}
	return m.nest(axes, []plan.Instr{add}, true)
}
