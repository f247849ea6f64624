package reference

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/stan"
)

var (
	programs = flag.Int("programs", 60, "how many programs are made by chance")
	seed     = flag.Uint64("seed", 1, "the seed of programs that are made by chance")
)

// TestGenerated: programs that are made by chance, of loops that fill arrays in pieces, slices,
// copies that are changed, branches on data, whole-number arithmetic and functions, are refused, or
// have the log density of the interpreter.
func TestGenerated(t *testing.T) {
	imported := 0
	for k := range *programs {
		text := randomProgram(rand.New(rand.NewPCG(*seed, uint64(k))))
		m, _ := stan.Model(source.New("m.stan", text))
		if m == nil {
			continue
		}
		imported++
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "m.stan")
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if t.Failed() {
					t.Log(text)
				}
			}()
			compare(t, path, true)
		})
	}
	t.Logf("%d of %d programs are imported", imported, *programs)
	if imported*4 < *programs {
		t.Errorf("%d of %d programs are imported: little is compared", imported, *programs)
	}
}

// An author writes a program by chance.
type author struct {
	*rand.Rand
	out      strings.Builder
	indent   int
	count    int
	loops    []string // indices of loops around, from 1 to N
	reals    []string // names in scope of each type
	vectors  []string // of N entries
	arrays   []string // of N real numbers
	ints     []string // local whole numbers
	matrices []string // N × K
	writable map[string]bool
}

func randomProgram(r *rand.Rand) string {
	a := &author{Rand: r, reals: []string{"p", "s", "w"}, vectors: []string{"y", "q"},
		arrays: []string{"x"}, matrices: []string{"M"}, writable: map[string]bool{}}
	sizes := [][2]int{{4, 3}, {5, 2}, {3, 3}, {2, 2}, {6, 1}}
	size := sizes[r.IntN(len(sizes))]
	fmt.Fprintf(&a.out, "// data: {\"N\": %d, \"K\": %d}\n", size[0], size[1])
	a.out.WriteString(`functions {
  real bend(real p, vector v) {
    real out = p;
    if (p > 0.1) out = p * 0.5 + v[1];
    for (n in 1:num_elements(v)) out += 0.1 * v[n] * n;
    return out;
  }
  real walk(real p, vector v, int k) {
    real s = p;
    real most = 0;
    for (n in 1:k) {
      if (v[n] > 0.4) continue;
      real step = v[n] * 0.5;
      s = s * 0.8 + step;
      if (n < k) {
        real next = v[n + 1] - step;
        s += next * next * 0.1;
      }
      if (s > 2) break;
      most = fmax(most, s);
    }
    return s - 0.1 * most;
  }
  vector twist(vector v, int k) {
    vector[num_elements(v)] out = v;
    out[k] = v[1] - 0.5 * v[num_elements(v)];
    return reverse(out);
  }
}
data {
  int<lower=1> N;
  int<lower=1> K;
  vector[N] y;
  array[N] real x;
  matrix[N, K] M;
  array[N] int<lower=1, upper=N> g;
  array[N] int<lower=0, upper=1> b;
  array[N] int<lower=-3, upper=3> c;
}
parameters {
  real p;
  real<lower=0> s;
  vector[N] q;
  real w;
}
`)
	a.block("transformed parameters", 1+r.IntN(4))
	a.block("model", 3+r.IntN(5))
	return a.out.String()
}

// block writes a block. At its end everything in scope is added to the density of the model.
func (a *author) block(name string, statements int) {
	a.line("%s {", name)
	a.indent++
	for range statements {
		a.statement(2)
	}
	if name == "model" {
		for _, x := range a.reals {
			a.line("target += -0.1 * square(%s);", x)
		}
		for _, v := range a.vectors {
			a.line("target += -0.1 * dot_self(%s - 0.3);", v)
		}
		for _, v := range a.arrays {
			a.line("target += 0.1 * sum(%s);", v)
		}
		for _, m := range a.matrices {
			a.line("target += 0.05 * sum(%s);", m)
		}
		for _, i := range a.ints {
			a.line("target += 0.01 * %s * p;", i)
		}
	}
	a.indent--
	a.line("}")
}

func (a *author) line(format string, args ...any) {
	a.out.WriteString(strings.Repeat("  ", a.indent))
	fmt.Fprintf(&a.out, format, args...)
	a.out.WriteByte('\n')
}

func (a *author) fresh() string {
	a.count++
	return fmt.Sprint([]string{"a", "h", "u", "z"}[a.IntN(4)], a.count)
}

func (a *author) one(list []string) string { return list[a.IntN(len(list))] }

// inside writes statements of a loop or a branch, whose declarations end with it.
func (a *author) inside(statements, depth int) {
	was := *a
	reals, vectors, arrays, ints := len(a.reals), len(a.vectors), len(a.arrays), len(a.ints)
	matrices := len(a.matrices)
	a.indent++
	for range statements {
		a.statement(depth - 1)
	}
	a.indent = was.indent
	a.reals, a.vectors, a.arrays = a.reals[:reals], a.vectors[:vectors], a.arrays[:arrays]
	a.ints, a.matrices = a.ints[:ints], a.matrices[:matrices]
}

