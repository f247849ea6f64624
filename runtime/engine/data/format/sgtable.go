package format

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A table of typed columns is what the program [SourceProgram] writes, and any other may:
// the magic, then frames. A frame is a byte that names its kind, the length of its body as
// an unsigned varint, and the body. docs/internals/table.md describes the bodies.
const tableMagic = "SGTABLE1"

// The frames of a table of typed columns.
const (
	frameColumns = 'C' // the names of the columns
	frameRows    = 'R' // some rows, a column after the other
	frameNote    = 'N' // a text for the user
	frameError   = 'X' // why the table ends before the last row
	frameEnd     = 'E' // how many rows there are, with a check sum behind the frame
)

// The kinds of a column in a frame of rows; they may differ from frame to frame.
const (
	kindMissing = 'm' // every entry is missing
	kindDouble  = 'd' // float64, NaN where missing
	kindInt     = 'i' // int64, with a bit for each that is missing
	kindText    = 't' // texts, each with its length plus 1, 0 where missing
	kindRefused = 'x' // for values that are neither numbers nor texts: the reason
)

// mostRows is how many rows a frame may have, and mostName how long a name may be.
const (
	mostRows = 1 << 16
	mostName = 1 << 16
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A sgTable is an open table of typed columns.
type sgTable struct {
	r       io.ReaderAt
	columns []Column
	rows    int
	frames  []rowFrame
	notes   []string
	digest  hash.Hash // of columns and rows
	bytes   int64     // of those
}

// print is the fingerprint of the columns and rows.
func (t *sgTable) print(name string) Fingerprint {
	return Fingerprint{Name: name, Bytes: t.bytes, SHA256: hex.EncodeToString(t.digest.Sum(nil))}
}

// A rowFrame is where the columns of some rows lie.
type rowFrame struct {
	at   int64
	size int
	rows int
}

var errCutOff = errors.New("the table is cut off")

// openTable reads a table of typed columns from its beginning to its end, and keeps where
// its rows are.
func openTable(r io.ReaderAt, size int64) (ColumnFile, error) {
	t := &sgTable{r: r, digest: sha256.New()}
	s := &tableScanner{t: t, in: bufio.NewReaderSize(io.NewSectionReader(r, 0, size), 1<<16),
		size: size}
	if err := s.scan(); err != nil {
		return nil, err
	}
	return t, nil
}

// A tableScanner goes over the frames of a table.
type tableScanner struct {
	t    *sgTable
	in   *bufio.Reader
	size int64 // of the whole
	at   int64
	sum  uint32
	body []byte
}

// take reads the next bytes into the buffer of bodies.
func (s *tableScanner) take(n int) error {
	if cap(s.body) < n {
		s.body = make([]byte, n)
	}
	s.body = s.body[:n]
	if _, err := io.ReadFull(s.in, s.body); err != nil {
		return cutOff(err)
	}
	s.at += int64(n)
	s.sum = crc32.Update(s.sum, castagnoli, s.body)
	return nil
}

func cutOff(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errCutOff
	}
	return err
}

// frame reads the kind of the next frame and its body.
func (s *tableScanner) frame() (kind byte, err error) {
	var head [1 + binary.MaxVarintLen64]byte
	n := 0
	for {
		c, err := s.in.ReadByte()
		if err != nil {
			return 0, cutOff(err)
		}
		head[n] = c
		if n++; n > 1 && c < 0x80 {
			break
		}
		if n == len(head) {
			return 0, errors.New("the table is damaged: the length of a frame has no end")
		}
	}
	s.at += int64(n)
	s.sum = crc32.Update(s.sum, castagnoli, head[:n])
	length, used := binary.Uvarint(head[1:n])
	if used <= 0 || length > uint64(s.size-s.at) {
		return 0, errCutOff
	}
	return head[0], s.take(int(length))
}

