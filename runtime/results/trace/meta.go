package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// arrayMeta is a .zarray.
type arrayMeta struct {
	Chunks     []int           `json:"chunks"`
	Compressor json.RawMessage `json:"compressor"`
	DType      DType           `json:"dtype"`
	FillValue  any             `json:"fill_value"`
	Filters    json.RawMessage `json:"filters"`
	Order      string          `json:"order"`
	Shape      []int           `json:"shape"`
	ZarrFormat int             `json:"zarr_format"`
}

var jsonNull = json.RawMessage("null")

func newArrayMeta(shape, chunks []int, t DType, fill any) arrayMeta {
	return arrayMeta{
		Chunks: chunks, Compressor: jsonNull, DType: t, FillValue: fill, Filters: jsonNull,
		Order: "C", Shape: shape, ZarrFormat: 2,
	}
}

// readable refuses the parts of Zarr that this package never writes.
func (m arrayMeta) readable() error {
	none := func(r json.RawMessage) bool { return len(r) == 0 || bytes.Equal(r, jsonNull) }
	switch {
	case m.ZarrFormat != 2:
		return fmt.Errorf("Zarr version %d instead of 2", m.ZarrFormat)
	case !none(m.Compressor) || !none(m.Filters):
		return errors.New("compressed chunks, which sgppl neither writes nor reads")
	case m.Order != "C":
		return fmt.Errorf("element order %q instead of C", m.Order)
	case m.DType != Float64 && m.DType != Int64 && m.DType != Int32 && m.DType != Bool &&
		m.DType.width() == 0:
		return fmt.Errorf("unknown element type %q", m.DType)
	case len(m.Chunks) != len(m.Shape):
		return errors.New("a chunk shape of another rank than the array")
	}
	for i, c := range m.Chunks {
		if c < 1 || m.Shape[i] < 0 || c > 1<<40 || m.Shape[i] > 1<<40 {
			return fmt.Errorf("an axis of size %d in chunks of %d", m.Shape[i], c)
		}
	}
	return nil
}

// encodeJSON writes ASCII alone: zarr-python 2 takes nothing else. Names of
// directories stay as they are, and match the keys once these are read.
func encodeJSON(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "    ")
	return append(ascii(b), '\n'), err
}

// ascii escapes the characters of a JSON text that are not ASCII, as \uXXXX, or as a surrogate pair
// above U+FFFF. Such characters occur only within strings.
func ascii(b []byte) []byte {
	out := make([]byte, 0, len(b)+1)
	for _, r := range string(b) {
		switch {
		case r < utf8.RuneSelf:
			out = append(out, byte(r))
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

const consolidated = ".zmetadata"

// writeMeta writes the metadata files of keys and then the consolidated file. Readers use only the
// consolidated file, so nothing changes for them before it is replaced.
func (s *Store) writeMeta(keys ...string) error {
	pieces, err := s.metaPieces(keys)
	if err != nil {
		return err
	}
	return s.share(pieces...)
}

// metaPieces returns the metadata files of keys, and behind them the consolidated file.
func (s *Store) metaPieces(keys []string) ([]piece, error) {
	var pieces []piece
	for _, k := range keys {
		b, err := encodeJSON(s.meta[k])
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, piece{path: k, data: b})
	}
	b, err := encodeJSON(map[string]any{"metadata": s.meta, "zarr_consolidated_format": 1})
	if err != nil {
		return nil, err
	}
	return append(pieces, piece{path: consolidated, data: b}), nil
}

// share writes files that all chains share. It syncs a file only if it replaces another, which an
// Appender may have reported as durable. It does not sync new files, since the first draw would
// have to wait for the disk.
func (s *Store) share(pieces ...piece) error {
	if s.adding != nil {
		s.adding.shared = append(s.adding.shared, pieces...)
		return nil
	}
	j := s.shared
	for i := range pieces {
		p := &pieces[i]
		if s.plain {
			_, err := s.fs.Lstat(s.path(p.path))
			p.sync = err == nil && p.path == consolidated
			continue
		}
		j.lock.Lock()
		_, p.sync = j.versions[p.path]
		j.lock.Unlock()
	}
	return j.write(s, 0, pieces...)
}

// loadMeta reads the consolidated metadata of a store.
func (s *Store) loadMeta() error {
	b, err := s.readFile(s.shared, consolidated, -1)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is not a store of draws: it has no %s: %w", s.dir, consolidated,
			fs.ErrNotExist)
	}
	if err != nil {
		return err
	}
	var file struct {
		Metadata map[string]json.RawMessage `json:"metadata"`
	}
	if err := json.Unmarshal(b, &file); err != nil {
		return fmt.Errorf("%s: %w: %v", s.path(consolidated), ErrCorrupt, err)
	}
	if file.Metadata[".zgroup"] == nil {
		return fmt.Errorf("%s: %w: it describes no group", s.path(consolidated), ErrCorrupt)
	}
	for key, raw := range file.Metadata {
		if !filepath.IsLocal(filepath.FromSlash(key)) {
			return fmt.Errorf("%s: %w: the key %.100q leads out of the store", s.path(consolidated),
				ErrCorrupt, key)
		}
		base := key[strings.LastIndexByte(key, '/')+1:]
		if base == ".zarray" {
			var m arrayMeta
			err = json.Unmarshal(raw, &m)
			if err == nil {
				err = m.readable()
			}
			s.meta[key] = m
		} else {
			var m map[string]any
			err = json.Unmarshal(raw, &m)
			s.meta[key] = m
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w: %v", s.path(consolidated), key, ErrCorrupt, err)
		}
	}
	return nil
}

// path is the file of a key, whose parts are separated by slashes.
func (s *Store) path(key string) string { return filepath.Join(s.dir, filepath.FromSlash(key)) }

// dims are the names of an array's axes.
func (s *Store) dims(array string) []string {
	attrs, _ := s.meta[array+"/.zattrs"].(map[string]any)
	switch d := attrs["_ARRAY_DIMENSIONS"].(type) {
	case []string:
		return d
	case []any:
		names := make([]string, 0, len(d))
		for _, x := range d {
			name, _ := x.(string)
			names = append(names, name)
		}
		return names
	}
	return nil
}
