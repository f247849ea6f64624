package reference

import (
	"math"
	"strings"

	"github.com/sgppl/sgppl/stan/syntax"
)

// moreLibrary are further functions.
func moreLibrary() map[string]func([]any) any {
	dot := func(x, y []float64) float64 {
		s := 0.0
		for i := range x {
			s += x[i] * y[i]
		}
		return s
	}
	return map[string]func([]any) any{
		"qr_Q": func(a []any) any { // the product of Householder's reflections
			x := rows(a[0])
			n := len(x)
			q := eye(n)
			for k := range min(n-1, len(x[0])) {
				u := make([]float64, n)
				for i := k; i < n; i++ {
					u[i] = x[i][k]
				}
				u[k] += math.Copysign(math.Sqrt(dot(u, u)), u[k])
				h := eye(n)
				for i := range h {
					for j := range h {
						h[i][j] -= 2 * u[i] * u[j] / dot(u, u)
					}
				}
				x, q = product(h, x), product(q, h)
			}
			for k := range min(n, len(x[0])) {
				for i := range q {
					q[i][k] *= math.Copysign(1, x[k][k])
				}
			}
			return mat(q)
		},
		"qr_R": func(a []any) any {
			r := rows(library["qr_thin_R"](a))
			for len(r) < len(rows(a[0])) {
				r = append(r, make([]float64, len(r[0])))
			}
			return mat(r)
		},
		"linspaced_int_array": func(a []any) any {
			n, lo, hi := whole(a[0]), whole(a[1]), whole(a[2])
			out := &list{kind: 'a'}
			for i := range n {
				out.elems = append(out.elems, lo+i*max(1, (hi-lo)/max(1, n-1)))
			}
			return out
		},
		"log_modified_bessel_first_kind": func(a []any) any {
			return both(func(v, z float64) float64 { // the series, from its first term on
				s, term := 1.0, 1.0
				for k := 1.0; k < 2000; k++ {
					term *= z * z / 4 / (k * (k + v))
					s += term
				}
				return v*math.Log(z/2) - lg(v+1) + math.Log(s)
			}, a[0], a[1])
		},
		"wiener_lpdf": func(a []any) any { // both of the series of Navarro and Fuss, where each is short
			return spread(func(x []float64) float64 {
				t, c, w, v := x[0]-x[2], x[1], x[3], x[4]
				if len(x) > 5 { // the mean over drifts
					s := 0.0
					for k := -400; k <= 400; k++ {
						z := 8 * float64(k) / 400
						one := append(append([]float64{}, x[:4]...), v+x[5]*z)
						p := math.Exp(num(library["wiener_lpdf"]([]any{one[0], one[1], one[2], one[3], one[4]})))
						s += p * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * 8 / 400
					}
					return math.Log(s)
				}
				if t <= 0 {
					return math.Inf(-1)
				}
				u, f := t/(c*c), 0.0
				for k := 1.0; k < 400; k++ {
					f += math.Pi * k * math.Exp(-k*k*math.Pi*math.Pi*u/2) * math.Sin(k*math.Pi*w)
				}
				if u < 0.2 {
					f = 0
					for k := -40.0; k <= 40; k++ {
						f += (w + 2*k) * math.Exp(-(w+2*k)*(w+2*k)/(2*u)) / math.Sqrt(2*math.Pi*u*u*u)
					}
				}
				return math.Log(f) - 2*math.Log(c) - v*c*w - v*v*t/2
			}, a)
		},
		"transpose": func(a []any) any {
			switch l := a[0].(*list); l.kind {
			case 'v':
				return &list{'r', l.elems}
			case 'r':
				return &list{'v', l.elems}
			}
			return mat(transpose(rows(a[0])))
		},
		"quad_form_sym": func(a []any) any { return library["quad_form"](a) },
		"zeros_int_array": func(a []any) any {
			out := &list{kind: 'a'}
			for range whole(a[0]) {
				out.elems = append(out.elems, 0)
			}
			return out
		},
		"csr_matrix_times_vector": func(a []any) any {
			w, v, u, b := flat(a[2]), flat(a[3]), flat(a[4]), flat(a[5])
			y := make([]float64, whole(a[0]))
			for i := range y {
				for k := int(u[i]) - 1; k < int(u[i+1])-1; k++ {
					y[i] += w[k] * b[int(v[k])-1]
				}
			}
			return vec('v', y)
		},
		"matrix_exp": func(a []any) any { // the series of x / 2^12, squared twelve times
			x := each(func(v float64) float64 { return v / 4096 }, a[0])
			out, term := eye(len(rows(x))), eye(len(rows(x)))
			for k := 1; k < 25; k++ {
				term = product(term, rows(each(func(v float64) float64 { return v / float64(k) }, x)))
				out = rows(both(func(p, q float64) float64 { return p + q }, mat(out), mat(term)))
			}
			for range 12 {
				out = product(out, out)
			}
			return mat(out)
		},
	}
}

// root solves equations by Newton's method with differences.
func (m *machine) root(c *syntax.Call) any {
	f := c.Args[0].(*syntax.Name).Name
	z := flat(m.expr(c.Args[1]))
	var extra []any
	rest := c.Args[2:]
	if strings.HasSuffix(c.Fun, "_tol") {
		rest = rest[3:]
	}
	for _, a := range rest {
		extra = append(extra, m.expr(a))
	}
	at := func(z []float64) []float64 { return flat(m.user(f, append([]any{vec('v', z)}, extra...))) }
	for range 60 {
		now := at(z)
		slopes := make([][]float64, len(z)) // by columns
		for k := range z {
			y := append([]float64{}, z...)
			y[k] += 1e-7
			slopes[k] = at(y)
			for i := range now {
				slopes[k][i] = (slopes[k][i] - now[i]) / 1e-7
			}
		}
		step, _ := gauss(transpose(slopes), column(now))
		for k := range z {
			z[k] -= step[k][0]
		}
	}
	return vec('v', z)
}
