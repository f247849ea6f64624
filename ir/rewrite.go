package ir

// A Rule rebuilds one value from its rebuilt arguments; nil leaves it as it is.
type Rule func(b *Builder, v *Value, args []*Value) *Value

// Rewrite rebuilds the values that the roots depend on, arguments first, by a rule, and returns
// the new roots. Values that no root depends on are left out.
func Rewrite(b *Builder, roots []*Value, rule Rule) []*Value {
	values := Reach(roots...)
	made := make(map[*Value]*Value, len(values))
	n := 0
	for _, v := range values {
		n += len(v.Args)
	}
	all := make([]*Value, n) // the arguments of one value after another
	for _, v := range values {
		args := all[:len(v.Args):len(v.Args)]
		all = all[len(v.Args):]
		same := true
		for i, a := range v.Args {
			args[i] = made[a]
			same = same && args[i] == a
		}
		out := rule(b, v, args)
		switch {
		case out != nil:
		case same && v.settled == v && v.maker == b:
			out = v
		default:
			if out = b.Like(v, args); same && out == v {
				v.settled, v.maker = v, b
			}
		}
		if out.Hint == "" {
			out.Hint = v.Hint
		}
		if out.Span.End == 0 && out.Op == v.Op {
			out.Span = v.Span
		}
		made[v] = out
	}
	out := make([]*Value, len(roots))
	for i, r := range roots {
		out[i] = made[r]
	}
	return out
}

// RewriteFunc applies Rewrite to the outputs of a function. The axes of the
// outputs stay: a pass that renames axes maps them itself.
func RewriteFunc(b *Builder, f *Func, rule Rule) *Func {
	roots := make([]*Value, len(f.Outputs))
	for i, o := range f.Outputs {
		roots[i] = o.Value
	}
	out := &Func{ID: f.ID, Outputs: make([]Output, len(f.Outputs))}
	for i, v := range Rewrite(b, roots, rule) {
		out.Outputs[i] = Output{f.Outputs[i].Name, v, f.Outputs[i].Axes}
	}
	return out
}
