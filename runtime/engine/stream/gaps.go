package stream

import (
	"maps"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// Gaps says how many of so many rows were left out since entries are missing, and in how many an
// input has some.
type Gaps struct {
	Rows, Of int
	By       format.ByName[int]
}

// leaveGaps reads all rows once and leaves out those with missing entries, as o.NA asks. The index
// of each file is then made again without them, so that whatever reads the plan counts the rows
// that are left.
func (p *Plan) leaveGaps(s *data.Schema, b *data.RowBinder, o *Options) (errs []*problem.Error) {
	gaps, err := b.Gaps(o.NA)
	if err != nil {
		return []*problem.Error{err}
	}
	gone := make([]data.RowSet, len(p.Files))
	left, errs := p.gaps(s, b, o, gaps, gone)
	if errs != nil || left == 0 {
		return errs
	}
	dropped, note, err := gaps.Dropped(o.NA, left, p.Layout.Rows)
	if err != nil {
		return []*problem.Error{err}
	}
	p.Gaps = Gaps{dropped.Rows, dropped.Of, dropped.By}
	for i := range p.Files {
		f := &p.Files[i]
		f.Gone, f.Blocks = gone[i], nil
		b.Files[i].LeaveOut(gone[i])
		was := f.Print
		if err := f.scan(b.Files[i], p.Layout.Block, false, 0); err != nil {
			return []*problem.Error{err}
		}
		if f.Print != was {
			return []*problem.Error{f.fail(0, "D0158", "changed while it was read")}
		}
	}
	p.Files[0].notes = append(p.Files[0].notes, note)
	p.Layout.Rows = p.rows()
	if _, given := o.Given[p.Dim]; given { // which was that of all rows
		o.Given = maps.Clone(o.Given)
		o.Given[p.Dim] = p.Layout.Rows
	}
	return nil
}

// gaps adds the rows that are left out to a set for each file, and counts them.
func (p *Plan) gaps(
	s *data.Schema, b *data.RowBinder, o *Options, gaps *data.Gaps, gone []data.RowSet,
) (left int, errs []*problem.Error) {
	src := &Source{Plan: p, schema: s, binder: b, among: o.Among}
	if errs := src.open(); errs != nil {
		return 0, errs
	}
	defer src.Close()
	b.Labels, b.Levels = p.Labels, p.Levels
	for at := 0; at < p.Layout.Blocks(); at += p.Layout.Window {
		var blocks []int
		for k := at; k < min(at+p.Layout.Window, p.Layout.Blocks()); k++ {
			blocks = append(blocks, k)
		}
		var rows []*format.Rows
		for file := range p.Files {
			some, errs := src.rowsOf(file, &p.Layout, blocks)
			if errs != nil {
				return 0, errs
			}
			rows = append(rows, some)
		}
		missing, errs := gaps.Find(rows)
		if errs != nil {
			return 0, errs
		}
		for i, is := range missing {
			if !is {
				continue
			}
			left++
			for file := range rows {
				gone[file].Add(rows[file].Number(i))
			}
		}
	}
	return left, nil
}

// leaveOut has a binder of the plan's files leave out the rows that the plan does.
func (p *Plan) leaveOut(b *data.RowBinder) {
	for i := range min(len(b.Files), len(p.Files)) {
		b.Files[i].LeaveOut(p.Files[i].Gone)
	}
}
