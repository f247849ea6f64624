package modeltest

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/runtime/data"
	"github.com/sgppl/sgppl/runtime/model"
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
			typ = fmt.Sprintf("index[%d]", p.args[1].list[0])
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

// bind makes the target and the state for a point, with x over the values given.
func (p *point) bind(t *testing.T, c *driver.Compiled, xs []float64, rows int) (*model.Model, []float64) {
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

// Every check line of the library goes through the compiler and the VM: the
// value as an unknown and as data of rows; its gradient; its integral.
func TestDistributions(t *testing.T) {
	var table []string
	for _, name := range stdlib.Names() {
		text, _ := stdlib.Source(name)
		file, diags := parser.Parse(source.New(name+".sg", text))
		if diags.Errors() {
			t.Fatal(diags[0].Message)
		}
		for _, s := range file.Stmts {
			if d, ok := s.(*ast.Dist); ok {
				table = append(table, walkDist(t, d, text))
			}
		}
	}
	sort.Strings(table)
	t.Logf("distribution          points  by row  gradients  totals  not compiled\n%s", strings.Join(table, "\n"))
}

func walkDist(t *testing.T, d *ast.Dist, text string) string {
	points, refused := pointsOf(d, text)
	values, byRow, gradients, totals := 0, 0, 0, 0
	done := map[string]bool{}
	for i := range points {
		p := &points[i]
		what := d.Name.Name + ": " + p.text
		// x as an unknown
		c, diags := driver.Compile(source.New("check.sg", p.program(d, false)), driver.Options{})
		if c == nil {
			t.Logf("%s: %s", what, diags[0].Message)
			refused++
			continue
		}
		m, x := p.bind(t, c, nil, 1)
		e := m.Evaluator(0)
		if got := e.LogDensity(x, nil, 1, 0); !agrees(got, p.want) {
			t.Errorf("%s: compiled, %.13g", what, got)
		}
		values++
		if edge := d.On.Name.Name == "positive" && p.args[0].v[0] == 0; p.moderate() && len(x) > 0 && !edge {
			gradients += len(x)
			checkSlope(t, what, m, x)
		}
		// x as data of a row
		c, diags = driver.Compile(source.New("check.sg", p.program(d, true)), driver.Options{})
		if c == nil {
			t.Logf("%s: %s", what, diags[0].Message)
			continue
		}
		if m, x = p.bind(t, c, p.args[0].v, 1); m.Rows() == 1 {
			out := make([]float64, 1)
			m.Evaluator(0).LogLik(x, nil, out)
			if !agrees(out[0], p.want) {
				t.Errorf("%s: by row, %.13g", what, out[0])
			}
			byRow++
		}
		if key := fmt.Sprint(p.args[1:]); p.method == "logpdf" && p.moderate() && !done[key] {
			done[key] = true
			totals += checkTotal(t, what, d, p, c)
		}
	}
	return fmt.Sprintf("%-22s %5d %7d %10d %7d %13d", d.Name.Name, values, byRow, gradients, totals, refused)
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

// checkTotal sums or integrates the density over its support, and returns 1
// where that was done. The integrals are by double exponential substitution
// (Takahasi & Mori 1974), which stands heavy tails.
func checkTotal(t *testing.T, what string, d *ast.Dist, p *point, c *driver.Compiled) int {
	t.Helper()
	if p.args[0].list != nil {
		return 0
	}
	var xs, weight []float64
	grid := func(f func(s float64) (x, w float64)) {
		const n = 8000
		for i := range n + 1 {
			s := 4.4 * (2*float64(i)/n - 1)
			x, w := f(math.Pi / 2 * math.Sinh(s))
			xs, weight = append(xs, x), append(weight, w*math.Pi/2*math.Cosh(s)*2*4.4/n)
		}
	}
	tol := 1e-6
	switch on := d.On.Name.Name; on {
	case "real":
		if d.Name.Name == "von_mises" { // of period 2π: one turn
			const n = 1000
			for i := range n {
				xs, weight = append(xs, 2*math.Pi*float64(i)/n), append(weight, 2*math.Pi/n)
			}
			break
		}
		grid(func(s float64) (float64, float64) { return math.Sinh(s), math.Cosh(s) })
	case "positive":
		grid(func(s float64) (float64, float64) { return math.Exp(s), math.Exp(s) })
	case "unit":
		grid(func(s float64) (float64, float64) {
			x := 1 / (1 + math.Exp(-s))
			if x == 1 {
				return 0.5, 0 // rounded to the end, which is outside
			}
			return x, x / (1 + math.Exp(s))
		})
	case "bool", "index", "count", "int":
		n := map[string]int{"bool": 2, "count": 20000, "int": 50}[on]
		if on == "index" {
			n = p.args[1].list[0]
		}
		for i := range n {
			xs, weight = append(xs, float64(i)), append(weight, 1)
		}
	default:
		return 0
	}
	switch d.Name.Name { // the trapezoids miss what is not smooth
	case "uniform":
		tol = 5e-3 // jumps at its ends
	case "double_exponential":
		tol = 2e-5 // has a kink
	}
	m, x := p.bind(t, c, xs, len(xs))
	out := make([]float64, len(xs))
	m.Evaluator(0).LogLik(x, nil, out)
	total := 0.0
	for i, v := range out {
		if weight[i] > 0 && !math.IsInf(v, -1) && !math.IsInf(xs[i], 0) {
			total += weight[i] * math.Exp(v)
		}
	}
	if !(math.Abs(total-1) < tol) {
		t.Errorf("%s: the density sums to %v", what, total)
	}
	return 1
}
