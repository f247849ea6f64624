package stream

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A Reader reads pages for one chain. It is not safe for concurrent use.
type Reader struct {
	src    *Source
	layout batch.Layout
	rows   []*format.Rows // of the last page, by file
	left   []int          // its first rows
	blocks []int          // and its blocks
	spare  [][]*format.Rows
	room   []byte // for a block
}

// Reader makes one.
func (s *Source) Reader() *Reader { return s.reader() }

func (s *Source) reader() *Reader { return &Reader{src: s, layout: s.layout()} }

// Limit has the reader know of so many rows, of those that there are.
func (r *Reader) Limit(rows int) {
	if r.layout.Rows != rows {
		r.layout.Rows, r.rows = rows, nil
	}
}

// Load reads and binds a page: rows that are left of the page before, then the
// rows of blocks, in that order. The sizes of the bound data are the page's own.
func (r *Reader) Load(left, blocks []int) (*data.Bound, error) {
	p := r.src.Plan
	b, _, errs := r.load(left, blocks, p.fixed(nil))
	if errs != nil {
		return nil, Errors(errs)
	}
	for d, n := range p.Dims { // rows that were appended may be longer than those before
		if have, is := b.Dims[d]; is && d != p.Dim && have != n {
			return nil, Errors{p.Files[0].fail(0, "D0120",
				fmt.Sprintf("sizes disagree on %s: %d by the rows that the run began with, %d by "+
					"rows that were appended", d, n, have))}
		}
	}
	return b, nil
}

// Rows appends the numbers of the rows of the page read last, in their order.
func (r *Reader) Rows(to []int) []int {
	n := len(r.left)
	for _, b := range r.blocks {
		lo, hi := r.layout.Span(b)
		n += hi - lo
	}
	if cap(to)-len(to) < n {
		to = slices.Grow(to, n+n/16) // the next page may have a few more
	}
	to = append(to, r.left...)
	for _, b := range r.blocks {
		lo, hi := r.layout.Span(b)
		for i := lo; i < hi; i++ {
			to = append(to, i)
		}
	}
	return to
}

func (r *Reader) load(
	left, blocks []int, known map[string]int,
) (*data.Bound, []string, []*problem.Error) {
	s := r.src
	at, from := r.places(left)
	old := r.takeSpare()
	var rows []*format.Rows
	for file := range s.Plan.Files {
		all, errs := r.page(file, at, from, blocks, old[file])
		if errs != nil {
			return nil, nil, errs
		}
		rows = append(rows, all)
	}
	b, notes, errs := s.binder.Bind(rows, known, s.among)
	if errs != nil {
		return nil, notes, errs
	}
	r.rows, r.left, r.blocks = rows, slices.Clone(left), slices.Clone(blocks)
	return b, notes, nil
}

// page reads the rows of a page of a file: first those at some places of the page before, or of the
// blocks from, then those of blocks. Old rows, if there are any, are overwritten.
func (r *Reader) page(
	file int, at, from, blocks []int, old *format.Rows,
) (*format.Rows, []*problem.Error) {
	s := r.src
	before := (*format.Rows)(nil)
	switch {
	case len(at) == 0:
	case from == nil:
		before = r.rows[file]
	default:
		var errs []*problem.Error
		if before, errs = s.rowsOf(file, &r.layout, from); errs != nil {
			return nil, errs
		}
	}
	if s.placed(file) {
		f := &s.Plan.Files[file]
		parts, wanted := s.parts(f, &r.layout, blocks)
		rows, err := s.cellsOf(f, s.files[file], parts, wanted, len(at), old, &r.room)
		if err != nil {
			return nil, []*problem.Error{err}
		}
		if before != nil {
			rows.Copy(before, at)
		}
		return rows, nil
	}
	all, errs := s.rowsOf(file, &r.layout, blocks)
	if errs != nil || before == nil {
		return all, errs
	}
	some := before.Take(at)
	some.Join(all)
	return some, nil
}

// Reuse implements model.Recycler.
func (r *Reader) Reuse(b *data.Bound) {
	if len(b.Read) == len(r.src.Plan.Files) {
		r.spare = append(r.spare, b.Read)
	}
}

// takeSpare returns the rows of a page that is not read any more, by file; nil rows if there is
// none. Rows that are left are still taken from the page read last.
func (r *Reader) takeSpare() []*format.Rows {
	for i, rows := range r.spare {
		if r.rows == nil || rows[0] != r.rows[0] {
			r.spare = slices.Delete(r.spare, i, i+1)
			return rows
		}
	}
	return make([]*format.Rows, len(r.src.Plan.Files))
}

// places finds where rows are: in the page read last, or else in blocks that
// must be read for them.
func (r *Reader) places(rows []int) (at, from []int) {
	if len(rows) == 0 {
		return nil, nil
	}
	l := &r.layout
	find := func(blocks []int, skip int) bool {
		at = at[:0]
		starts := map[int]int{}
		for _, b := range blocks {
			lo, hi := l.Span(b)
			starts[b] = skip - lo
			skip += hi - lo
		}
		for _, row := range rows {
			start, there := starts[l.Of(row)]
			if !there {
				return false
			}
			at = append(at, start+row)
		}
		return true
	}
	if r.rows != nil && find(r.blocks, len(r.left)) {
		return at, nil
	}
	for _, row := range rows {
		if b := l.Of(row); !slices.Contains(from, b) {
			from = append(from, b)
		}
	}
	find(from, 0)
	return at, from
}

// Errors are several mistakes as one error; its exit status is the first's.
type Errors []*problem.Error

func (e Errors) Error() string {
	text := ""
	for i, x := range e {
		if i > 0 {
			text += "\n"
		}
		text += x.Error()
	}
	return text
}

// Printable says that Error escapes names, as printable.Error asks.
func (e Errors) Printable() {}

// Exit is the program's exit status.
func (e Errors) Exit() int { return e[0].Exit() }
