package codegen

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/ir/plan"
)

// transposes emits a loop that only writes matrices by columns as calls of
// kernel.Transpose: the loop would go through memory in long strides.
func (n *nest) transposes(body []plan.Instr) bool {
	if len(n.groups) != 2 || n.tiny(n.groups[0]) || n.tiny(n.groups[1]) {
		return false
	}
	type copied struct{ dst, src *plan.Buffer }
	var all []copied
	uses := n.uses(body)
	for i, in := range body {
		kept := n.kept(in.Stores)
		if len(kept) == 0 && uses[i] == 0 {
			continue
		}
		if in.Op != nil || uses[i] > 0 {
			return false
		}
		src := in.Args[0]
		if src.Kind != plan.Load || src.Guard || src.Buf.Sparse || n.stored[src.Buf] ||
			n.single != n.m.f.narrow(src.Buf) ||
			!walks(src.Buf, src.At, slices.Concat(n.groups[1], n.groups[0])) {
			return false
		}
		for _, s := range kept {
			if n.single != n.m.f.narrow(s.Buf) ||
				!walks(s.Buf, storeAt(s), slices.Concat(n.groups...)) {
				return false
			}
			all = append(all, copied{s.Buf, src.Buf})
		}
	}
	rows, cols := n.m.extent(n.groups[1]).text, n.m.extent(n.groups[0]).text
	for _, c := range all {
		n.m.printf("%s(%s, %s, %s, %s)", n.m.call("Transpose"), n.m.array(c.dst), n.m.array(c.src),
			rows, cols)
	}
	return len(all) > 0
}

// tiny reports whether axes are known to have few entries.
func (n *nest) tiny(axes []*ir.Axis) bool {
	entries := 1
	for _, a := range axes {
		k, known := a.Size.Number()
		if a.Rows || !known {
			return false
		}
		entries *= k
	}
	return entries < 4
}
