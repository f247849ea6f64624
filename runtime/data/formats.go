package data

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Format is a kind of file. The table Formats has one row each; a new
// format is a row and its reader.
type Format struct {
	Name    string
	Endings []string               // of file names, less .gz and .bz2
	Fields  string                 // what a FIELD is, in words
	Sniff   func(head []byte) bool // recognises files with another ending; may be nil
	Read    func(file string, r io.Reader) (*Table, []*Error)
}

// Formats lists what can be read.
var Formats = []Format{
	{Name: "json", Endings: []string{".json"}, Fields: "a key", Sniff: func(h []byte) bool { return begins(h, "{", "[") }, Read: readJSON},
	{Name: "csv", Endings: []string{".csv"}, Fields: "a column", Read: readCSV},
	{Name: "tsv", Endings: []string{".tsv", ".tab"}, Fields: "a column", Read: readTSV},
	{Name: "libsvm", Endings: []string{".libsvm", ".svm", ".svmlight"}, Fields: "label, features or features0", Sniff: sniffLibsvm, Read: readLibsvm},
	{Name: "npy", Endings: []string{".npy"}, Fields: "none", Sniff: func(h []byte) bool { return begins(h, "\x93NUMPY") }, Read: readNpy},
	{Name: "npz", Endings: []string{".npz"}, Fields: "a key", Read: readNpz},
	{Name: "idx", Endings: endingsIDX, Fields: "none, or unit: bytes divided by 255", Sniff: sniffIDX, Read: readIDX},
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
	{".gz", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{".bz2", func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
}

// ReadFile reads a file by its ending, or, when that says nothing, by its
// first bytes. The fingerprint is of the file as stored.
func ReadFile(path string) (*Table, []*Error) {
	t := newTable(path, "")
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t, []*Error{t.fail(0, 0, "D0101", "there is no such file")}
	case err != nil:
		return t, []*Error{t.fail(0, 0, "D0101", "cannot be opened: "+reason(err))}
	case info.IsDir():
		return t, []*Error{t.fail(0, 0, "D0102", "is a directory, and a file is expected")}
	}
	f, err := os.Open(path)
	if err != nil {
		return t, []*Error{t.fail(0, 0, "D0101", "cannot be opened: "+reason(err))}
	}
	defer f.Close()
	hash := sha256.New()
	raw := &counter{r: io.TeeReader(f, hash)}
	t, errs := read(path, raw)
	if len(errs) > 0 {
		return t, errs
	}
	if _, err := io.Copy(io.Discard, raw); err != nil {
		return t, []*Error{t.readError(0, err)}
	}
	t.Print = Fingerprint{Name: path, Bytes: raw.n, SHA256: hex.EncodeToString(hash.Sum(nil))}
	return t, nil
}

// read decompresses, finds the format and reads.
func read(path string, raw io.Reader) (*Table, []*Error) {
	t, name := newTable(path, ""), path
	in := bufio.NewReaderSize(raw, 1<<16)
	for _, c := range compressions {
		if !strings.EqualFold(filepath.Ext(name), c.ending) {
			continue
		}
		if _, err := in.Peek(1); err == io.EOF {
			return t, []*Error{t.fail(0, 0, "D0103", "is empty")}
		}
		r, err := c.open(in)
		if err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return t, []*Error{t.readError(0, err)}
		}
		name, in = strings.TrimSuffix(name, filepath.Ext(name)), bufio.NewReaderSize(r, 1<<16)
		break
	}
	head, err := in.Peek(4096)
	if len(head) == 0 {
		if err == io.EOF {
			return t, []*Error{t.fail(0, 0, "D0103", "is empty")}
		}
		return t, []*Error{t.readError(0, err)}
	}
	for _, f := range Formats {
		for _, ending := range f.Endings {
			if strings.EqualFold(filepath.Ext(name), ending) {
				return f.Read(path, in)
			}
		}
	}
	for _, f := range Formats {
		if f.Sniff != nil && f.Sniff(head) {
			return f.Read(path, in)
		}
	}
	e := t.fail(0, 0, "D0105", "its format is not known")
	if ending := filepath.Ext(name); ending != "" {
		e.Message = fmt.Sprintf("files ending in %s cannot be read", ending)
	}
	e.Notes = []string{"what can be read: " + supported() + "; .gz and .bz2 of any"}
	return t, []*Error{e}
}

// supported lists the formats with their endings.
func supported() string {
	parts := make([]string, len(Formats))
	for i, f := range Formats {
		parts[i] = f.Name + " (" + strings.Join(f.Endings, " ") + ")"
	}
	return list(parts)
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
