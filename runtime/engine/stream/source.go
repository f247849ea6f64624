package stream

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A Source reads the rows of a plan. It may be shared by many readers.
type Source struct {
	Plan   *Plan
	schema *data.Schema
	binder *data.RowBinder
	among  map[string]*array.Value
	files  []disk.File

	marking sync.Once // allocates the marks
	marked  []*marked // of each file, see pick

	growing sync.Mutex // held by who looks for rows that were appended
	lock    sync.Mutex // of the layout, and of the blocks and sizes of files, which grow then
	path    string     // of the index in the run directory; "" where it does not grow
}

// Open opens the files of a plan, and holds them against it: a file that was
// written since, or is another, is read once more, and must have the bytes it
// had.
func Open(p *Plan, s *data.Schema, among map[string]*array.Value) (*Source, []*problem.Error) {
	b, errs := data.NewRowBinder(s, p.Specs, p.Dim, p.Probe)
	if errs != nil {
		return nil, errs
	}
	b.Labels, b.Levels = p.Labels, p.Levels
	p.leaveOut(b)
	src := &Source{Plan: p, schema: s, binder: b, among: among}
	if len(b.Files) != len(p.Files) {
		return nil, []*problem.Error{{Code: "D0160",
			Message: "the index of the rows is of other files"}}
	}
	if errs := src.open(); errs != nil {
		return nil, errs
	}
	for i := range p.Files {
		if err := p.Files[i].same(src.files[i], p.Follow); err != nil {
			errs = append(errs, err)
		}
	}
	if errs != nil {
		src.Close()
		return nil, errs
	}
	return src, nil
}

// OpenFile opens the files of a plan that was written to a file.
func OpenFile(index string, s *data.Schema, among map[string]*array.Value) (*Source, error) {
	b, err := disk.ReadInput(index)
	if err != nil {
		return nil, &problem.Error{Code: "D0160",
			Message: "the index of the rows cannot be read: " + err.Error()}
	}
	p, err := Unmarshal(b)
	if err != nil {
		return nil, err
	}
	src, errs := Open(p, s, among)
	if errs != nil {
		return nil, Errors(errs)
	}
	src.path = index
	return src, nil
}

func (s *Source) open() []*problem.Error {
	for i := range s.Plan.Files {
		f := &s.Plan.Files[i]
		file, err := s.Plan.openFile(f)
		if err != nil {
			s.Close()
			if f.Stored != "" && errors.Is(err, fs.ErrNotExist) {
				return []*problem.Error{{Code: "D0160",
					Message: fmt.Sprintf("the text of %s, which was stored as %s, is gone", f.Path,
						f.Stored)}}
			}
			if f.Stored != "" {
				return []*problem.Error{{Code: "D0160",
					Message: fmt.Sprintf("the text of %s, which was stored as %s, cannot be opened: %v", f.Path,
						f.Stored, disk.Cause(err))}}
			}
			return []*problem.Error{f.openError(err)}
		}
		s.files = append(s.files, file)
	}
	return nil
}

// openFile opens the stored rows of a file, or the file itself if none are stored.
func (p *Plan) openFile(f *File) (disk.File, error) {
	if f.Stored == "" {
		in, err := disk.OpenRegular(f.At)
		if err != nil {
			return nil, err // not a File that holds nil
		}
		return in, nil
	}
	info, err := p.disk().Lstat(f.Stored)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("is not a regular file")
	}
	return disk.Open(p.disk(), f.Stored)
}

// Close closes the files.
func (s *Source) Close() {
	for _, f := range s.files {
		f.Close()
	}
	s.files = nil
}

// Layout implements model.Source.
func (s *Source) Layout() (rows, block, window int) {
	l := s.layout()
	return l.Rows, l.Block, l.Window
}

func (s *Source) layout() batch.Layout {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.Plan.Layout
}

// Sizes implements model.Source.
func (s *Source) Sizes() map[string]int { return s.Plan.Dims }

// Pager implements model.Source.
func (s *Source) Pager() model.Pager { return s.reader() }

