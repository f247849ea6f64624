package modeltest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/stdlib"
)

// A number or a list of them: an argument of a check line.
type number struct {
	v    []float64
	list []int // sizes of the axes; nil for a number
}

// valueOf reads a literal; false for anything that computes.
func valueOf(e ast.Expr) (number, bool) {
	switch e := e.(type) {
	case *ast.Number:
		return number{v: []float64{e.Value}}, true
	case *ast.Inf:
		return number{v: []float64{math.Inf(1)}}, true
	case *ast.Bool:
		if e.Value {
			return number{v: []float64{1}}, true
		}
		return number{v: []float64{0}}, true
	case *ast.Paren:
		return valueOf(e.X)
	case *ast.Unary:
		x, ok := valueOf(e.X)
		for i := range x.v {
			x.v[i] = -x.v[i]
		}
		return x, ok && e.Op == "-"
	case *ast.Array:
		out := number{list: []int{len(e.Elems)}}
		for i, el := range e.Elems {
			x, ok := valueOf(el)
			if !ok {
				return out, false
			}
			if i == 0 {
				out.list = append(out.list, x.list...)
			}
			out.v = append(out.v, x.v...)
		}
		return out, true
	}
	return number{}, false
}

// A point is a check line: a function of the distribution at arguments.
type point struct {
	method string
	args   []number // of a density the value comes first
	want   float64
	text   string
}

func pointsOf(d *ast.Dist, text string) (out []point, skipped int) {
	for i := range d.Items {
		it := &d.Items[i]
		if it.Check == nil {
			continue
		}
		p := point{text: strings.TrimSpace(text[it.Start:it.End])}
		if n, ok := it.Check.Fun.(*ast.Name); ok {
			p.method = n.Name
		}
		want, ok := valueOf(it.Body)
		for _, a := range it.Check.Args {
			x, known := valueOf(a.Value)
			ok = ok && known
			p.args = append(p.args, x)
		}
		if !ok {
			skipped++
			continue
		}
		p.want = want.v[0]
		out = append(out, p)
	}
	return out, skipped
}

// discrete arguments are data, the others unknowns of type real, so that a
// coordinate of the state is the argument itself.
func discrete(typ string) bool {
	return typ == "count" || typ == "int" || typ == "bool" || typ == "index"
}

// program writes a model whose log likelihood of row n is the function at
// x[n]; where xData is false, x is an unknown and the log density is the function.
func (p *point) program(d *ast.Dist, xData bool) string {
	var b strings.Builder
	fmt.Fprintln(&b, "dim N")
	shape := func(x number) string {
		if x.list == nil {
			return ""
		}
		return strings.ReplaceAll(fmt.Sprint(x.list), " ", ", ")
	}
	names := []string{}
	for i, a := range p.args {
		typ := d.On.Name.Name
		if i > 0 {
			typ = d.Params[i-1].Type.Name.Name
		}
		name := fmt.Sprintf("a%d", i)
		switch {
		case typ == "index":
			typ = fmt.Sprintf("index[%d]", p.categories(d))
		case discrete(typ):
			typ += shape(a)
		default:
			typ = "real" + shape(a)
		}
		switch {
		case i == 0 && xData:
			fmt.Fprintf(&b, "data %s[N] : %s\n", name, typ)
			name += "[n]"
		case discrete(strings.SplitN(typ, "[", 2)[0]):
			fmt.Fprintf(&b, "data %s : %s\n", name, typ)
		default:
			fmt.Fprintf(&b, "param %s : %s\n", name, typ)
		}
		names = append(names, name)
	}
	call := fmt.Sprintf("factor %s.%s(%s)", d.Name.Name, p.method, strings.Join(names, ", "))
	if xData {
		call = "for n in N { " + call + " }"
	}
	fmt.Fprintln(&b, call)
	return b.String()
}

// categories is K of a distribution on index[K], or on index[K + 1] by K cut points.
func (p *point) categories(d *ast.Dist) int {
	n := 0
	for _, a := range p.args[1:] {
		if a.list != nil {
			n = a.list[0]
		}
	}
	if _, more := d.On.Sizes[0].(*ast.Binary); more {
		n++
	}
	return n
}