// scan reads all frames.
func (s *tableScanner) scan() error {
	if err := s.take(len(tableMagic)); err != nil || string(s.body) != tableMagic {
		return errors.New("the table does not begin with " + tableMagic)
	}
	for {
		start := s.at
		kind, err := s.frame()
		if err != nil {
			return err
		}
		if kind == frameColumns || kind == frameRows {
			s.t.digest.Write(s.body)
			s.t.bytes += int64(len(s.body))
		}
		if s.t.columns == nil && kind != frameColumns && kind != frameError && kind != frameNote {
			return errors.New("the table is damaged: its columns have no names")
		}
		switch kind {
		case frameColumns:
			err = s.t.named(s.body)
		case frameRows:
			err = s.t.add(s.body, s.at-int64(len(s.body)))
		case frameNote:
			s.t.notes = append(s.t.notes, string(s.body))
		case frameError:
			return sourceError(s.body)
		case frameEnd:
			return s.end()
		default:
			err = fmt.Errorf("the table is damaged: a frame at byte %d has the kind %q", start, kind)
		}
		if err != nil {
			return err
		}
	}
}

// end holds the rows against the last frame, and the bytes against the check sum.
func (s *tableScanner) end() error {
	n, used := binary.Uvarint(s.body)
	if used != len(s.body) || n != uint64(s.t.rows) {
		return fmt.Errorf("the table is damaged: it has %d rows, and its end says %d", s.t.rows, n)
	}
	want := s.sum
	if err := s.take(4); err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(s.body) != want {
		return errors.New("the table is damaged: its check sum does not agree")
	}
	if s.at != s.size {
		return errors.New("the table is damaged: bytes follow its end")
	}
	return nil
}

// named reads the names of the columns.
func (t *sgTable) named(body []byte) error {
	damaged := errors.New("the table is damaged: the names of its columns")
	if t.columns != nil {
		return damaged
	}
	n, used := binary.Uvarint(body)
	if body = body[max(used, 0):]; used <= 0 || n == 0 || n > uint64(len(body)) {
		return damaged
	}
	for range n {
		length, used := binary.Uvarint(body)
		if used <= 0 || length > mostName || length > uint64(len(body)-used) {
			return damaged
		}
		t.columns = append(t.columns, Column{Name: string(body[used : used+int(length)])})
		body = body[used+int(length):]
	}
	if len(body) > 0 {
		return damaged
	}
	return nil
}

// add takes a frame of rows.
func (t *sgTable) add(body []byte, at int64) error {
	chunks := tableChunks{body: body}
	rows, err := chunks.rows()
	if err != nil {
		return err
	}
	if rows > math.MaxInt-t.rows {
		return errors.New("the table is damaged: the number of its rows")
	}
	for k := range t.columns {
		c := &t.columns[k]
		kind, payload, err := chunks.next()
		if err != nil {
			return err
		}
		switch kind {
		case kindText:
			c.Text = true
		case kindRefused:
			if c.Problem == "" {
				c.Problem = string(payload)
			}
		}
	}
	if len(chunks.body) > 0 {
		return errors.New("the table is damaged: rows have more columns than names")
	}
	t.frames = append(t.frames, rowFrame{at: at, size: len(body), rows: rows})
	t.rows += rows
	return nil
}

// A tableChunks goes over the body of a frame of rows.
type tableChunks struct{ body []byte }

func (c *tableChunks) rows() (int, error) {
	n, used := binary.Uvarint(c.body)
	if used <= 0 || n == 0 || n > mostRows {
		return 0, errors.New("the table is damaged: the number of rows of a frame")
	}
	c.body = c.body[used:]
	return int(n), nil
}

func (c *tableChunks) next() (kind byte, payload []byte, err error) {
	if len(c.body) == 0 {
		return 0, nil, errors.New("the table is damaged: rows have fewer columns than names")
	}
	length, used := binary.Uvarint(c.body[1:])
	if used <= 0 || length > uint64(len(c.body)-1-used) {
		return 0, nil, errors.New("the table is damaged: a column is longer than its rows")
	}
	kind, payload = c.body[0], c.body[1+used:1+used+int(length)]
	c.body = c.body[1+used+int(length):]
	return kind, payload, nil
}

// Rows implements ColumnFile.
func (t *sgTable) Rows() int { return t.rows }

// Columns implements ColumnFile.
func (t *sgTable) Columns() []Column { return t.columns }