// Inputs are those that are read by rows.
func (s *Source) Inputs() []string { return s.binder.Inputs }

// same holds a file against its index.
func (f *File) same(in disk.File, follow bool) *problem.Error {
	info, err := in.Stat()
	if err != nil {
		return f.openError(err)
	}
	if follow && info.Size() >= f.Size {
		return nil // its blocks are checked as they are read
	}
	if info.Size() != f.Size {
		return f.changed(0, fmt.Sprintf("is %d bytes long, and was %d", info.Size(), f.Size))
	}
	if f.Stored != "" {
		return f.original() // what is stored is checked as it is read
	}
	if info.ModTime().UnixNano() == f.Modified {
		return nil
	}
	sum := newSum(in)
	if _, err := io.Copy(io.Discard, sum); err != nil {
		return f.fail(0, "D0104", "cannot be read to its end: "+err.Error())
	}
	if sum.print(f.Path) == f.Print {
		return nil
	}
	for i := range f.Blocks {
		b := &f.Blocks[i]
		if text, err := f.read(in, b, nil); err != nil {
			return err
		} else if crcOf(text) != b.CRC {
			return f.differs(b)
		}
	}
	return f.changed(1, "has another head")
}

// original holds the file of which something is stored against its fingerprint.
// One that is gone is not missed.
func (f *File) original() *problem.Error {
	in, err := disk.OpenRegular(f.At)
	if err != nil {
		return nil
	}
	defer in.Close()
	if info, err := in.Stat(); err == nil && info.ModTime().UnixNano() == f.Modified &&
		info.Size() == f.Print.Bytes {
		return nil
	}
	sum := newSum(in)
	if _, err := io.Copy(io.Discard, sum); err != nil {
		return f.fail(0, "D0104", "cannot be read to its end: "+err.Error())
	}
	if sum.print(f.Path) != f.Print {
		e := f.fail(0, "D0158", "changed since the run began, which stored what it held")
		e.Notes = []string{setting.Text("put the file back as it was; {resume} then goes on")}
		return e
	}
	return nil
}

func (f *File) changed(line int, what string) *problem.Error {
	if f.Stored != "" {
		return &problem.Error{Code: "D0160", File: f.Stored,
			Message: fmt.Sprintf("what is stored of %s is damaged: it %s", f.Path, what),
			Notes:   []string{setting.Text("remove it; {resume} stores it again")}}
	}
	return f.fail(line, "D0158", "changed since the run began: it "+what,
		setting.Text("put the file back as it was; {resume} then goes on"))
}

func (f *File) differs(b *Block) *problem.Error {
	return f.changed(b.Line, fmt.Sprintf("has other bytes where %s were", b.place()))
}

// read reads the text of a block, into the buffer room if it is large enough.
func (f *File) read(in disk.File, b *Block, room []byte) ([]byte, *problem.Error) {
	room = slices.Grow(room[:0], int(b.Size))[:b.Size]
	n, err := in.ReadAt(room, b.Offset)
	if n == len(room) {
		return room, nil
	}
	if err == io.EOF {
		return nil, f.changed(b.Line, fmt.Sprintf("ends where %s were", b.place()))
	}
	return nil, f.fail(b.Line, "D0104", fmt.Sprintf("%s cannot be read: %v", b.place(), err))
}