// bind makes the target and the state for a point, with x over the values given.
func (p *point) bind(
	t *testing.T, c *driver.Compiled, xs []float64, rows int,
) (*model.Model, []float64) {
	t.Helper()
	b := &data.Bound{Dims: map[string]int{"N": rows}, Values: map[string]*data.Value{}}
	for _, in := range c.Spec.Schema.Inputs {
		i := int(in.Name[1] - '0')
		x, shape := p.args[i].v, p.args[i].list
		if i == 0 && len(in.Shape) > len(shape) {
			x, shape = xs, append([]int{rows}, shape...)
		}
		v := data.Dense(x, shape...)
		v.Canonical = true
		b.Values[in.Name] = v
	}
	m, err := c.VM(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	var state []float64
	for _, q := range c.Spec.Params {
		state = append(state, p.args[int(q.Name[1]-'0')].v...)
	}
	return m, state
}

// moderate points are far from the ends of the arguments, for differences.
func (p *point) moderate() bool {
	for _, a := range p.args {
		for _, v := range a.v {
			if v != 0 && (math.Abs(v) > 60 || math.Abs(v) < 0.02) {
				return false
			}
		}
	}
	return math.Abs(p.want) < 300
}

// agrees compares with a number written to twelve digits.
func agrees(got, want float64) bool {
	return got == want || math.Abs(got-want) <= 6e-12*math.Abs(want)+1e-15
}

// Every distribution of the library through the compiler and the VM, column by
// column: the values of its check lines, as an unknown and as data of rows; the
// derivatives in every argument, of the log density and the distribution
// functions, against central differences; the integral or sum of the density;
// the distribution function against the density; draws against both; the mean;
// and tiny, huge and boundary arguments. Run with -v for the table.
func TestDistributions(t *testing.T) {
	var table []string
	known := map[string]bool{}
	for _, name := range stdlib.Names() {
		text, _ := stdlib.Source(name)
		file, diags := parser.Parse(source.New(name+".sg", text))
		if diags.Errors() {
			t.Fatal(diags[0].Message)
		}
		for _, s := range file.Stmts {
			if d, ok := s.(*ast.Dist); ok {
				known[d.Name.Name] = true
				w := &walk{d: d, count: map[string]int{}, programs: map[string]*driver.Compiled{}}
				t.Run(d.Name.Name, func(t *testing.T) { w.walk(t, text) })
				table = append(table, w.line(t))
			}
		}
	}
	head := fmt.Sprintf("%-24s", "distribution")
	for _, c := range columns {
		head += fmt.Sprintf("%8s", c.name)
		for name := range c.absent {
			if !known[name] {
				t.Errorf("%s has a reason for %s, and is not in the library", name, c.name)
			}
		}
	}
	t.Logf("%s\n%s", head, strings.Join(table, "\n"))
}

// A walk is one distribution on its way through the columns.
type walk struct {
	d        *ast.Dist
	count    map[string]int
	programs map[string]*driver.Compiled
	walked   bool // false where -run asks for other rows
}

func (w *walk) line(t *testing.T) string {
	name := w.d.Name.Name
	out, why := fmt.Sprintf("%-24s", name), []string{}
	for _, c := range columns {
		out += fmt.Sprintf("%8d", w.count[c.name])
		reason, absent := c.absent[name]
		switch {
		case !w.walked:
		case absent && w.count[c.name] == 0:
			why = append(why, c.name+": "+reason)
		case absent:
			t.Errorf("%s: its reason to have no %s (%s) is no longer true", name, c.name, reason)
		case w.count[c.name] == 0:
			t.Errorf("%s: nothing under %s, and no reason", name, c.name)
		}
	}
	if why != nil {
		out += "  " + strings.Join(why, "; ")
	}
	return out
}

func (w *walk) walk(t *testing.T, text string) {
	w.walked = true
	points, refused := pointsOf(w.d, text)
	if refused > 0 {
		t.Errorf("%d check lines are not literals", refused)
	}
	for i := range points {
		w.point(t, &points[i])
	}
	for _, args := range settings(w.d, points) {
		w.law(t, args)
	}
	w.vectors(t)
}

// compiled compiles once a text.
func (w *walk) compiled(t *testing.T, text string) *driver.Compiled {
	t.Helper()
	c, ok := w.programs[text]
	if !ok {
		var diags diag.List
		if c, diags = driver.Compile(source.New("walk.sg", text), driver.Options{}); c == nil {
			t.Errorf("%s%s", text, diags[0].Message)
		}
		w.programs[text] = c
	}
	return c
}

// point holds a check line to its number.
func (w *walk) point(t *testing.T, p *point) {
	what := p.text
	c := w.compiled(t, p.program(w.d, false))
	if c == nil {
		return
	}
	m, x := p.bind(t, c, nil, 1)
	if got := m.Evaluator(0).LogDensity(x, nil, 1, 0); !agrees(got, p.want) {
		t.Errorf("%s: compiled, %.13g", what, got)
	}
	w.count["points"]++
	if edge := support(w.d) == "positive" && p.args[0].v[0] == 0; p.moderate() && len(x) > 0 &&
		!edge {
		w.count["slopes"] += len(x)
		checkSlope(t, what, m, x)
	}
	if c = w.compiled(t, p.program(w.d, true)); c == nil {
		return
	}
	if m, x = p.bind(t, c, p.args[0].v, 1); m.Rows() == 1 {
		out := make([]float64, 1)
		m.Evaluator(0).LogLik(x, nil, out)
		if !agrees(out[0], p.want) {
			t.Errorf("%s: by row, %.13g", what, out[0])
		}
		w.count["by row"]++
	}
}

func checkSlope(t *testing.T, what string, m *model.Model, x []float64) {
	t.Helper()
	e := m.Evaluator(0)
	f0, g := e.LogDensity(x, nil, 1, 0), make([]float64, len(x))
	if math.IsInf(f0, 0) {
		return
	}
	e.Gradient(x, nil, 1, 0, g)
	for i, v := range x {
		ok, want := false, 0.0
		for _, h := range []float64{1e-6, 1e-5, 1e-4} {
			h *= 0.02 + math.Abs(v)
			x[i] = v + h
			up := e.LogDensity(x, nil, 1, 0)
			x[i] = v - h
			down := e.LogDensity(x, nil, 1, 0)
			x[i] = v
			want = (up - down) / (2 * h)
			kink := math.Abs((up-f0)-(f0-down)) > 0.1*math.Abs(up-down)+1e-8
			ok = ok || near(g[i], want, 2e-6) || kink || math.IsInf(up-down, 0)
		}
		if !ok {
			t.Errorf("%s: slope %d is %v, differences give %v", what, i, g[i], want)
		}
	}
}
