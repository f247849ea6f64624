package lsp

import (
	"github.com/sgppl/sgppl/lang/types"
)

// inlays are the types of lets that are arrays, behind their names: a let does not say its shape.
func (a *analysis) inlays(part textRange) []inlayHint {
	out := []inlayHint{}
	from, to := a.lines.offset(part.Start), a.lines.offset(part.End)
	for _, l := range a.index.lets {
		for i := range l.Names {
			id := &l.Names[i]
			s := a.model.Uses[id]
			if s == nil || id.End < from || id.Start > to || len(s.Type.Shape) == 0 ||
				s.Type.Kind == types.Invalid {
				continue
			}
			if text := " : " + s.Type.String(); inline(text) {
				out = append(out, inlayHint{a.lines.position(id.End), text, 1})
			}
		}
	}
	return out
}
