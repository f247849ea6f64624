package reference

import (
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/stan/translate"
)

// A recorder keeps the draws of transformed data that a translation makes, so that the interpreter
// takes the same ones.
type recorder struct{ drawn [][]float64 }

// drawer draws for a translation, and forgets what was drawn for one before.
func (r *recorder) drawer() translate.Drawer {
	r.drawn = nil
	laws := &driver.LawDrawer{Seed: 1}
	return func(
		expr string, names []string, shapes [][]int, values [][]float64,
	) ([]float64, error) {
		x, err := laws.Draw(expr, names, shapes, values)
		if err == nil {
			r.drawn = append(r.drawn, x)
		}
		return x, err
	}
}

// draw is the next draw: a vector where the law is one of vectors, an array where an argument has
// several entries, else a number.
func (m *machine) draw(law string, args []any) any {
	if len(m.drawn) == 0 {
		fail("%s_rng draws more often than the translation", law)
	}
	x := m.drawn[0]
	m.drawn = m.drawn[1:]
	many := false
	for _, a := range args {
		_, is := a.(*list)
		many = many || is
	}
	out := vec('a', x)
	switch {
	case drawTypes[law] != "" && !strings.HasPrefix(drawTypes[law], "array"):
		out.kind = 'v'
	case counts[law] != nil || law == "categorical" || law == "categorical_logit":
		for i, y := range x {
			out.elems[i] = int(y)
		}
	}
	if many && !strings.HasPrefix(law, "categorical") {
		return out
	}
	return out.elems[0]
}

// integral is integrate_1d between finite ends, by many rules of three points.
func (m *machine) integral(f string, args []any) any {
	lo, hi := num(args[0]), num(args[1])
	const panels = 400
	h := (hi - lo) / panels
	sum := 0.0
	for k := range panels {
		for i, w := range []float64{5.0 / 18, 8.0 / 18, 5.0 / 18} {
			x := lo + h*(float64(k)+0.5+[]float64{-0.3872983346207417, 0, 0.3872983346207417}[i])
			sum += w * h * num(m.user(f, append([]any{x, 0.0}, args[2:5]...)))
		}
	}
	return sum
}
