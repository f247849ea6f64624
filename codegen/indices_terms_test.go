package codegen_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// indexPrelude declares what random terms read. Axes have sizes A, B, C and lengths T of
// the rows of y; g is whole numbers, some below 0.
const indexPrelude = `dim A, B, C, T(A)
data d[A] : real
data g[A] : int
data e[A, B] : real
data y[A, T] : real
param p[C] : real
param q[A, B] : real
`

// A world is data for the prelude.
type world struct {
	size map[string]int
	t    []int // lengths of the rows of y
	d    []float64
	g    []int
	e, y [][]float64
	p    []float64
	q    [][]float64
	i, j int // the bound indices
}

func randomWorld(r *rand.Rand) *world {
	w := &world{size: map[string]int{"A": 1 + r.IntN(4), "B": r.IntN(5), "C": 1 + r.IntN(4)}}
	number := func() float64 { return float64(r.IntN(16)-8) / 8 }
	long := 4
	if r.IntN(8) == 0 {
		long = 1 // all rows are empty
	}
	for range w.size["A"] {
		w.t = append(w.t, r.IntN(long))
		w.d, w.g = append(w.d, number()), append(w.g, r.IntN(6)-1)
		e, y := []float64{}, []float64{}
		for range w.size["B"] {
			e = append(e, number())
		}
		for range w.t[len(w.t)-1] {
			y = append(y, number())
		}
		w.e, w.y = append(w.e, e), append(w.y, y)
	}
	w.state(make([]float64, w.size["C"]+w.size["A"]*w.size["B"]))
	return w
}

func (w *world) json() []byte {
	text, err := json.Marshal(map[string]any{"A": w.size["A"], "B": w.size["B"], "C": w.size["C"],
		"T": w.t, "d": w.d, "g": w.g, "e": w.e, "y": w.y})
	if err != nil {
		panic(err)
	}
	return text
}

// state sets the params.
func (w *world) state(x []float64) {
	w.p, w.q = x[:w.size["C"]], nil
	for i := range w.size["A"] {
		from := w.size["C"] + i*w.size["B"]
		w.q = append(w.q, x[from:from+w.size["B"]])
	}
}

// A verdict says what binding must do: where nothing is read of an index that is outside,
// in a plate without entries or in a branch that is never taken, it may do either.
type verdict int

const (
	mustAccept verdict = iota
	mayDo
	mustRefuse
)

// An indexTerm is a statement, and what it adds to the log density.
type indexTerm struct {
	text string
	run  func(w *world) (float64, verdict)
}

// A whole is a whole number of a model: text, and value in a world.
type whole struct {
	text string
	at   func(w *world) int
}

// randomWhole is a sum of a number, dims and bound indices.
func randomWhole(r *rand.Rand, indices int) whole {
	var parts []string
	var fs []func(w *world) int
	add := func(text string, sign int, f func(w *world) int) {
		switch {
		case sign < 0:
			text = "- " + text
		case len(parts) > 0:
			text = "+ " + text
		}
		parts, fs = append(parts, text), append(fs, func(w *world) int { return sign * f(w) })
	}
	if indices > 0 && r.IntN(5) > 0 {
		scale := 1 + r.IntN(2)*r.IntN(2)
		text, get := "i", func(w *world) int { return scale * w.i }
		if indices > 1 && r.IntN(2) == 0 {
			text, get = "j", func(w *world) int { return scale * w.j }
		}
		if scale > 1 {
			text = "2 * " + text
		}
		add(text, 1-2*(r.IntN(4)/3), get)
	}
	if r.IntN(3) == 0 {
		dim := string("ABC"[r.IntN(3)])
		add(dim, 1-2*r.IntN(2), func(w *world) int { return w.size[dim] })
	}
	if k := r.IntN(3); k > 0 || len(parts) == 0 || len(parts) == 1 && len(parts[0]) == 1 {
		add(fmt.Sprint(k), 1-2*r.IntN(2), func(w *world) int { return k })
	}
	return whole{strings.TrimPrefix(strings.Join(parts, " "), "+ "), func(w *world) int {
		n := 0
		for _, f := range fs {
			n += f(w)
		}
		return n
	}}
}

// outside is what an evaluator panics with.
type outside struct{}

func entry[T any](x []T, i int) T {
	if i < 0 || i >= len(x) {
		panic(outside{})
	}
	return x[i]
}

// A reading is an expression of numbers that indexes arrays.
type reading struct {
	text string
	at   func(w *world) float64
}

