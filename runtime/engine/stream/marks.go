package stream

import (
	"bytes"
	"sync/atomic"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// markBytes is about how many bytes lie between two marks; so many are read for one row. A test
// changes it.
var markBytes int64 = 4 << 10

// A marks has the offsets inside of a block from which its rows can be read. They are found when a
// row of the block is first read without the others.
type marks struct {
	rows int // selected rows from one mark to the next
	at   []mark
}

// A mark is a row that is selected, or the begin of the block.
type mark struct {
	offset uint32 // in the block
	all    uint32 // rows of the block before it
	crc    uint32 // of the text up to the next mark
}

// marked are the files' blocks with marks.
type marked struct {
	blocks []atomic.Pointer[marks]
	scan   format.RowScanner // behind the head
}

// newMarked prepares a file of which no block has marks yet.
func newMarked(f *File) *marked {
	m := &marked{blocks: make([]atomic.Pointer[marks], len(f.Blocks))}
	if f.Format != format.CellsFormat {
		m.scan = *format.ContinueRowScanner(f.RowText, 0)
	}
	return m
}

// starts calls do with the offset of every row that begins in a text.
func (m *marked) starts(text []byte, do func(offset int)) {
	scan := m.scan
	for at := 0; at < len(text); {
		end := len(text)
		line := text[at:]
		if k := bytes.IndexByte(line, '\n'); k >= 0 {
			line, end = line[:k], at+k+1
		}
		before := scan.Rows
		scan.Line(line, 1) // what is wrong with it was said when the index was made
		if scan.Rows > before {
			do(at)
		}
		at = end
	}
}

// mark finds the marks of a block from its text.
func (s *Source) mark(file int, b *Block, text []byte) *marks {
	f, sel := &s.Plan.Files[file], s.binder.Files[file]
	out := &marks{rows: max(1, int(markBytes/max(b.Size/int64(max(b.All, 1)), 1)))}
	if f.Format == format.CellsFormat {
		width := int(b.Size) / b.All
		for k := 0; k < b.All; k += out.rows {
			out.at = append(out.at, mark{offset: uint32(k * width), all: uint32(k)})
		}
	} else {
		every := sel.All() || f.Picked
		all, some := 0, 0
		s.marked[file].starts(text, func(offset int) {
			if every || sel.Selects(b.First+all) {
				switch {
				case some == 0:
					out.at = append(out.at, mark{}) // rows before it are passed over
				case some%out.rows == 0:
					out.at = append(out.at, mark{offset: uint32(offset), all: uint32(all)})
				}
				some++
			}
			all++
		})
		if all != b.All || some != b.Rows {
			return nil
		}
	}
	for i := range out.at {
		out.at[i].crc = crcOf(out.text(i, text))
	}
	return out
}

// text is what lies between mark i and the next, of the text of the block.
func (m *marks) text(i int, block []byte) []byte {
	if i+1 < len(m.at) {
		return block[m.at[i].offset:m.at[i+1].offset]
	}
	return block[m.at[i].offset:]
}

// marksOf are the marks of a block; they are found where they are not known yet.
func (s *Source) marksOf(file, block int) (*marks, *problem.Error) {
	at := &s.marked[file].blocks[block]
	if m := at.Load(); m != nil {
		return m, nil
	}
	f := &s.Plan.Files[file]
	b := &f.Blocks[block]
	text, err := f.read(s.files[file], b, nil)
	if err != nil {
		return nil, err
	}
	if crcOf(text) != b.CRC {
		return nil, f.differs(b)
	}
	m := s.mark(file, b, text)
	if m == nil {
		return nil, f.differs(b)
	}
	at.Store(m)
	return m, nil
}
