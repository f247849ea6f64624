package stream

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"

	"github.com/sgppl/sgppl/runtime/data"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// scan makes the index of a file: blocks of so many selected rows each, the
// last with what is left besides. It reads the text once, and looks for the
// ends of lines alone. With follow, a row that has no end yet is left for later.
func (f *File) scan(rows *data.RowFile, block int, follow bool) *data.Error {
	if f.width > 0 {
		return f.scanCells(rows, block)
	}
	in, err := os.Open(f.text())
	if err != nil {
		return f.openError(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return f.openError(err)
	}
	whole := sha256.New()
	s := &scanner{f: f, rows: rows, block: block, follow: follow, in: newLines(io.TeeReader(in, whole)), scan: data.NewRowScanner(f.Path, f.Format)}
	s.scan.Text.Base = f.Base
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
		f.Print = data.Fingerprint{Name: f.Path, Bytes: f.Size, SHA256: hex.EncodeToString(whole.Sum(nil))}
	}
	return nil
}

// extend adds rows that were appended to the file, as far as they have an end.
func (f *File) extend(in *os.File, rows *data.RowFile, block int) *data.Error {
	info, err := in.Stat()
	switch {
	case err != nil:
		return f.openError(err)
	case info.Size() < f.Size:
		return f.changed(0, fmt.Sprintf("is %d bytes long, and was %d", info.Size(), f.Size))
	case info.Size() == f.Size:
		return nil
	}
	s := &scanner{f: f, rows: rows, block: block, follow: true, in: newLines(io.NewSectionReader(in, f.Size, info.Size()-f.Size)),
		scan: data.ContinueRowScanner(f.RowText, f.All), at: f.Size, line: f.Lines, begun: f.All, some: f.Rows}
	if n := len(f.Blocks); n > 0 {
		s.crc = f.Blocks[n-1].CRC
	}
	if e := s.run(); e != nil {
		return e
	}
	f.Size, f.Lines = s.at, s.line
	return nil
}

func (f *File) openError(err error) *data.Error {
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
	scan  *data.RowScanner

	follow bool
	kept   []byte // lines of a row that has no end yet

	at    int64 // offset behind the line taken last
	line  int
	head  []byte
	crc   uint32 // of the last block so far
	begun int    // rows of the file
	some  int    // those that are selected
}

func (s *scanner) run() *data.Error {
	kept := 0 // lines of it
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
		case s.follow && s.scan.Open():
			s.kept = append(s.kept, line...)
			kept++
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
	s.close()
	return nil
}

func (s *scanner) inHead(line []byte) *data.Error {
	s.head = append(s.head, line...)
	s.at += int64(len(line))
	_, e := s.scan.HeadEnds(s.head)
	return e
}

// begin counts rows up to so many in all, the last of which begin in the line
// at hand, and opens blocks for them.
func (s *scanner) begin(rows int) {
	for ; s.begun < rows; s.begun++ {
		n := len(s.f.Blocks)
		selected := s.rows.Selects(s.begun)
		if n == 0 || selected && s.f.Blocks[n-1].Rows == s.block {
			s.close()
			s.f.Blocks = append(s.f.Blocks, Block{Offset: s.at, Line: max(s.line, 1), First: s.begun})
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
	s.at += int64(len(line))
	if n := len(s.f.Blocks); n > 0 {
		s.crc = crc32.Update(s.crc, castagnoli, line)
		s.f.Blocks[n-1].Size += int64(len(line))
	}
}

// close ends the last block.
func (s *scanner) close() {
	if n := len(s.f.Blocks); n > 0 {
		s.f.Blocks[n-1].CRC = s.crc
	}
}
