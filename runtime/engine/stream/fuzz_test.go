package stream

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"hash/crc32"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data"
)

// A streamed is a plan of a file in one of the formats, in a directory.
type streamed struct {
	schema *data.Schema
	raw    []byte
}

func plans(f testing.TB) []streamed {
	dir := place(f, 23)
	out := make([]streamed, 0, 5)
	for _, c := range []struct {
		schema *data.Schema
		dim    string
		specs  []string
		cache  bool
	}{{table, "N", []string{"q.csv"}, false},
		{sparse, "N", []string{"x=s.libsvm", "y=s.libsvm:label"}, false},
		{corpus, "D", []string{"w=c.ldac"}, false}, {bags, "D", []string{"c=c.docword"}, false},
		{columns, "N", []string{"p.parquet"}, true}} {
		for i, spec := range c.specs {
			if name, file, named := bytes.Cut([]byte(spec), []byte("=")); named {
				c.specs[i] = string(name) + "=" + filepath.Join(dir, string(file))
			} else {
				c.specs[i] = filepath.Join(dir, spec)
			}
		}
		b, errs := data.NewRowBinder(c.schema, c.specs, c.dim, probe)
		if errs != nil {
			f.Fatal(Errors(errs))
		}
		p, _, errs := Make(c.schema, b, c.dim,
			Options{Block: 5, Window: 2, Spool: filepath.Join(dir, "spool"), Cache: c.cache})
		if errs != nil {
			f.Fatal(Errors(errs))
		}
		raw, err := p.Marshal()
		if err != nil {
			f.Fatal(err)
		}
		out = append(out, streamed{c.schema, raw})
	}
	return out
}

// pages reads all rows by an index, or fails with an error.
func pages(t *testing.T, raw []byte, s *data.Schema) {
	p, err := Unmarshal(raw)
	if err != nil {
		return
	}
	if p.Layout.Blocks() > 1000 || len(p.Files) > 10 {
		return // more than the files hold
	}
	for i := range p.Files {
		if info, err := os.Stat(p.Files[i].text()); err == nil && !info.Mode().IsRegular() {
			return
		}
	}
	src, errs := Open(p, s, nil)
	if errs != nil {
		return
	}
	defer src.Close()
	r := src.reader()
	for k := range p.Layout.Blocks() {
		b, err := r.Load(nil, []int{k})
		if (b == nil) == (err == nil) {
			t.Fatal("neither data nor an error")
		}
	}
}

// FuzzIndex reads rows by an index whose bytes are anything, with the right
// check sum.
func FuzzIndex(f *testing.F) {
	all := plans(f)
	for i, p := range all {
		f.Add(uint8(i), p.raw[len(planMagic):len(p.raw)-4])
	}
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		raw := append([]byte(planMagic), body...)
		pages(t, binary.LittleEndian.AppendUint32(raw, crc32.Checksum(raw, castagnoli)),
			all[int(which)%len(all)].schema)
	})
}

// FuzzIndexNumbers reads rows by an index one or two numbers of which are wrong.
func FuzzIndexNumbers(f *testing.F) {
	all := plans(f)
	for i := range all {
		for field := range uint8(20) {
			f.Add(uint8(i), field, uint8(1), int64(-1), field+1, int64(1)<<40)
		}
	}
	// fewer rows than blocks have
	f.Add(uint8(4), uint8(0), uint8('w'), int64(41), uint8(2), int64(1)<<40)
	f.Fuzz(func(t *testing.T, which, field, block uint8, value int64, other uint8, second int64) {
		s := all[int(which)%len(all)]
		p, err := Unmarshal(s.raw)
		if err != nil {
			t.Fatal(err)
		}
		set(p, field, int(block), value)
		set(p, other, int(block), second)
		raw, err := p.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		pages(t, raw, s.schema)
	})
}

// set changes one number of a plan.
func set(p *Plan, field uint8, block int, value int64) {
	file := &p.Files[block%len(p.Files)]
	if len(file.Blocks) == 0 {
		return // by the first of the two numbers
	}
	b := &file.Blocks[block%len(file.Blocks)]
	n := int(value)
	switch field % 18 {
	case 0:
		p.Layout.Rows = n
	case 1:
		p.Layout.Block = n
	case 2:
		p.Layout.Window = n
	case 3:
		p.Dims[p.Dim] = n
	case 4:
		for name := range p.Dims {
			p.Dims[name] = n
		}
	case 5:
		file.Base = n
	case 6:
		file.Totals[block%3] = value
	case 7:
		file.Size = value
	case 8:
		file.Lines = n
	case 9:
		file.All = n
	case 10:
		file.Rows = n
	case 11:
		file.Blocks = file.Blocks[:block%len(file.Blocks)]
	case 12:
		b.Offset = value
	case 13:
		b.Size = value
	case 14:
		b.Line = n
	case 15:
		b.First = n
	case 16:
		b.All = n
	case 17:
		b.Rows = n
	}
}

// TestNoPlainMaps: no part of an index is a plain map, whose size gob believes.
func TestNoPlainMaps(t *testing.T) {
	var plain func(t reflect.Type) string
	plain = func(t reflect.Type) string {
		if t.Implements(reflect.TypeFor[gob.GobEncoder]()) {
			return ""
		}
		switch t.Kind() {
		case reflect.Map:
			return t.String()
		case reflect.Pointer, reflect.Slice, reflect.Array:
			return plain(t.Elem())
		case reflect.Struct:
			for f := range t.Fields() {
				if text := plain(f.Type); text != "" && f.IsExported() {
					return f.Name + ": " + text
				}
			}
		}
		return ""
	}
	if text := plain(reflect.TypeFor[Plan]()); text != "" {
		t.Error(text)
	}
	if plain(reflect.TypeFor[struct{ A []map[string]int }]()) == "" {
		t.Error("a plain map is not found")
	}
}
