package stream

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
)

// unsound says how a plan contradicts itself; "" when it does not. A plan comes
// from a file, and what it says of blocks is used as indices and sizes.
func (p *Plan) unsound() string {
	l := &p.Layout
	if l.Block < 1 || l.Window < 1 || l.Rows < 0 || len(p.Files) == 0 || len(p.Specs) == 0 {
		return fmt.Sprintf("it has %d files with %d rows, in blocks of %d and windows of %d",
			len(p.Files), l.Rows, l.Block, l.Window)
	}
	for name, n := range p.Dims {
		if n < 0 {
			return fmt.Sprintf("the size of %s is %d", name, n)
		}
	}
	for i := range p.Files {
		f := &p.Files[i]
		if text := f.unsound(l.Block); text != "" {
			return f.Path + ": " + text
		}
		if l.Rows > f.Rows || l.Rows < f.Rows && !p.Follow {
			return fmt.Sprintf("%s: it has %d rows, and %d are expected", f.Path, f.Rows, l.Rows)
		}
	}
	return ""
}

// unsound says how the blocks of a file contradict each other.
func (f *File) unsound(block int) string {
	if f.Format != format.CellsFormat && format.ByRows(f.Format) == nil {
		return fmt.Sprintf("no rows can be read of its format %.40q", f.Format)
	}
	if f.Rows < 0 || f.Size < 0 || f.Base < -1 || f.Base > 1 || len(f.Blocks) < f.Rows/block ||
		len(f.Blocks) == 0 && f.Rows > 0 {
		return fmt.Sprintf("it has %d rows in %d blocks of %d", f.Rows, len(f.Blocks), block)
	}
	all, some, at := 0, 0, int64(0)
	for k := range f.Blocks {
		b := &f.Blocks[k]
		switch {
		case b.Offset < at || b.Size < 0 || b.Size > f.Size || b.Offset > f.Size-b.Size:
			return fmt.Sprintf("block %d lies outside of it, or within another", k)
		case b.Line < 0 || b.First != all || b.Rows < 0 || b.Rows > block || b.Rows > b.All:
			return fmt.Sprintf("block %d has %d of %d rows, from row %d on", k, b.Rows, b.All, b.First)
		case k+1 < len(f.Blocks) && b.Rows < block:
			return fmt.Sprintf("block %d has %d rows of %d", k, b.Rows, block)
		case !format.ByRows(f.Format).Counted() && int64(b.All) > b.Size+1:
			// documents without words take no bytes
			return fmt.Sprintf("block %d has %d rows in %d bytes", k, b.All, b.Size)
		}
		all, some, at = all+b.All, some+b.Rows, b.Offset+b.Size
	}
	if all != f.All || some != f.Rows {
		return fmt.Sprintf("its blocks have %d of %d rows, and %d of %d are expected", some, all,
			f.Rows, f.All)
	}
	return ""
}
