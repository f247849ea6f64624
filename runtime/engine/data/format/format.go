// Package format reads files of data: a table of formats, a reader a file. The content of a file is
// a [Table] of named arrays; package data binds them to inputs.
package format

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A Format is a kind of file; a new one is a row of the table Formats and a reader.
type Format struct {
	Name    string
	Endings []string               // of file names, less .gz and .bz2
	Fields  string                 // what a FIELD is, in words
	Sniff   func(head []byte) bool // recognises files with another ending; may be nil
	// a format whose endings these files often have: Sniff and Prefix come first there
	Among  string
	Prefix string // of names of such files
	Read   func(file string, r io.Reader) (*Table, []*problem.Error)
	Rows   *Rowwise // how it is read by rows; nil where it is not
}

// Formats lists what can be read.
var Formats = []Format{
	{Name: "json", Endings: []string{".json"}, Fields: "a key",
		Sniff: func(h []byte) bool { return begins(h, "{", "[") && !sniffJSONLines(h) },
		Read:  readJSON},
	{Name: "jsonl", Endings: []string{".jsonl", ".ndjson"}, Fields: "a key", Sniff: sniffJSONLines,
		Among: "json", Read: readJSONLines, Rows: jsonRows},
	{Name: "csv", Endings: []string{".csv"}, Fields: "a column", Read: readCSV, Rows: tableRows},
	{Name: "tsv", Endings: []string{".tsv", ".tab"}, Fields: "a column", Read: readTSV,
		Rows: tableRows},
	{Name: "ldac", Endings: []string{".ldac", ".lda-c"},
		Fields: "tokens, counts, terms, repeats or lengths", Sniff: sniffLDAC, Among: "text",
		Read: readLDAC, Rows: ldacRows},
	{Name: "docword", Endings: []string{".docword"},
		Fields: "tokens, counts, terms, repeats or lengths", Sniff: sniffDocword, Among: "text",
		Prefix: "docword.", Read: readDocword, Rows: docwordRows},
	{Name: "libsvm", Endings: []string{".libsvm", ".svm", ".svmlight"},
		Fields: "label, features or features0", Sniff: sniffLibsvm, Read: readLibsvm,
		Rows: libsvmRows},
	{Name: "npy", Endings: []string{".npy"}, Fields: "none",
		Sniff: func(h []byte) bool { return begins(h, "\x93NUMPY") }, Read: readNpy},
	{Name: "npz", Endings: []string{".npz"}, Fields: "a key", Read: readNpz},
	{Name: "parquet", Endings: []string{".parquet", ".pq"}, Fields: "a column",
		Sniff: func(h []byte) bool { return bytes.HasPrefix(h, []byte("PAR1")) },
		Read:  readColumns("parquet"), Rows: columnRows},
	{Name: "sgtable", Endings: []string{".sgtable"}, Fields: "a column",
		Sniff: func(h []byte) bool { return bytes.HasPrefix(h, []byte(tableMagic)) },
		Read:  readColumns("sgtable"), Rows: columnRows},
	{Name: "arrow", Endings: []string{".arrow", ".arrows", ".feather", ".ipc"}, Fields: "a column",
		Sniff: func(h []byte) bool { return bytes.HasPrefix(h, []byte("ARROW1")) },
		Read:  readOutside("arrow"), Rows: columnRows},
	{Name: "sqlite", Endings: endingsSQLite, Fields: "a column",
		Sniff: func(h []byte) bool { return bytes.HasPrefix(h, []byte("SQLite format 3\x00")) },
		Read:  readOutside("sqlite"), Rows: columnRows},
	{Name: "idx", Endings: endingsIDX, Fields: "none, or unit: bytes divided by 255",
		Sniff: sniffIDX, Read: readIDX},
	{Name: "rdump", Endings: []string{".r", ".rdump"}, Fields: "a name", Sniff: sniffRDump,
		Among: "text", Read: readRDump},
	{Name: "text", Endings: []string{".txt", ".dat"}, Fields: "none", Read: readText},
}

