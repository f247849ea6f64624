package codegen

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// modelFile prints the package doc and what users call.
func (g *generator) modelFile() (string, error) {
	var b strings.Builder
	b.WriteString(g.packageDoc())
	b.WriteString(packageMark)
	fmt.Fprintf(&b, "// Data is what the model is conditioned on. New keeps the arrays and "+
		"changes none.\ntype Data %s\n\n",
		structOf(append(append([]field{}, g.inputs...), g.sizes...)))
	b.WriteString("func (d *Data) inputs() *typed.Inputs {\nin := typed.NewInputs()\n")
	for _, f := range g.inputs {
		fmt.Fprintf(&b, "in.Put(%s, d.%s)\n", quoted(f.name), f.ident)
	}
	for _, f := range g.sizes {
		put := "Size"
		if d := g.Spec.Schema.Dim(f.name); d != nil && d.Default != nil {
			put = "SizeOr"
			fmt.Fprintf(&b, "in.%s(%s, d.%s, %d)\n", put, quoted(f.name), f.ident, *d.Default)
			continue
		}
		fmt.Fprintf(&b, "in.%s(%s, d.%s)\n", put, quoted(f.name), f.ident)
	}
	b.WriteString("return in\n}\n\n")
	fmt.Fprintf(&b, "// Params are values of the unknowns, on the model's own scale.\n"+
		"type Params %s\n\n", structOf(g.params))
	fmt.Fprintf(&b, "func (p *Params) fields() []any { return %s }\n\n", pointers("p", g.params))
	if len(g.tracks) > 0 {
		fmt.Fprintf(&b, "// Tracked holds the values that the model stores with every "+
			"draw.\ntype Tracked %s\n\n", structOf(g.tracks))
		fmt.Fprintf(&b, "func (t *Tracked) fields() []any { return %s }\n\n",
			pointers("t", g.tracks))
	}
	b.WriteString(g.fit(apiText))
	return b.String(), nil
}

func (g *generator) has(kind fn.Kind) bool {
	for _, p := range g.Programs {
		if p.ID.Kind == kind {
			return true
		}
	}
	return false
}

// packageDoc returns the package comment: the model's documentation and text.
func (g *generator) packageDoc() string {
	var b strings.Builder
	title := "Package " + g.Package + " is a compiled model."
	b.WriteString(wrapped(title))
	if g.Spec.Doc != "" {
		b.WriteString("//\n" + comment(" ", g.Spec.Doc))
	}
	if g.Spec.Single {
		b.WriteString("//\n" +
			wrapped("Densities, gradients and likelihoods are computed in single precision: "+
				"arrays are, "+
				"single numbers and sums over rows to one number are double. States and draws "+
				"are double."))
	}
	if g.Spec.Chain != nil {
		b.WriteString("//\n" +
			wrapped("Latent values of rows are drawn by chains, so there is no density of the "+
				"parameters in closed form: "+
				"samplers on stochastic gradients take the mean over these draws."))
	}
	if g.Spec.Text != "" {
		b.WriteString("//\n// The model is\n//\n" + comment("\t", g.Spec.Text))
	}
	b.WriteString(g.usage())
	return b.String()
}

// usage is the example in the package doc.
func (g *generator) usage() string {
	if len(g.params) == 0 {
		return ""
	}
	text := fmt.Sprintf(`m, err := %[1]s.New(data)
if err != nil {
	return err
}
posterior, err := m.Sample(ctx, %[1]s.WithSeed(7))
if err != nil {
	return err
}
fmt.Println(posterior.Mean().%[2]s)`, g.Package, g.params[0].ident)
	return "//\n// Draws of its posterior, given data of type Data:\n//\n//\t" +
		strings.ReplaceAll(text, "\n", "\n//\t") + "\n"
}

// cut removes the parts between //[name and //name] from a text; uncut removes only the marks.
func cut(text, name string) string {
	for {
		before, rest, ok := strings.Cut(text, "//["+name+"\n")
		if !ok {
			return text
		}
		_, after, _ := strings.Cut(rest, "//"+name+"]\n")
		text = before + after
	}
}

func uncut(text string) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "//[") ||
			strings.HasPrefix(line, "//") && strings.HasSuffix(line, "]") &&
				!strings.Contains(line, " ") {
			continue
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// sampleFile prints what runs chains and gives typed draws.
func (g *generator) sampleFile() (string, error) { return packageMark + g.fit(sampleText), nil }

// optionsFile prints the settings of runs.
func (g *generator) optionsFile() (string, error) { return packageMark + g.fit(optionsText), nil }

// fit removes the parts of a text that apply to other models.
func (g *generator) fit(text string) string {
	drop := map[string]bool{
		"tracks":  len(g.tracks) == 0,
		"new":     !g.hasRows(),
		"rows":    g.Spec.RowDim == "",
		"plan":    g.Spec.RowDim == "" || g.Spec.Chain != nil,
		"locals":  g.Spec.Chain == nil,
		"prior":   g.Spec.RowDim == "" || g.Spec.Chain != nil,
		"loglik":  !g.has(fn.Loglik),
		"density": g.Spec.Chain != nil, // only means over draws of the locals are known
	}
	for name, is := range drop {
		if is {
			text = cut(text, name)
		}
	}
	return strings.NewReplacer("{{row}}", clean(g.Spec.RowDim), "{{package}}",
		g.Package).Replace(uncut(text))
}
