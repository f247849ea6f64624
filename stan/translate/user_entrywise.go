package translate

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/stan/syntax"
)

// entrywise is a function of the library that is given containers where it takes numbers: such
// functions of Stan are applied to every entry.
func (t *translator) entrywise(f *syntax.Func, args []*value) *syntax.Func {
	if _, fits := takes(f, args); fits || !f.Library {
		return f
	}
	over, best := -1, 0 // the argument whose type the result has
	for i, a := range f.Args {
		got := args[i].t
		if headType(a.Type).rank() > 0 || args[i].fn != "" || got.rank() > 2 ||
			got.rank() == 2 && got.base != matrixBase {
			return f
		}
		order := 2*got.rank() - min(got.arr, 1) // a matrix before a vector before an array
		if order > best {
			over, best = i, order
		}
	}
	if over < 0 {
		return f
	}
	var heads, inner []string
	for i, a := range f.Args {
		x := "x" + itoa(i)
		switch got := args[i].t; {
		case got.rank() == 0:
			heads, inner = append(heads, a.Type.Base+" "+x), append(inner, x)
		case got.rank() == 2:
			heads, inner = append(heads, "matrix "+x), append(inner, x+"[i, j]")
		default:
			head := baseNames[got.base]
			if got.arr > 0 {
				head = "array[] " + head
			}
			heads, inner = append(heads, head+" "+x), append(inner, x+"[i]")
		}
	}
	x := "x" + itoa(over)
	n := "num_elements(" + x + ")"
	one := f.Name + "(" + strings.Join(inner, ", ") + ");"
	kind, local, loop := "array[] real", "array["+n+"] real", "for (i in 1:"+n+") out[i] = "+one
	switch t := args[over].t; {
	case t.rank() == 2:
		kind, local = "matrix", "matrix[rows("+x+"), cols("+x+")]"
		loop = "for (i in 1:rows(" + x + ")) { for (j in 1:cols(" + x + ")) out[i, j] = " + one + " }"
	case t.arr == 0:
		kind = baseNames[t.base]
		local = kind + "[" + n + "]"
	}
	prog, diags := syntax.Parse(source.New(f.Name, "functions { "+kind+" "+f.Name+"("+
		strings.Join(heads, ", ")+") { "+local+" out; "+loop+" return out; } }"))
	if diags.Errors() {
		panic(f.Name + ": " + diags[0].Message)
	}
	g := prog.Functions[0]
	g.Library = true
	t.funcs[f.Name] = append(slices.Clip(t.funcs[f.Name]), g)
	return g
}