func (a *author) statement(depth int) {
	inModel := strings.Contains(a.out.String(), "\nmodel {")
	switch k := a.IntN(20); {
	case k >= 16:
		a.stateful(depth)
	case k < 2:
		v := a.fresh()
		a.line("real %s = %s;", v, a.real(depth))
		a.reals, a.writable[v] = append(a.reals, v), true
	case k < 4:
		v := a.fresh()
		a.line("vector[N] %s = %s;", v, a.vector(depth))
		a.vectors, a.writable[v] = append(a.vectors, v), true
	case k < 6:
		a.filled(depth)
	case k < 7:
		v := a.fresh()
		a.line("int %s = %s;", v, a.whole(depth))
		a.ints = append(a.ints, v)
		a.writable[v] = true
	case k < 11:
		a.assignment(depth)
	case k < 12 && depth > 0:
		a.line("if (%s) {", a.condition(depth))
		a.inside(1+a.IntN(2), depth)
		if a.IntN(2) == 0 {
			a.line("} else {")
			a.inside(1+a.IntN(2), depth)
		}
		a.line("}")
	case k < 14 && depth > 0:
		i := a.fresh()
		from := []string{"1", "2", "1", "K"}[a.IntN(4)]
		a.line("for (%s in %s:N) {", i, from)
		a.loops = append(a.loops, i)
		a.inside(1+a.IntN(3), depth)
		a.loops = a.loops[:len(a.loops)-1]
		a.line("}")
	case inModel && a.IntN(2) == 0:
		a.line("target += 0.1 * %s;", a.real(depth))
	case inModel && len(a.loops) > 0:
		a.line("y[%s] ~ normal(%s, 1.5);", a.loops[len(a.loops)-1], a.real(depth))
	case inModel:
		a.line("%s ~ normal(%s, s + 1);", a.one([]string{"y", "x", "q"}), a.real(depth))
	default:
		a.assignment(depth)
	}
}

// filled declares an array and gives its entries values in pieces.
func (a *author) filled(depth int) {
	v, i := a.fresh(), a.fresh()
	isArray := a.IntN(3) == 0
	if isArray {
		a.line("array[N] real %s;", v)
	} else {
		a.line("vector[N] %s;", v)
	}
	loop := func(from, to, left string) {
		a.loops = append(a.loops, i)
		a.line("for (%s in %s:%s) %s = %s;", i, from, to, left, a.real(depth))
		a.loops = a.loops[:len(a.loops)-1]
	}
	switch a.IntN(6) {
	case 0:
		loop("1", "N", v+"["+i+"]")
	case 1:
		a.line("%s[1] = %s;", v, a.real(depth))
		a.line("for (%s in 2:N) %s[%s] = 0.5 * %s[%s - 1] + %s;", i, v, i, v, i, a.real(1))
	case 2:
		loop("1", "N", v+"[N - "+i+" + 1]")
	case 3:
		a.line("%s[N] = %s;", v, a.real(depth))
		loop("1", "N - 1", v+"["+i+"]")
	case 4:
		a.line("%s[N] = %s;", v, a.real(1))
		a.line("for (%s in 1:(N - 1)) %s[N - %s] = %s[N - %s + 1] * %s;", i, v, i, v, i, a.real(1))
	case 5:
		a.line("%s[1:2] = %s[1:2];", v, map[bool]string{true: "x", false: "q"}[isArray])
		a.line("for (%s in 3:N) %s[%s] = %s[%s - 2] - 0.3 * %s[%s - 1];", i, v, i, v, i, v, i)
	}
	if isArray {
		a.arrays = append(a.arrays, v)
	} else {
		a.vectors = append(a.vectors, v)
	}
	a.writable[v] = true
}

func (a *author) can(list []string) (string, bool) {
	var out []string
	for _, x := range list {
		if a.writable[x] {
			out = append(out, x)
		}
	}
	if len(out) == 0 {
		return "", false
	}
	return a.one(out), true
}

func (a *author) assignment(depth int) {
	op := []string{"=", "+=", "-=", "*="}[a.IntN(4)]
	switch a.IntN(8) {
	case 0, 1:
		if x, ok := a.can(a.reals); ok {
			a.line("%s %s %s;", x, op, a.real(depth))
		}
	case 2, 3:
		if v, ok := a.can(append(append([]string{}, a.vectors...), a.arrays...)); ok {
			a.line("%s[%s] %s %s;", v, a.place(), op, a.real(depth))
		}
	case 4:
		if v, ok := a.can(a.vectors); ok {
			a.line("%s %s %s;", v, strings.Replace(op, "*=", "=", 1), a.vector(depth))
		}
	case 5:
		if v, ok := a.can(a.vectors); ok {
			a.line("%s[2:N] %s %s[1:(N - 1)];", v, strings.Replace(op, "*=", "=", 1), a.one(a.vectors))
		}
	case 6:
		if v, ok := a.can(a.vectors); ok {
			a.line("%s[g] = %s;", v, a.vector(depth))
		}
	case 7:
		if i, ok := a.can(a.ints); ok {
			a.line("%s %s %s;", i, []string{"=", "+=", "-="}[a.IntN(3)], a.whole(depth))
		}
	}
}

