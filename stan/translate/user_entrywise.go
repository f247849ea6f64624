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
	kind, over := "", 0
	var heads, inner []string
	for i, a := range f.Args {
		x := "x" + itoa(i)
		got, want := args[i].t, headType(a.Type)
		if want.rank() > 0 || args[i].fn != "" || got.rank() > 1 {
			return f
		}
		if got.rank() == 0 {
			heads, inner = append(heads, a.Type.Base+" "+x), append(inner, x)
			continue
		}
		head := baseNames[got.base]
		if got.arr > 0 {
			head = "array[] " + head
		}
		if kind == "" {
			kind, over = head, i
		}
		heads, inner = append(heads, head+" "+x), append(inner, x+"[i]")
	}
	if kind == "" {
		return f
	}
	n := "num_elements(x" + itoa(over) + ")"
	local := "array[" + n + "] real"
	if kind == "vector" || kind == "row_vector" {
		local = kind + "[" + n + "]"
	} else {
		kind = "array[] real"
	}
	prog, diags := syntax.Parse(source.New(f.Name, "functions { "+kind+" "+f.Name+"("+
		strings.Join(heads, ", ")+") { "+local+" out; for (i in 1:"+n+") out[i] = "+f.Name+"("+
		strings.Join(inner, ", ")+"); return out; } }"))
	if diags.Errors() {
		panic(f.Name + ": " + diags[0].Message)
	}
	g := prog.Functions[0]
	g.Library = true
	t.funcs[f.Name] = append(slices.Clip(t.funcs[f.Name]), g)
	return g
}