// Grow looks for rows that were appended, and tells how many there are now. They
// count from when they were read and bound: of a mistake in one of them nothing
// is kept but the error, and once it is mended they are looked for again. The
// index in the run directory is written anew where there are more.
func (s *Source) Grow() (int, error) {
	s.growing.Lock()
	defer s.growing.Unlock()
	p := s.Plan
	if !p.Follow {
		return p.Layout.Rows, nil
	}
	grown, err := s.appended()
	if err != nil {
		return 0, err
	}
	n := grown.Layout.Rows
	if n == p.Layout.Rows {
		return n, nil
	}
	if err := s.verify(grown); err != nil {
		return 0, err
	}
	s.lock.Lock()
	for i := range p.Files { // the rest of a file is read without the lock, and stays
		f, g := &p.Files[i], &grown.Files[i]
		f.Size, f.Lines, f.All, f.Rows, f.Blocks = g.Size, g.Lines, g.All, g.Rows, g.Blocks
	}
	p.Layout.Rows = n
	s.lock.Unlock()
	if s.path == "" {
		return n, nil
	}
	b, err := p.Marshal()
	if err == nil {
		err = disk.WriteFile(p.disk(), s.path, b)
	}
	if err != nil {
		return 0, &problem.Error{Code: "D0161",
			Message: fmt.Sprintf("the index of the rows cannot be written: %v", err)}
	}
	return n, nil
}

// appended is the plan with the rows that were appended to all files.
func (s *Source) appended() (*Plan, error) {
	p := s.Plan
	grown := *p
	grown.Files = slices.Clone(p.Files)
	extend := func(i, most int) error {
		f, err := p.Files[i].extended(s.files[i], s.binder.Files[i], p.Layout.Block, most)
		if err != nil {
			return Errors{err}
		}
		grown.Files[i] = *f
		return nil
	}
	for i := range p.Files {
		if err := extend(i, math.MaxInt); err != nil {
			return nil, err
		}
	}
	n := grown.rows()
	for i := range p.Files { // a row that others have not yet may still change
		if grown.Files[i].Rows > n {
			if err := extend(i, n); err != nil {
				return nil, err
			}
		}
	}
	grown.Layout.Rows = n
	return &grown, nil
}

// verify binds the rows by which a plan has more than the source's.
func (s *Source) verify(grown *Plan) error {
	l := &grown.Layout
	src := &Source{Plan: grown, schema: s.schema, binder: s.binder, among: s.among, files: s.files}
	r := src.reader()
	for k := l.Of(s.Plan.Layout.Rows); k < l.Blocks(); k++ {
		if _, err := r.Load(nil, []int{k}); err != nil {
			return err
		}
	}
	return nil
}

// Grows implements model.Source.
func (s *Source) Grows() bool { return s.Plan.Follow }

// Keep says where the index is to be kept up.
func (s *Source) Keep(path string) { s.path = path }

// parts are the entries of the index that blocks of a layout have.
func (s *Source) parts(f *File, l *batch.Layout, blocks []int) (parts []Block, rows []int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, k := range blocks {
		lo, hi := l.Span(k)
		rows = append(rows, hi-lo)
		// the last block has what is left besides
		parts = append(parts, f.Blocks[k:(hi+l.Block-1)/l.Block]...)
	}
	return parts, rows
}

// rowsOf reads, and checks, the selected rows of some blocks of a file.
func (s *Source) rowsOf(file int, l *batch.Layout, blocks []int) (*format.Rows, []*problem.Error) {
	f, sel := &s.Plan.Files[file], s.binder.Files[file]
	parts, wanted := s.parts(f, l, blocks)
	if s.placed(file) {
		var room []byte
		rows, err := s.cellsOf(f, s.files[file], parts, wanted, 0, nil, &room)
		if err != nil {
			return nil, []*problem.Error{err}
		}
		return rows, nil
	}
	rows, errs := make([]*format.Rows, len(parts)), make([][]*problem.Error, len(parts))
	each(parts, shareOfText, new([]byte), func(i int, room []byte) []byte {
		room, rows[i], errs[i] = s.block(f, sel, s.files[file], &parts[i], room)
		return room
	})
	for _, e := range errs {
		if e != nil {
			return nil, e
		}
	}
	at := 0
	for _, n := range wanted { // rows that were appended since the layout was made are left out
		have := 0
		for have < n {
			have += rows[at].Len()
			if at++; have > n {
				keep := make([]int, rows[at-1].Len()-(have-n))
				for i := range keep {
					keep[i] = i
				}
				rows[at-1], have = rows[at-1].Take(keep), n
			}
		}
	}
	rows[0].Join(rows[1:]...)
	return rows[0], nil
}