// randomReading reads an entry; in rows of A, i is the index of a row.
func randomReading(r *rand.Rand, indices int, rows bool) reading {
	k, k2 := randomWhole(r, indices), randomWhole(r, indices)
	kinds := 5
	if rows {
		kinds = 8
	}
	switch r.IntN(kinds) {
	case 0:
		return reading{fmt.Sprintf("d[%s]", k.text),
			func(w *world) float64 { return entry(w.d, k.at(w)) }}
	case 1:
		return reading{fmt.Sprintf("e[%s, %s]", k.text, k2.text),
			func(w *world) float64 { return entry(entry(w.e, k.at(w)), k2.at(w)) }}
	case 2, 3:
		return reading{fmt.Sprintf("p[%s]^2", k.text),
			func(w *world) float64 { x := entry(w.p, k.at(w)); return x * x }}
	case 4:
		return reading{fmt.Sprintf("q[%s, %s]", k.text, k2.text),
			func(w *world) float64 { return entry(entry(w.q, k.at(w)), k2.at(w)) }}
	case 5:
		c := r.IntN(2)
		return reading{fmt.Sprintf("p[g[i] + %d]", c),
			func(w *world) float64 { return entry(w.p, w.g[w.i]+c) }}
	case 6:
		return reading{fmt.Sprintf("y[i, %s]", k.text),
			func(w *world) float64 { return entry(w.y[w.i], k.at(w)) }}
	}
	return reading{fmt.Sprintf("d[i] * q[i, %s]", k.text),
		func(w *world) float64 { return w.d[w.i] * entry(w.q[w.i], k.at(w)) }}
}

// randomCondition is one that the data decide.
func randomCondition(r *rand.Rand, rows bool) (text string, at func(w *world) bool) {
	k := r.IntN(4)
	switch c := r.IntN(4); {
	case c == 0:
		return fmt.Sprintf("i >= %d", k), func(w *world) bool { return w.i >= k }
	case c == 1:
		return fmt.Sprintf("i > 0 and i < %d", k), func(w *world) bool { return w.i > 0 && w.i < k }
	case c == 2 && rows:
		return fmt.Sprintf("not (g[i] < 0 or g[i] == %d)", k),
			func(w *world) bool { return !(w.g[w.i] < 0 || w.g[w.i] == k) }
	case c == 3 && rows:
		return "g[i] >= 0 and g[i] < C",
			func(w *world) bool { return w.g[w.i] >= 0 && w.g[w.i] < w.size["C"] }
	}
	return fmt.Sprintf("i == B - %d", k), func(w *world) bool { return w.i == w.size["B"]-k }
}

// judged evaluates f; what is outside is a verdict.
func judged(f func() float64) (v float64, verdict verdict) {
	defer func() {
		if x := recover(); x != nil {
			if _, is := x.(outside); !is {
				panic(x)
			}
			v, verdict = 0, mustRefuse
		}
	}()
	return f(), mustAccept
}

func randomTerm(r *rand.Rand) *indexTerm {
	switch r.IntN(8) {
	case 0: // one entry
		x := randomReading(r, 0, false)
		return &indexTerm{"factor " + x.text + "\n",
			func(w *world) (float64, verdict) { return judged(func() float64 { return x.at(w) }) }}
	case 1:
		return randomSlice(r)
	case 2: // rows of lengths of their own
		return randomRagged(r)
	}
	length := []whole{
		{"A", func(w *world) int { return w.size["A"] }},
		{"B", func(w *world) int { return w.size["B"] }},
		{"3", func(w *world) int { return 3 }},
		{"1:A", func(w *world) int { return w.size["A"] }},
		{"2:B", func(w *world) int { return w.size["B"] }},
	}[r.IntN(5)]
	lo := 0
	if from, _, ok := strings.Cut(length.text, ":"); ok {
		fmt.Sscan(from, &lo)
	}
	rows := length.text == "A"
	x := randomReading(r, 1, rows)
	get, guards := x.at, false
	if r.IntN(3) == 0 {
		text, holds := randomCondition(r, rows)
		guards = true
		x.text = fmt.Sprintf("(if %s then %s else 0.5)", text, x.text)
		read := get
		get = func(w *world) float64 {
			if holds(w) {
				return read(w)
			}
			return 0.5
		}
	}
	text := fmt.Sprintf("factor sum(%s for i in %s)\n", x.text, length.text)
	if r.IntN(2) == 0 {
		text = fmt.Sprintf("for i in %s { factor %s }\n", length.text, x.text)
	}
	return &indexTerm{text, func(w *world) (float64, verdict) {
		hi := length.at(w)
		if hi < lo {
			return 0, mustRefuse
		}
		v, verdict := judged(func() float64 {
			sum := 0.0
			for w.i = lo; w.i < hi; w.i++ {
				sum += get(w)
			}
			return sum
		})
		if verdict == mustAccept && (hi == lo || guards && w.size["B"] == 0) {
			verdict = mayDo
		}
		return v, verdict
	}}
}

