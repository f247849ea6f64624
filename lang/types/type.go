package types

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// Scalar is a single number of a kind.
func Scalar(k Kind) Type { return Type{Kind: k} }

// ArrayOf is an array of numbers of a kind.
func ArrayOf(k Kind, s Shape) Type { return Type{Kind: k, Shape: s} }

// Family is the shape without the axes that belong to one value.
func (t Type) Family() Shape { return t.Shape[:len(t.Shape)-t.Own] }

// OwnShape is the axes of one value: [K] of simplex[K].
func (t Type) OwnShape() Shape { return t.Shape[len(t.Shape)-t.Own:] }

// Entry is the kind of a single entry.
func (t Type) Entry() Kind {
	if t.Kind == Tuple || t.Kind == AnyDist {
		return Invalid
	}
	return Kinds[t.Kind].Entry
}

// IsScalar says that the value is one number.
func (t Type) IsScalar() bool {
	return len(t.Shape) == 0 && t.Kind != Tuple && t.Kind != AnyDist && t.Kind != Invalid
}

// String writes the type as a declaration would, with the whole shape.
func (t Type) String() string {
	switch t.Kind {
	case Tuple:
		parts := make([]string, len(t.Parts))
		for i, p := range t.Parts {
			parts[i] = p.String()
		}
		return "(" + strings.Join(parts, ", ") + ")"
	case Invalid, AnyDist:
		return t.Kind.String()
	}
	name := t.Kind.String()
	own := t.OwnShape()
	switch {
	case t.Kind == Index:
		name += "[" + t.Below.String() + "]"
	case t.Kind == CorrChol || t.Kind == CovChol:
		name += own[:1].String()
	case t.Own > 0:
		name += own.String()
	}
	if f := t.Family(); len(f) > 0 {
		if t.Own > 0 || t.Kind == Index {
			return f.String() + " of " + name
		}
		return name + f.String()
	}
	return name
}

// JoinShapes joins shapes into a new one.
func JoinShapes(shapes ...Shape) Shape {
	var out Shape
	for _, s := range shapes {
		out = append(out, s...)
	}
	return out
}

// SubstSize replaces dims by sizes, all at once.
func SubstSize(p Size, by map[string]Size) Size {
	if len(by) == 0 {
		return p
	}
	var sum Size
	for _, t := range p.Terms {
		product := size.Const(t.Coef)
		for _, d := range t.Dims {
			if q, ok := by[d]; ok {
				product = product.Mul(q)
			} else {
				product = product.Mul(size.Dim(d))
			}
		}
		sum = sum.Add(product)
	}
	if p.Over > 0 {
		sum = sum.Div(p.Over)
	}
	return sum
}

// SubstShape replaces dims in every size.
func SubstShape(s Shape, by map[string]Size) Shape {
	if s == nil {
		return nil
	}
	out := make(Shape, len(s))
	for i, p := range s {
		out[i] = SubstSize(p, by)
	}
	return out
}

// Subst replaces dims in a whole type.
func Subst(t Type, by map[string]Size) Type {
	if len(by) == 0 {
		return t
	}
	t.Shape = SubstShape(t.Shape, by)
	t.Below = SubstSize(t.Below, by)
	parts := t.Parts
	t.Parts = nil
	for _, p := range parts {
		t.Parts = append(t.Parts, Subst(p, by))
	}
	return t
}

// Ragged writes the size of a ragged dim in the row that an index names: T(s).
func Ragged(dim, index string) string { return dim + "(" + index + ")" }

// SplitRagged undoes Ragged; index is empty for a plain dim.
func SplitRagged(name string) (dim, index string) {
	if i := strings.IndexByte(name, '('); i > 0 && strings.HasSuffix(name, ")") {
		return name[:i], name[i+1 : len(name)-1]
	}
	return name, ""
}

// Largest returns the shape that every other fits; bad is the place of the
// first shape that does not fit it (-1 when all do), and ways what Fit said.
func Largest(shapes []Shape) (large Shape, bad, ways int) {
	for _, s := range shapes {
		if len(s) > len(large) {
			large = s
		}
	}
	for i, s := range shapes {
		if _, w := Fit(s, large); w != 1 {
			return large, i, w
		}
	}
	return large, -1, 1
}
