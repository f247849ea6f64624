package stream

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"

	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// scan makes the index of a file: blocks of so many selected rows each, the
// last with what is left besides. It reads the text once, and looks for the
// ends of lines alone. With follow, a row that has no end yet is left for later,
// as are selected rows beyond so many.
func (f *File) scan(rows *data.RowFile, block int, follow bool, most int) *problem.Error {
	if f.width > 0 {
		return f.scanCells(rows, block)
	}
	in, err := disk.OpenRegular(f.text())
	if err != nil {
		return f.openError(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return f.openError(err)
	}
	whole := sha256.New()
	s := &scanner{f: f, rows: rows, block: block, scan: format.NewRowScanner(f.Path, f.Format)}
	if s.scan.Text.Base = f.Base; follow { // the file may go on behind the rows
		s.follow, s.most, s.sum, s.in = true, most, whole, newLines(in)
	} else {
		s.in = newLines(io.TeeReader(in, whole))
	}
	if e := s.run(); e != nil {
		return e
	}
	f.Size, f.Lines = s.at, s.line
	after, err := in.Stat()
	if err != nil {
		return f.openError(err)
	}
	if !follow && (after.Size() != f.Size || !after.ModTime().Equal(info.ModTime())) {
		return f.fail(0, "D0158", "changed while it was read")
	}
	if f.Stored == "" {
		f.Modified = info.ModTime().UnixNano()
		f.Print = format.Fingerprint{Name: f.Path, Bytes: f.Size,
			SHA256: hex.EncodeToString(whole.Sum(nil))}
	}
	return nil
}

// extended is the file with the rows that were appended, as far as they have an
// end, up to so many selected rows in all. The file itself stays as it was.
func (f *File) extended(in disk.File, rows *data.RowFile, block, most int) (*File, *problem.Error) {
	info, err := in.Stat()
	switch {
	case err != nil:
		return nil, f.openError(err)
	case info.Size() < f.Size:
		return nil, f.changed(0, fmt.Sprintf("is %d bytes long, and was %d", info.Size(), f.Size))
	case info.Size() == f.Size || f.Rows >= most:
		return f, nil
	}
	g := *f
	g.Blocks = slices.Clone(f.Blocks)
	s := &scanner{f: &g, rows: rows, block: block, follow: true, most: most,
		in:   newLines(io.NewSectionReader(in, f.Size, info.Size()-f.Size)),
		scan: format.ContinueRowScanner(f.RowText, f.All), at: f.Size, line: f.Lines, begun: f.All,
		some: f.Rows}
	if n := len(f.Blocks); n > 0 {
		s.crc = f.Blocks[n-1].CRC
	}
	if e := s.run(); e != nil {
		return nil, e
	}
	g.Size, g.Lines = s.at, s.line
	return &g, nil
}

func (f *File) openError(err error) *problem.Error {
	if errors.Is(err, fs.ErrNotExist) {
		return f.fail(0, "D0101", "there is no such file")
	}
	return f.fail(0, "D0101", "cannot be opened: "+err.Error())
}

// A scanner goes over a text and parts it into blocks.
type scanner struct {
	f     *File
	rows  *data.RowFile
	block int
	in    *lines
	scan  *format.RowScanner

	follow bool
	most   int       // of rows that are selected, when the file is followed
	sum    hash.Hash // of what is taken; nil where nobody asks
	kept   []byte    // lines that end no row

	at    int64 // offset behind the line taken last
	line  int
	head  []byte
	crc   uint32 // of the last block so far
	begun int    // rows of the file
	some  int    // those that are selected
}

func (s *scanner) run() *problem.Error {
	kept := 0 // lines of them
reading:
	for {
		line, err := s.in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return s.f.fail(s.line, "D0104", "cannot be read to its end: "+err.Error())
		}
		whole := line[len(line)-1] == '\n'
		if s.follow && !whole {
			break
		}
		bare := line
		if whole {
			bare = line[:len(line)-1]
		}
		s.line++
		if e := s.scan.Line(bare, s.line); e != nil {
			return e
		}
		switch {
		case s.scan.InHead():
			if e := s.inHead(line); e != nil {
				return e
			}
		case s.follow && (s.scan.Open() || s.scan.Rows == s.begun):
			// The index ends after a complete row: later text may still change.
			if len(s.kept)+len(line) > mostOfLine {
				return s.f.fail(s.line-kept, "D0104",
					"cannot be followed: no row ends within 256 MiB from here on; is a quote left open?")
			}
			s.kept = append(s.kept, line...)
			kept++
		case s.follow && s.some >= s.most && s.rows.Selects(s.begun):
			s.line--
			break reading
		case kept > 0: // the row's lines go into one block
			s.line -= kept
			s.begin(s.scan.Rows)
			s.line += kept
			s.take(append(s.kept, line...))
			s.kept, kept = s.kept[:0], 0
		default:
			s.begin(s.scan.Rows)
			s.take(line)
		}
	}
	s.line -= kept
	if s.follow {
		if s.begun == 0 {
			return s.f.fail(0, "D0103", "holds no whole row yet")
		}
	} else {
		if e := s.scan.End(s.line); e != nil {
			return e
		}
		s.begin(s.scan.Rows) // documents without words behind the last entry
	}
	s.f.RowText, s.f.All, s.f.Rows = s.scan.Text, s.begun, s.some
	if e := s.rows.Check(s.begun, s.some); e != nil && !s.follow {
		return e
	}
	s.f.notes = s.scan.Notes()
	s.close()
	return nil
}

func (s *scanner) inHead(line []byte) *problem.Error {
	s.head = append(s.head, line...)
	s.passed(line)
	_, e := s.scan.HeadEnds(s.head)
	return e
}

// begin counts rows up to so many in all, the last of which begin in the current line, and opens
// blocks for them.
func (s *scanner) begin(rows int) {
	for ; s.begun < rows; s.begun++ {
		n := len(s.f.Blocks)
		selected := s.rows.Selects(s.begun)
		if n == 0 || selected && s.f.Blocks[n-1].Rows == s.block {
			s.close()
			s.f.Blocks = append(s.f.Blocks,
				Block{Offset: s.at, Line: max(s.line, 1), First: s.begun})
			s.crc, n = 0, n+1
		}
		b := &s.f.Blocks[n-1]
		b.All++
		if selected {
			b.Rows++
			s.some++
		}
	}
}

// take adds a line to the last block.
func (s *scanner) take(line []byte) {
	s.passed(line)
	if n := len(s.f.Blocks); n > 0 {
		s.crc = crc32.Update(s.crc, castagnoli, line)
		s.f.Blocks[n-1].Size += int64(len(line))
	}
}

// passed counts a line that is taken.
func (s *scanner) passed(line []byte) {
	s.at += int64(len(line))
	if s.sum != nil {
		s.sum.Write(line)
	}
}

// close ends the last block.
func (s *scanner) close() {
	if n := len(s.f.Blocks); n > 0 {
		s.f.Blocks[n-1].CRC = s.crc
	}
}
