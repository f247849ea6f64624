package codegen

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// specFile prints the compiler's description of the model, other than its functions.
func (g *generator) specFile() (string, error) {
	var b strings.Builder
	spec := *g.Spec
	spec.Text, spec.Version = "", sgppl.Version
	b.WriteString("// spec describes the model: what it wants of the data, what its state and " +
		"draws hold.\n")
	literal := literal(reflect.ValueOf(spec))
	if text := g.Spec.Text; text != "" {
		// Text is the last plain field, so that the file reads top down.
		literal = strings.Replace(literal, "\nSchema:", "\nText: text,\nSchema:", 1)
	}
	fmt.Fprintf(&b, "func spec() *model.Spec {\nreturn &%s\n}\n\n", literal)
	fmt.Fprintf(&b, "// text is the model file.\nconst text = %s\n\n", quote(g.Spec.Text))
	b.WriteString("// sizes are the dims of the data.\ntype sizes struct {\n")
	for _, d := range g.dimOrder {
		fmt.Fprintf(&b, "%s int\n", g.dims[d])
	}
	b.WriteString("}\n\nfunc sizesOf(dims map[string]int) sizes {\nreturn sizes{\n")
	for _, d := range g.dimOrder {
		fmt.Fprintf(&b, "%s: dims[%s],\n", g.dims[d], strconv.Quote(d))
	}
	b.WriteString("}\n}\n\n")
	b.WriteString("// Compiled is what New binds to data: the description of the model and its " +
		"functions.\nfunc Compiled() (*model.Spec, model.Code) { return spec(), code{} }\n\n")
	b.WriteString("// code makes the functions of the model.\ntype code struct{}\n\n")
	b.WriteString("// Func implements model.Code.\n" +
		"func (code) Func(name string, dims map[string]int, capacity int) model.Func {\n" +
		"s := sizesOf(dims)\nswitch name {\n")
	for _, p := range g.Programs {
		fmt.Fprintf(&b, "case %s:\nreturn new%s(s, capacity)\n", strconv.Quote(p.ID.String()),
			title(g.types[p.ID]))
	}
	b.WriteString("}\nreturn nil\n}\n")
	return b.String(), nil
}

var (
	polyType = reflect.TypeFor[size.Poly]()
	kindType = reflect.TypeFor[data.Kind]()
)

// literal writes a value as Go: structs without their zero fields, sizes by
// their constructors, kinds by their names.
func literal(v reflect.Value) string {
	switch v.Type() {
	case polyType:
		return polyLiteral(v.Interface().(size.Poly))
	case kindType:
		return "data." + kindName(v.Interface().(data.Kind))
	}
	switch v.Kind() {
	case reflect.String:
		return quote(v.String())
	case reflect.Bool, reflect.Int, reflect.Int64:
		return fmt.Sprint(v.Interface())
	case reflect.Float64:
		return number(v.Float()).text
	case reflect.Pointer:
		if v.IsNil() {
			return "nil"
		}
		if v.Elem().Kind() == reflect.Struct {
			return "&" + literal(v.Elem())
		}
		return "new(" + literal(v.Elem()) + ")"
	case reflect.Slice:
		var b strings.Builder
		b.WriteString(v.Type().String() + "{")
		small := v.Type().Elem().Kind() != reflect.Struct || v.Type().Elem() == polyType
		for i := range v.Len() {
			item := literal(v.Index(i))
			if small {
				if i > 0 {
					b.WriteString(", ")
				}
				b.WriteString(item)
				continue
			}
			b.WriteString("\n" + strings.TrimPrefix(item, v.Type().Elem().String()) + ",")
		}
		if !small && v.Len() > 0 {
			b.WriteString("\n")
		}
		return b.String() + "}"
	case reflect.Struct:
		var b strings.Builder
		inline := v.NumField() <= 3
		b.WriteString(v.Type().String() + "{")
		first := true
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				continue
			}
			item := v.Type().Field(i).Name + ": " + literal(v.Field(i))
			switch {
			case !inline:
				b.WriteString("\n" + item + ",")
			case first:
				b.WriteString(item)
			default:
				b.WriteString(", " + item)
			}
			first = false
		}
		if !inline && !first {
			b.WriteString("\n")
		}
		return b.String() + "}"
	}
	panic("codegen: no literal for " + v.Type().String())
}

func polyLiteral(p size.Poly) string {
	if n, ok := p.Number(); ok {
		return fmt.Sprintf("size.Const(%d)", n)
	}
	text := ""
	for _, t := range p.Terms {
		term := ""
		if t.Coef != 1 || len(t.Dims) == 0 {
			term = fmt.Sprintf("size.Const(%d)", t.Coef)
		}
		for _, d := range t.Dims {
			factor := "size.Dim(" + strconv.Quote(d) + ")"
			if term == "" {
				term = factor
			} else {
				term += ".Mul(" + factor + ")"
			}
		}
		if text == "" {
			text = term
		} else {
			text += ".Add(" + term + ")"
		}
	}
	if p.Over > 0 {
		text += fmt.Sprintf(".Div(%d)", p.Over)
	}
	return text
}

// kindNames has the Go names of data.Kind's constants, in order; a test compares them with package
// data.
var kindNames = []string{
	"Real", "Positive", "Unit", "Interval", "Int", "Count", "Bool", "Index", "Simplex", "Sphere",
	"Ordered",
	"PositiveOrdered", "SumToZero", "Stiefel", "CorrChol", "CovChol", "Nonnegative",
	"Grassmann", "Hyperbolic",
}

func kindName(k data.Kind) string { return kindNames[k] }
