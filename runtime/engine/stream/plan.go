package stream

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"os"

	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A Plan is what a run has to know of its streams: another process goes on with
// it as if it had made it.
type Plan struct {
	Dim    string // that the rows run along
	Layout batch.Layout
	Specs  []string // of --data, those that are read by rows
	Files  []File
	Dims   format.ByName[int]      // sizes that the rows have, the number of them among these
	Follow bool                    // rows may be appended during the run
	Labels format.ByName[[]string] // levels of dims that the words of columns are
	Levels []string                // specs of {levels}
	Gaps   Gaps                    // rows that were left out since entries are missing
	// of the files of --data, by their absolute paths: they need not be opened again
	Found []data.Found

	on disk.FS // see On
}

// On says on which file system the index and what is stored are; without it they are
// on the operating system's.
func (p *Plan) On(on disk.FS) { p.on = on }

func (p *Plan) disk() disk.FS { return disk.Or(p.on) }

// Probe is data.Probe, except for files that it found before.
func (p *Plan) Probe(path, kind string) (string, []string, []*problem.Error) {
	for i := range p.Found {
		if f := &p.Found[i]; f.Path == absolute(path) && f.Asked == kind {
			return f.Format, f.Fields, nil
		}
	}
	return format.Probe(path, kind)
}

// Options of a plan.
type Options struct {
	// sizes that are known, by --set and --names; the rows may not contradict them
	Given  map[string]int
	Labels map[string][]string // levels of dims that are known
	Levels []string            // specs of {levels}
	NA     string              // spec of {na}: which rows with missing entries are left out
	// inputs that are read whole; those without axes may bound the rows'
	Among  map[string]*array.Value
	Block  int    // rows of a block; 0: by their size in bytes
	Window int    // blocks of a window; 0: DefaultWindow
	Spool  string // the directory for the texts of compressed files
	Follow bool   // rows may be appended later
	// sparse inputs whose rows are gone through entry by entry: the most entries of a row are a
	// size
	Stored []string
	// refuses what the disk has no space for; nil: nobody asks
	Fits func(bytes float64, what string) error
	Disk disk.FS // where Spool is; nil: the operating system's
	// store the numbers of tables next to the run, so that later passes need not read text
	Cache bool
}

// DefaultWindow is how many blocks a window has. Three windows of a chain are in memory: the one
// that is used, and the next two.
const DefaultWindow = 16

// blockBytes is the size of a block, for files of total bytes: about 256 KiB,
// and more where the index would be large.
func blockBytes(total int64) int64 { return min(max(total>>16, 256<<10), 4<<20) }

// Make makes the plan of the files that a binder reads by rows. It reads every file once, and where
// entries or lengths of the rows decide a size that is not given, such as a vocabulary, it binds
// them all. Notes report the sizes that were found in this way. If Make fails it removes the files
// that it stored in the directory Spool.
func Make(
	s *data.Schema, b *data.RowBinder, dim string, o Options,
) (*Plan, []string, []*problem.Error) {
	p, errs := lay(s, b, dim, &o)
	if errs != nil {
		return nil, nil, errs
	}
	var notes []string
	for i := range p.Files {
		notes = append(notes, p.Files[i].notes...)
	}
	more, errs := p.discover(s, b, o)
	notes = append(notes, more...)
	if len(errs) > 0 {
		p.Unstore()
		return nil, notes, errs
	}
	return p, notes, nil
}

// lay makes a plan except for what the rows say of sizes.
func lay(
	s *data.Schema, b *data.RowBinder, dim string, o *Options,
) (p *Plan, errs []*problem.Error) {
	p = &Plan{Dim: dim, Layout: batch.Layout{Block: o.Block, Window: o.Window}, Specs: b.Specs(),
		Dims: map[string]int{}, Follow: o.Follow, Labels: o.Labels, Levels: o.Levels, on: o.Disk}
	if p.Layout.Window <= 0 {
		p.Layout.Window = DefaultWindow
	}
	for _, f := range b.Found {
		f.Path = absolute(f.Path)
		p.Found = append(p.Found, f)
	}
	defer func() {
		if len(errs) > 0 {
			p.Unstore()
		}
	}()
	for _, name := range b.Inputs {
		if in := s.Input(name); in != nil && in.Unknown {
			errs = append(errs,
				&problem.Error{Code: "D0159", Name: name, Decl: in.Place,
					Message: fmt.Sprintf("missing entries of %s are unknowns of the model, and "+
						"how many there are must be known of all rows at once", name),
					Notes: []string{"rows of a model whose data may be missing are read whole"}})
		}
	}
	for i, rows := range b.Files {
		f := File{RowText: format.RowText{File: rows.Path, Format: rows.Format, Base: -1},
			Path: rows.Path, At: absolute(rows.Path)}
		if _, packed := format.Unpacked(f.Path); o.Follow &&
			(packed || format.ByRows(f.Format).Counted() || format.ByRows(f.Format).FromColumns()) {
			errs = append(errs,
				f.fail(0, "D0159",
					"cannot be followed: rows are appended to a text of lines whose head does "+
						"not say how many there are"))
			continue
		}
		if err := f.spool(rows, *o, i); err != nil {
			errs = append(errs, err)
		}
		p.Files = append(p.Files, f)
	}
	if len(errs) > 0 {
		return p, errs
	}
	if p.Layout.Block <= 0 {
		p.Layout.Block = p.rowsOfBlock()
	}
	for i := range p.Files {
		if err := p.Files[i].scan(b.Files[i], p.Layout.Block, o.Follow, math.MaxInt); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return p, errs
	}
	p.Layout.Rows = p.rows()
	for i := range p.Files { // rows that are not in all files yet are left for later
		if f := &p.Files[i]; o.Follow && f.Rows > p.Layout.Rows {
			f.Blocks = nil
			if err := f.scan(b.Files[i], p.Layout.Block, true, p.Layout.Rows); err != nil {
				return p, []*problem.Error{err}
			}
		}
	}
	for i := range p.Files {
		if f, first := &p.Files[i], &p.Files[0]; f.Rows != first.Rows && !o.Follow {
			errs = append(errs,
				f.fail(0, "D0120",
					fmt.Sprintf("sizes disagree on %s: %d rows here, %d in %s", dim, f.Rows,
						first.Rows, first.Path)))
		}
	}
	if n, given := o.Given[dim]; given && n != p.Layout.Rows && len(errs) == 0 && !o.Follow {
		errs = append(errs, p.Files[0].fail(0, "D0120",
			fmt.Sprintf("sizes disagree on %s: %d are given, and the file has %d rows", dim, n,
				p.Layout.Rows)))
	}
	if len(errs) > 0 {
		return p, errs
	}
	if o.NA != "" {
		if errs := p.leaveGaps(s, b, o); errs != nil {
			return p, errs
		}
	}
	return p, p.cache(s, b, *o)
}