// randomSlice sums a slice.
func randomSlice(r *rand.Rand) *indexTerm {
	lo, hi := randomWhole(r, 0), randomWhole(r, 0)
	array := string("dp"[r.IntN(2)])
	part := lo.text + ":" + hi.text
	open := r.IntN(3)
	switch open {
	case 0:
		part = lo.text + ":"
	case 1:
		part = ":" + hi.text
	}
	return &indexTerm{fmt.Sprintf("factor sum(%s[%s])\n", array, part),
		func(w *world) (float64, verdict) {
			x := w.d
			if array == "p" {
				x = w.p
			}
			from, to := lo.at(w), hi.at(w)
			switch open {
			case 0:
				to = len(x)
			case 1:
				from = 0
			}
			if from < 0 || to > len(x) || to < from {
				return 0, mustRefuse
			}
			sum := 0.0
			for _, v := range x[from:to] {
				sum += v
			}
			return sum, mustAccept
		}}
}

// randomGuarded reads an entry of each row that has it.
func randomGuarded(r *rand.Rand) *indexTerm {
	k := whole{"g[i]", func(w *world) int { return w.g[w.i] }}
	if r.IntN(3) == 0 {
		k = whole{"T(i) - 1", func(w *world) int { return len(w.y[w.i]) - 1 }}
	} else if r.IntN(2) == 0 {
		k = randomWhole(r, 1)
	}
	return &indexTerm{
		fmt.Sprintf(
			"for i in A { factor if %s >= 0 and %s < T(i) then y[i, %s] * p[0]^2 else 0.5 }\n",
			k.text, k.text, k.text), func(w *world) (float64, verdict) {
			return judged(func() float64 {
				sum := 0.0
				for w.i = range w.y {
					if at := k.at(w); at >= 0 && at < len(w.y[w.i]) {
						sum += w.y[w.i][at] * w.p[0] * w.p[0]
					} else {
						sum += 0.5
					}
				}
				return sum
			})
		}}
}

// randomRagged sums over the entries of rows, or over slices of them.
func randomRagged(r *rand.Rand) *indexTerm {
	if r.IntN(2) == 0 {
		return randomGuarded(r)
	}
	k := randomWhole(r, 0)
	if r.IntN(2) == 0 {
		return &indexTerm{fmt.Sprintf("for i in A { factor sum(y[i, %s:]) }\n", k.text),
			func(w *world) (float64, verdict) {
				return judged(func() float64 {
					sum := 0.0
					for i := range w.y {
						from := k.at(w)
						if from < 0 || from > len(w.y[i]) {
							panic(outside{})
						}
						for _, v := range w.y[i][from:] {
							sum += v
						}
					}
					return sum
				})
			}}
	}
	x := randomWhole(r, 2)
	inner := []string{fmt.Sprintf("y[i, %s]", x.text), fmt.Sprintf("p[%s]", x.text),
		"y[i, T(i) - 1 - j] * p[0]"}[r.IntN(3)]
	text := fmt.Sprintf("for i in A { factor sum(%s for j in T) }\n", inner)
	if r.IntN(2) == 0 {
		text = fmt.Sprintf("for i in A, j in T { factor %s }\n", inner)
	}
	return &indexTerm{text, func(w *world) (float64, verdict) {
		read := 0
		v, verdict := judged(func() float64 {
			sum := 0.0
			for w.i = range w.y {
				for w.j = range w.y[w.i] {
					read++
					switch {
					case inner[0] == 'p':
						sum += entry(w.p, x.at(w))
					case strings.Contains(inner, "T(i)"):
						sum += entry(w.y[w.i], len(w.y[w.i])-1-w.j) * entry(w.p, 0)
					default:
						sum += entry(w.y[w.i], x.at(w))
					}
				}
			}
			return sum
		})
		if read == 0 && verdict == mustAccept {
			verdict = mayDo
		}
		return v, verdict
	}}
}