// Bytes that are worth a goroutine: as much time as it takes to wake another processor, and more.
// A page is read beside the steps of a chain, whose processor helps where the chain waits for it.
const (
	shareOfText    = 64 << 10
	shareOfNumbers = 1 << 20
)

// each calls f for every block, on all processors if each has a share of the bytes; f gets a
// buffer, and returns it for the next call. One processor alone takes the buffer kept, and leaves
// the last one there.
func each(parts []Block, share int64, kept *[]byte, f func(i int, room []byte) []byte) {
	n, bytes := len(parts), int64(0)
	for i := range parts {
		bytes += parts[i].Size
	}
	workers := min(n, runtime.GOMAXPROCS(0), 1+int(bytes/share))
	if workers == 1 {
		for i := range parts {
			*kept = f(i, *kept)
		}
		return
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			var room []byte
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				room = f(i, room)
			}
		})
	}
	wait.Wait()
}

// placed reports whether the rows of a file are stored numbers, all of which are selected.
func (s *Source) placed(file int) bool {
	f := &s.Plan.Files[file]
	return f.Format == format.CellsFormat && (s.binder.Files[file].All() || f.Picked)
}

// cellsOf is rowsOf of stored numbers, which are read to their place behind so many other rows. Old
// rows, if there are any, are overwritten. room is a buffer for blocks, which each keeps.
func (s *Source) cellsOf(
	f *File, in disk.File, parts []Block, wanted []int, behind int, old *format.Rows, room *[]byte,
) (*format.Rows, *problem.Error) {
	total := 0
	for _, n := range wanted {
		total += n
	}
	starts, n := make([]int, len(parts)), 0
	for i := range parts {
		starts[i] = behind + n
		n += parts[i].Rows
	}
	if n != total {
		return nil, &problem.Error{Code: "D0160",
			Message: fmt.Sprintf("the index of the rows is damaged: blocks of %d rows have %d",
				total, n)}
	}
	rows, err := f.Room(behind+total, old)
	if err != nil {
		return nil, err
	}
	errs := make([]*problem.Error, len(parts))
	each(parts, shareOfNumbers, room, func(i int, room []byte) []byte {
		b := &parts[i]
		if room, errs[i] = f.read(in, b, room); errs[i] != nil {
			return room
		}
		if crcOf(room) != b.CRC {
			errs[i] = f.differs(b)
			return room
		}
		errs[i] = rows.Fill(starts[i], format.Piece{Text: room, First: b.First, Rows: b.Rows})
		return room
	})
	for _, e := range errs {
		if e != nil {
			return nil, e
		}
	}
	return rows, nil
}

func (s *Source) block(
	f *File, sel *data.RowFile, in disk.File, b *Block, room []byte,
) ([]byte, *format.Rows, []*problem.Error) {
	room, err := f.read(in, b, room)
	if err != nil {
		return nil, nil, []*problem.Error{err}
	}
	if crcOf(room) != b.CRC {
		return nil, nil, []*problem.Error{f.differs(b)}
	}
	rows, errs := f.Read(format.Piece{Text: room, Line: b.Line, First: b.First, Rows: b.All})
	if errs != nil || sel.All() || f.Picked {
		return room, rows, errs
	}
	keep := make([]int, 0, b.Rows)
	for i := range b.All {
		if sel.Selects(b.First + i) {
			keep = append(keep, i)
		}
	}
	return room, rows.Take(keep), nil
}

// A sum computes the fingerprint of the bytes that are read through it, and counts them.
type sum struct {
	r io.Reader
	h hash.Hash
	n int64
}

func newSum(r io.Reader) *sum { return &sum{r: r, h: sha256.New()} }

func (s *sum) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	s.h.Write(b[:n])
	s.n += int64(n)
	return n, err
}

func (s *sum) print(path string) format.Fingerprint {
	return format.Fingerprint{Name: path, Bytes: s.n, SHA256: hex.EncodeToString(s.h.Sum(nil))}
}