// Moved has the plan read the files, which are the same, from elsewhere: to gives the new
// place of a path, or of a spec with its path.
func (p *Plan) Moved(to func(string) string) {
	for i, s := range p.Specs {
		p.Specs[i] = to(s)
	}
	for i := range p.Files {
		f := &p.Files[i]
		f.File, f.Path, f.At, f.Print.Name = to(f.File), to(f.Path), to(f.At), to(f.Print.Name)
	}
	for i := range p.Found {
		p.Found[i].Path = to(p.Found[i].Path)
	}
}

func absolute(path string) string { return format.AbsolutePath(path) }

// rows are how many every file has.
func (p *Plan) rows() int {
	n := p.Files[0].Rows
	for i := range p.Files {
		n = min(n, p.Files[i].Rows)
	}
	return n
}

// rowsOfBlock is how many rows make blocks of about the right size, by the
// beginnings of the files.
func (p *Plan) rowsOfBlock() int {
	var total int64
	each := 0.0
	for i := range p.Files {
		f := &p.Files[i]
		if info, err := os.Stat(f.text()); err == nil {
			total += info.Size()
		}
		each += f.bytesPerRow()
	}
	return max(1, int(float64(blockBytes(total))/max(each, 1)))
}

// bytesPerRow is about the length of a row.
func (f *File) bytesPerRow() float64 {
	in, err := disk.OpenRegular(f.text())
	if err != nil {
		return 1
	}
	defer in.Close()
	head := make([]byte, roomOfLines)
	n, _ := io.ReadFull(in, head)
	if f.width > 0 {
		return float64(f.width)
	}
	s := format.NewRowScanner(f.Path, f.Format)
	at, number := 0, 0
	for rest := head[:n]; ; number++ {
		k := bytes.IndexByte(rest, '\n')
		if k < 0 {
			break
		}
		if s.Line(rest[:k], number+1) != nil {
			break
		}
		if s.InHead() {
			s.HeadEnds(head[:at+k+1])
		}
		rest, at = rest[k+1:], at+k+1
	}
	return float64(at) / float64(max(s.Rows, 1))
}

// fixed are the sizes of rows that are bound, which no row may contradict.
func (p *Plan) fixed(given map[string]int) map[string]int {
	out := maps.Clone(given)
	if out == nil {
		out = map[string]int{}
	}
	maps.Copy(out, p.Dims)
	return out
}

// Prints are the fingerprints of the files.
func (p *Plan) Prints() []format.Fingerprint {
	var out []format.Fingerprint
	for i := range p.Files {
		out = append(out, p.Files[i].Print)
	}
	return out
}

const planMagic = "SGROWS02"

// Marshal writes a plan, with a check sum.
func (p *Plan) Marshal() ([]byte, error) {
	b := bytes.NewBufferString(planMagic)
	if err := gob.NewEncoder(b).Encode(p); err != nil {
		return nil, err
	}
	return binary.LittleEndian.AppendUint32(b.Bytes(), crc32.Checksum(b.Bytes(), castagnoli)), nil
}

// Unmarshal reads what Marshal wrote.
func Unmarshal(b []byte) (*Plan, error) {
	n := len(b) - 4
	if n < len(planMagic) || string(b[:len(planMagic)]) != planMagic ||
		crc32.Checksum(b[:n], castagnoli) != binary.LittleEndian.Uint32(b[n:]) {
		return nil, &problem.Error{Code: "D0160",
			Message: "the index of the rows is damaged, or of another version"}
	}
	p := &Plan{}
	if err := gob.NewDecoder(bytes.NewReader(b[len(planMagic):n])).Decode(p); err != nil {
		return nil, &problem.Error{Code: "D0160",
			Message: "the index of the rows cannot be read: " + err.Error()}
	}
	if text := p.unsound(); text != "" {
		return nil, &problem.Error{Code: "D0160",
			Message: "the index of the rows is damaged: " + text}
	}
	return p, nil
}