// Read implements ColumnFile.
func (t *sgTable) Read(columns []int, text func(k, row int, cell []byte) float64,
	take func(x [][]float64) error) error {
	const atOnce = 4096
	wanted := make(map[int]int, len(columns))
	for k, c := range columns {
		wanted[c] = k
	}
	x, some := make([][]float64, len(columns)), make([][]float64, len(columns))
	var body []byte
	first := 0
	for _, f := range t.frames {
		if cap(body) < f.size {
			body = make([]byte, f.size)
		}
		body = body[:f.size]
		if _, err := t.r.ReadAt(body, f.at); err != nil && err != io.EOF {
			return err
		}
		chunks := tableChunks{body: body}
		if n, err := chunks.rows(); err != nil || n != f.rows {
			return errors.New("the table changed while it was read")
		}
		for c := range t.columns {
			kind, payload, err := chunks.next()
			if err != nil {
				return err
			}
			k, is := wanted[c]
			if !is {
				continue
			}
			x[k] = slices.Grow(x[k][:0], f.rows)[:f.rows]
			cell := func(i int, b []byte) float64 { return text(k, first+i, b) }
			if err := t.fill(x[k], c, kind, payload, first, cell); err != nil {
				return err
			}
		}
		for lo := 0; lo < f.rows; lo += atOnce {
			for k := range x {
				some[k] = x[k][lo:min(lo+atOnce, f.rows)]
			}
			if err := take(some); err != nil {
				return err
			}
		}
		first += f.rows
	}
	return nil
}

// fill reads a column of a frame, whose first row is the first-th of the table.
func (t *sgTable) fill(x []float64, column int, kind byte, b []byte, first int,
	cell func(i int, b []byte) float64) error {
	name := t.columns[column].Name
	damaged := fmt.Errorf("the table is damaged: column %s", name)
	switch kind {
	case kindMissing:
		for i := range x {
			x[i] = math.NaN()
		}
		if len(b) > 0 {
			return damaged
		}
	case kindDouble:
		if len(b) != 8*len(x) {
			return damaged
		}
		for i := range x {
			if x[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])); x[i] != x[i] {
				x[i] = math.NaN() // other bits are those of a word
			}
		}
	case kindInt:
		bits := (len(x) + 7) / 8
		if len(b) != bits+8*len(x) {
			return damaged
		}
		for i := range x {
			n := int64(binary.LittleEndian.Uint64(b[bits+8*i:]))
			if x[i] = float64(n); n < -1<<53 || n > 1<<53 {
				return &problem.Error{Code: "D0106", Message: fmt.Sprintf(
					"%d is beyond 2^53, to which float64 counts (column %s, row %d)", n, name,
					first+i)}
			}
			if b[i/8]>>(i%8)&1 == 1 {
				x[i] = math.NaN()
			}
		}
	case kindText:
		for i := range x {
			length, used := binary.Uvarint(b)
			if used <= 0 || length > uint64(len(b)-used)+1 {
				return damaged
			}
			if b, x[i] = b[used:], math.NaN(); length > 0 {
				x[i], b = cell(i, b[:length-1]), b[length-1:]
			}
		}
		if len(b) > 0 {
			return damaged
		}
	default:
		return fmt.Errorf("the table is damaged: column %s has the kind %s", name,
			strconv.QuoteRune(rune(kind)))
	}
	return nil
}

// sourceError is what a frame of an error says. Names that a text of the user may have
// meant come with it.
func sourceError(body []byte) error {
	var said struct {
		Message string   `json:"message"`
		Notes   []string `json:"notes"`
		Unknown string   `json:"unknown"` // a name that is not there
		Known   []string `json:"known"`   // the names that are
	}
	if err := json.Unmarshal(body, &said); err != nil || said.Message == "" {
		return errors.New("the table is damaged: its error")
	}
	e := &problem.Error{Code: "D0169", Message: said.Message, Notes: said.Notes}
	if said.Unknown != "" {
		near := problem.DidYouMean(said.Unknown, said.Known)
		if near == nil && len(said.Known) > 0 {
			near = []string{"there is " + problem.Names(said.Known[:min(len(said.Known), 20)])}
		}
		e.Notes = append(near, e.Notes...)
	}
	return e
}
