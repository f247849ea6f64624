package codegen

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/ir/plan"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// hasRows reports whether new rows can be scored or predicted.
func (g *generator) hasRows() bool {
	return g.Spec.RowDim != "" && g.Spec.Chain == nil &&
		(g.has(fn.Loglik) || len(g.Spec.RowSites()) > 0)
}

// rowsFile prints what new rows are for.
func (g *generator) rowsFile() (string, error) {
	sites := g.Spec.RowSites()
	names := newScope(nil)
	var fields []field
	for i := range sites {
		fields = append(fields, predictedField(&sites[i], names, g.Spec.RowDim))
	}
	optional := g.optional(sites)
	text := rowsText
	if len(optional) == 0 {
		text = cut(text, "optional")
	}
	if len(sites) == 0 {
		text = cut(text, "sites")
	}
	list := "nil"
	if len(optional) > 0 {
		quotes := make([]string, len(optional))
		for i, name := range optional {
			quotes[i] = quoted(name)
		}
		list = "[]string{" + strings.Join(quotes, ", ") + "}"
	}
	var idents []string
	for _, f := range g.inputs {
		if slices.Contains(optional, f.name) {
			idents = append(idents, f.ident)
		}
	}
	return packageMark + strings.NewReplacer("{{predicted}}", structOf(fields), "{{fields}}",
		pointers("p", fields),
		"{{names}}", list, "{{optional}}", strings.Join(idents, ", ")).Replace(g.fit(text)), nil
}

// predictedField is the field of Predicted for an observed name.
func predictedField(s *model.Site, names *scope, row string) field {
	f := field{name: s.Name, ident: names.fresh(exported(s.Name)), typ: "[]float64"}
	switch {
	case !s.Mean:
		f.typ = "[][]float64"
		f.fact = "[" + row + ", " + s.Classes.String() + "] the probability of each " + s.Name
	case s.Kind == data.Bool:
		f.fact = "[" + row + "] the probability that " + s.Name + " is true"
	default:
		f.fact = "[" + row + "] the expected " + s.Name
	}
	return f
}

// optional returns the observed names that neither a prediction nor any of its inputs reads.
func (g *generator) optional(sites []model.Site) []string {
	read := map[string]bool{}
	derived := false
	note := func(p *plan.Program) {
		for _, b := range p.Buffers {
			if b.Where != plan.Data {
				continue
			}
			read[b.Name] = true
			derived = derived || g.Spec.Data[g.datum(b)].Derived
		}
	}
	for _, p := range g.Programs {
		if p.ID.Kind == fn.Mean || p.ID.Kind == fn.Classes {
			note(p)
		}
	}
	if derived {
		for _, p := range g.Programs {
			if p.ID.Kind == fn.Derive {
				note(p)
			}
		}
	}
	for _, c := range g.Spec.Checks {
		read[c.Text] = true
		for _, name := range c.Reads {
			read[name] = true
		}
	}
	var out []string
	for _, s := range sites {
		in := g.Spec.Schema.Input(s.Name)
		plain := in != nil && len(in.Shape) == 1 && !in.Sparse && !in.Default && in.Own == 0 &&
			in.Kind != data.Interval
		if plain && !read[s.Name] {
			out = append(out, s.Name)
		}
	}
	return out
}