func begins(head []byte, with ...string) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	for _, w := range with {
		if bytes.HasPrefix(head, []byte(w)) {
			return true
		}
	}
	return false
}

// compressions undo the ending of a file name.
var compressions = []struct {
	ending string
	open   func(r io.Reader) (io.Reader, error)
}{
	{".gz", openGzip},
	{".bz2", openBzip2},
}

// ReadFile reads a file by its ending, or, when that says nothing, by its
// first bytes. The fingerprint is of the file as stored.
func ReadFile(path string) (*Table, []*problem.Error) { return ReadFileAs(path, "") }

// ReadFileAs is ReadFile of a file in the format of that name; "" finds it.
func ReadFileAs(path, format string) (*Table, []*problem.Error) {
	if s, _, is := SourceOf(path); is {
		return readSource(s, path)
	}
	return readPath(path, func(raw io.Reader) (*Table, []*problem.Error) {
		return readAs(path, format, raw)
	})
}

// ReadUnprinted is ReadFileAs without the fingerprint, for which all of a file is read: of
// files that are known to be what they were.
func ReadUnprinted(path, format string) (*Table, []*problem.Error) {
	if s, _, is := SourceOf(path); is {
		return readSource(s, path)
	}
	return openPath(path, func(raw io.Reader) (*Table, []*problem.Error) {
		return readAs(path, format, raw)
	})
}

// readAs decompresses, finds the format and reads.
func readAs(path, format string, raw io.Reader) (*Table, []*problem.Error) {
	return decompress(path, raw, func(name string, in *bufio.Reader, _ bool) (*Table,
		[]*problem.Error) {
		f, err := formatOf(path, name, format, in)
		if err != nil {
			return NewTable(path, ""), []*problem.Error{err}
		}
		return f.Read(path, in)
	})
}

// readPath opens a file for parse, and takes its fingerprint.
func readPath(
	path string, parse func(raw io.Reader) (*Table, []*problem.Error),
) (*Table, []*problem.Error) {
	return openPath(path, func(f io.Reader) (*Table, []*problem.Error) {
		hash := sha256.New()
		raw := &counter{r: io.TeeReader(f, hash)}
		t, errs := parse(raw)
		if len(errs) > 0 {
			return t, errs
		}
		if _, err := io.Copy(io.Discard, raw); err != nil {
			return t, []*problem.Error{t.readError(0, err)}
		}
		if t.Print.SHA256 != "" {
			return t, nil // what is read of it has one
		}
		t.Print = Fingerprint{Name: path, Bytes: raw.n, SHA256: hex.EncodeToString(hash.Sum(nil))}
		return t, nil
	})
}

// openPath opens a file for parse.
func openPath(
	path string, parse func(raw io.Reader) (*Table, []*problem.Error),
) (*Table, []*problem.Error) {
	t := NewTable(path, "")
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e := t.Fail(0, 0, "D0101", "there is no such file")
		if strings.Contains(path, "://") {
			e.Notes = []string{"of databases can be read " + problem.Names([]string{
				"sqlite:FILE:TABLE", "postgres://…?table=NAME", "mysql://…?query=SELECT …"})}
		}
		return t, []*problem.Error{e}
	case err != nil:
		return t, []*problem.Error{t.Fail(0, 0, "D0101", "cannot be opened: "+reason(err))}
	case info.IsDir():
		return t, []*problem.Error{t.Fail(0, 0, "D0102", "is a directory, and a file is expected")}
	}
	f, err := disk.OpenInput(path)
	if err != nil {
		return t, []*problem.Error{t.Fail(0, 0, "D0101", "cannot be opened: "+reason(err))}
	}
	defer f.Close()
	return parse(f)
}

