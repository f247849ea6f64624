package stream

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// pickers is how many goroutines read scattered rows: so many reads may wait for the disk at a
// time.
const pickers = 8

// Some reads and binds rows, which are sorted and listed once each, wherever they are. The
// sizes of the bound data are those of these rows.
func (r *Reader) Some(rows []int) (*data.Bound, error) {
	p, s := r.src.Plan, r.src
	var files []*format.Rows
	for file := range p.Files {
		some, errs := r.some(file, rows)
		if errs != nil {
			return nil, Errors(errs)
		}
		files = append(files, some)
	}
	b, _, errs := s.binder.Bind(files, p.fixed(nil), s.among)
	if errs != nil {
		// A row that is read alone does not know its line: read whole blocks for the message.
		for _, k := range r.blocksOf(rows) {
			if _, err := s.Reader().Load(nil, []int{k}); err != nil {
				return nil, err
			}
		}
		return nil, Errors(errs)
	}
	return b, nil
}

// blocksOf are the blocks that rows lie in, which are sorted.
func (r *Reader) blocksOf(rows []int) (blocks []int) {
	for _, row := range rows {
		if k := r.layout.Of(row); len(blocks) == 0 || blocks[len(blocks)-1] != k {
			blocks = append(blocks, k)
		}
	}
	return blocks
}

// some reads rows of a file.
func (r *Reader) some(file int, rows []int) (*format.Rows, []*problem.Error) {
	s := r.src
	f, sel := &s.Plan.Files[file], s.binder.Files[file]
	n := len(rows)
	switch {
	case rows[n-1]-rows[0] == n-1: // one after another
		return r.take(file, rows, r.blocksOf(rows))
	case format.ByRows(f.Format).Counted(), f.Format == format.CellsFormat && !sel.All() &&
		!f.Picked:
		var out *format.Rows
		for _, k := range r.blocksOf(rows) {
			lo, hi := r.layout.Span(k)
			from, _ := slices.BinarySearch(rows, lo)
			to, _ := slices.BinarySearch(rows, hi)
			some, errs := r.take(file, rows[from:to], []int{k})
			if errs != nil {
				return nil, errs
			}
			if out == nil {
				out = some
			} else {
				out.Join(some)
			}
		}
		return out, nil
	}
	text, number, err := s.pick(file, r.layout.Block, rows)
	if err != nil {
		return nil, []*problem.Error{err}
	}
	some, errs := f.Read(format.Piece{Text: text, Line: 1, First: number[0], Rows: n})
	if errs != nil {
		for _, k := range r.blocksOf(rows) { // the message then has the line
			if _, errs := s.rowsOf(file, &r.layout, []int{k}); errs != nil {
				return nil, errs
			}
		}
		return nil, errs
	}
	some.Renumber(number)
	return some, nil
}

// take reads blocks whole, and takes rows of them.
func (r *Reader) take(file int, rows, blocks []int) (*format.Rows, []*problem.Error) {
	all, errs := r.src.rowsOf(file, &r.layout, blocks)
	if errs != nil {
		return nil, errs
	}
	if all.Len() == len(rows) {
		return all, nil
	}
	first, _ := r.layout.Span(blocks[0])
	keep := make([]int, len(rows))
	for i, row := range rows {
		keep[i] = row - first
	}
	return all.Take(keep), nil
}

// A piece is the text that is read at once for scattered rows: from one mark to the next.
type piece struct {
	block, mark int
	rows        []int // of the list
}

// pick reads the texts of rows, which are sorted, one after the other, and tells the
// numbers of the rows in the file.
func (s *Source) pick(file, block int, rows []int) (text []byte, number []int, err *problem.Error) {
	f := &s.Plan.Files[file]
	s.prepare()
	var pieces []piece
	for from := 0; from < len(rows); {
		k := min(rows[from]/block, len(f.Blocks)-1)
		m, err := s.marksOf(file, k)
		if err != nil {
			return nil, nil, err
		}
		i := (rows[from] - k*block) / m.rows
		end := k*block + (i+1)*m.rows // the first row behind
		if i == len(m.at)-1 {
			end = k*block + f.Blocks[k].Rows
		}
		to := from + 1
		for to < len(rows) && rows[to] < end {
			to++
		}
		pieces = append(pieces, piece{k, i, rows[from:to]})
		from = to
	}
	workers := min(pickers, 1+len(pieces)/16)
	texts, numbers, errs := make([][]byte, workers), make([][]int, workers),
		make([]*problem.Error, workers)
	var wait sync.WaitGroup
	var failed atomic.Bool
	for w := range workers {
		wait.Go(func() {
			var room []byte
			for i := len(pieces) * w / workers; i < len(pieces)*(w+1)/workers &&
				!failed.Load(); i++ {
				if room, errs[w] = s.readPiece(file, block, &pieces[i], room, &texts[w],
					&numbers[w]); errs[w] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, nil, err
		}
	}
	return slices.Concat(texts...), slices.Concat(numbers...), nil
}

// readPiece reads a piece, and appends the texts and the numbers of its rows.
func (s *Source) readPiece(
	file, block int, p *piece, room []byte, text *[]byte, number *[]int,
) ([]byte, *problem.Error) {
	f, sel := &s.Plan.Files[file], s.binder.Files[file]
	b, m := &f.Blocks[p.block], s.marked[file].blocks[p.block].Load()
	at := &m.at[p.mark]
	size := b.Size - int64(at.offset)
	if p.mark+1 < len(m.at) {
		size = int64(m.at[p.mark+1].offset - at.offset)
	}
	part := *b
	part.Offset, part.Size = b.Offset+int64(at.offset), size
	room, err := f.read(s.files[file], &part, room)
	if err != nil {
		return room, err
	}
	if crcOf(room) != at.crc {
		return room, f.differs(b)
	}
	first := p.block*block + p.mark*m.rows // the selected row that the piece begins with
	if f.Format == format.CellsFormat {
		width := int(b.Size) / b.All
		for _, row := range p.rows {
			k := row - first
			*text = append(*text, room[k*width:(k+1)*width]...)
			*number = append(*number, b.First+int(at.all)+k)
		}
		return room, nil
	}
	every := sel.All() || f.Picked
	all, row, next, begun := b.First+int(at.all), first, 0, -1
	end := func(offset int) {
		if begun >= 0 {
			*text = append(*text, room[begun:offset]...)
			if room[offset-1] != '\n' {
				*text = append(*text, '\n')
			}
			begun = -1
		}
	}
	s.marked[file].starts(room, func(offset int) {
		end(offset)
		if every || sel.Selects(all) {
			if next < len(p.rows) && row == p.rows[next] {
				begun = offset
				*number = append(*number, all)
				next++
			}
			row++
		}
		all++
	})
	end(len(room))
	return room, nil
}

// prepare allocates the marks.
func (s *Source) prepare() {
	s.marking.Do(func() {
		for i := range s.Plan.Files {
			s.marked = append(s.marked, newMarked(&s.Plan.Files[i]))
		}
	})
}
