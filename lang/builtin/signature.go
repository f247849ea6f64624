package builtin

import (
	"strings"

	"github.com/sgppl/sgppl/lang/types"
)

// Signature writes a function's arguments and result as the language would.
func (f *Func) Signature() string {
	text := f.Name + "(" + strings.Join(f.Labels(), ", ") + ")"
	if f.Class == Special {
		return text
	}
	return text + " -> " + kindText(f.Result.Kind, f.Result.Sizes)
}

// Labels returns the arguments of a function as Signature writes them, one by one.
func (f *Func) Labels() []string {
	if f.Class == Special && len(f.Params) == 0 {
		return []string{"…"} // its doc begins with how it is called
	}
	labels := make([]string, len(f.Params))
	for i, p := range f.Params {
		switch f.Class {
		case Special:
			labels[i] = p.Name
		case Reduction:
			labels[i] = p.Name + " : " + p.Kind.String() + "[…]"
		default:
			labels[i] = p.Name + " : " + kindText(p.Kind, p.Sizes)
		}
	}
	return labels
}

func kindText(k types.Kind, sizes []string) string {
	if len(sizes) == 0 {
		return k.String()
	}
	if info := k.Info(); info.Own > 1 && info.Sizes == 1 {
		sizes = sizes[:1]
	}
	return k.String() + "[" + strings.Join(sizes, ", ") + "]"
}