// decompress undoes the compression that the ending of the name tells, and UTF-16; parse
// is given the name without it.
func decompress(
	path string, raw io.Reader,
	parse func(name string, in *bufio.Reader, utf16 bool) (*Table, []*problem.Error),
) (*Table, []*problem.Error) {
	t, name := NewTable(path, ""), path
	in := bufio.NewReaderSize(raw, 1<<16)
	for _, c := range compressions {
		if !strings.EqualFold(filepath.Ext(name), c.ending) {
			continue
		}
		if _, err := in.Peek(1); err == io.EOF {
			return t, []*problem.Error{t.Fail(0, 0, "D0103", "is empty")}
		}
		r, err := c.open(in)
		if err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return t, []*problem.Error{t.readError(0, err)}
		}
		name, in = strings.TrimSuffix(name, filepath.Ext(name)), bufio.NewReaderSize(r, 1<<16)
		break
	}
	if _, err := in.Peek(1); err == io.EOF {
		return t, []*problem.Error{t.Fail(0, 0, "D0103", "is empty")}
	} else if err != nil {
		return t, []*problem.Error{t.readError(0, err)}
	}
	is, big := wide(in)
	var text io.Reader = in
	if is {
		text = &wideReader{in: in, big: big}
	}
	return parse(name, bufio.NewReaderSize(memory.Reader(text, reading), 1<<16), is)
}

// reading is the subject of the sentence that refuses a file for its size.
const reading = "reading it"

// formatOf finds the format of a file: the one that is asked for, else by the
// ending of its name, else by its first bytes.
func formatOf(path, name, format string, in *bufio.Reader) (*Format, *problem.Error) {
	if format != "" {
		for i := range Formats {
			if Formats[i].Name == format {
				return &Formats[i], nil
			}
		}
	}
	head, _ := in.Peek(headBytes) // an error comes up again when the file is read
	var ending, sniffed []*Format
	for i := range Formats {
		f := &Formats[i]
		ends := func(e string) bool { return strings.EqualFold(filepath.Ext(name), e) }
		if slices.ContainsFunc(f.Endings, ends) {
			ending = append(ending, f)
		}
		if f.Sniff != nil && f.Sniff(head) ||
			f.Prefix != "" && strings.HasPrefix(filepath.Base(name), f.Prefix) {
			sniffed = append(sniffed, f)
		}
	}
	if len(ending) > 0 {
		for _, f := range sniffed {
			if f.Among == ending[0].Name {
				return f, nil
			}
		}
		return ending[0], nil
	}
	e := &problem.Error{Code: "D0105", File: path}
	switch {
	case len(sniffed) == 1:
		return sniffed[0], nil
	case len(sniffed) > 1:
		var names []string
		for _, f := range sniffed {
			names = append(names, f.Name)
		}
		e.Message = "could be of several formats: " + problem.Names(names)
		e.Notes = []string{fmt.Sprintf("say which: %s:format=%s", path, names[0])}
		return nil, e
	}
	e.Message = "its format is not known"
	if ending := filepath.Ext(name); ending != "" {
		e.Message = fmt.Sprintf("files ending in %s cannot be read", ending)
	}
	e.Notes = []string{"what can be read: " + Supported() + "; .gz and .bz2 of any",
		"or say what it is: " + path + ":format=NAME"}
	return nil, e
}

// headBytes is the number of bytes at the start of a file from which its format is recognised.
const headBytes = 4096

// Supported lists the formats with their endings.
func Supported() string {
	parts := make([]string, len(Formats))
	for i, f := range Formats {
		parts[i] = f.Name + " (" + strings.Join(f.Endings, " ") + ")"
	}
	return problem.Names(parts)
}

// Names lists the names of the formats.
func Names() string {
	var names []string
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return problem.Names(names)
}

// reason is an error of the file system less the path, which is said already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

// A Fingerprint identifies the bytes of a file as stored (not decompressed).
type Fingerprint struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}