// place is an index between 1 and N.
func (a *author) place() string {
	list := []string{"1", "2", "N", "N - 1", "K", "g[1]", "g[N]"}
	for _, i := range a.loops {
		list = append(list, i, i, i, "N - "+i+" + 1", "g["+i+"]", "1 + "+i+" % N", "1 + ("+i+" * 2) % N")
	}
	return a.one(list)
}

func (a *author) whole(depth int) string {
	list := []string{"1", "2", "N", "K", "-1", "c[" + a.place() + "]", "b[" + a.place() + "]",
		"g[" + a.place() + "]", "sum(b)", "max(c)", "size(x)"}
	list = append(append(list, a.ints...), a.loops...)
	if depth > 0 && a.IntN(2) == 0 {
		x, y := a.whole(depth-1), a.whole(depth-1)
		return a.one([]string{"(" + x + " + " + y + ")", "(" + x + " - " + y + ")",
			"(" + x + " * " + y + ")", "(" + x + " %/% (2 + " + a.one([]string{"1", "K", "N"}) + "))",
			"(" + x + " % 3)", "min({" + x + ", " + y + "})", "(" + a.condition(0) + " ? " + x + " : " + y +
				")"})
	}
	return a.one(list)
}

func (a *author) condition(depth int) string {
	list := []string{"b[" + a.place() + "] == 1", "b[" + a.place() + "]", "!b[" + a.place() + "]",
		"N > 3", "c[" + a.place() + "] > 0", "y[" + a.place() + "] > 0", "g[" + a.place() + "] != 2",
		"K == 1 || c[" + a.place() + "] < 0", "x[" + a.place() + "] < 0.2 && N > K", "p > 0.05"}
	for _, i := range a.loops {
		list = append(list, i+" > 1", i+" == N", i+" % 2 == 0", "g["+i+"] <= "+i)
	}
	if depth > 0 && a.IntN(4) == 0 {
		return a.whole(1) + " > " + a.whole(1)
	}
	return a.one(list)
}

func (a *author) real(depth int) string {
	list := []string{"0.5", "-1.5", "1", "x[" + a.place() + "]", "y[" + a.place() + "]",
		"q[" + a.place() + "]", "M[" + a.place() + ", K]", a.one(a.vectors) + "[" + a.place() + "]",
		a.one(a.arrays) + "[" + a.place() + "]", "c[" + a.place() + "]"}
	list = append(append(list, a.reals...), a.loops...)
	if depth <= 0 || a.IntN(3) == 0 {
		return a.one(list)
	}
	x, y, v := a.real(depth-1), a.real(depth-1), a.vector(depth-1)
	return a.one([]string{"(" + x + " + " + y + ")", "(" + x + " - " + y + ")",
		"(" + x + " * " + y + ")", x + " * 0.5", "inv_logit(" + x + ")", "tanh(" + x + ")",
		"sum(" + v + ")", "mean(" + v + ")", "dot_product(" + v + ", y)", "bend(" + x + ", " + v + ")",
		"(" + a.condition(depth-1) + " ? " + x + " : " + y + ")", "fmax(" + x + ", " + y + ")",
		"(" + a.whole(depth-1) + ") * " + x, "log_sum_exp(" + v + ")", "1.0 * " + a.whole(depth-1),
		"normal_lpdf(" + x + " | " + y + ", 2)"})
}

func (a *author) vector(depth int) string {
	if depth <= 0 || a.IntN(3) == 0 {
		return a.one(a.vectors)
	}
	x, v, w := a.real(depth-1), a.vector(depth-1), a.vector(depth-1)
	return a.one([]string{"(" + v + " + " + w + ")", "(" + v + " .* " + w + ")",
		"(" + x + " * " + v + ")", "-" + v, "tanh(" + v + ")",
		"rep_vector(" + x + ", N)", v + "[g]",
		"append_row(" + x + ", " + a.one(a.vectors) + "[2:N])",
		"append_row(" + a.one(a.vectors) + "[2:], " + x + ")",
		"col(M, K)", "cumulative_sum(" + v + ")", "to_vector(" + a.one(a.arrays) + ")",
		"reverse(" + v + ")", "twist(" + v + ", " + a.place() + ")", "M * rep_vector(" + x + ", K)",
		"append_row(tail(" + v + ", 1), head(" + w + ", N - 1))"})
}
