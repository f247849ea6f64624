package parquet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"math"
	"math/bits"
)

// A page has the head of a page.
type page struct {
	kind, packed, size      int64 // bytes as stored, and as they are
	values, encoding, nulls int64
	levels                  int64 // of version 2: bytes of both kinds, before the values, not compressed
	repetition              int64
	plain                   bool // of version 2: the values are not compressed
}

// Kinds of pages, and encodings.
const (
	dataPage       = 0
	dictionaryPage = 2
	dataPage2      = 3

	encodingPlain      = 0
	encodingDictionary = 2
	encodingRLE        = 3
	encodingDelta      = 5
	encodingRLEDict    = 8
	encodingSplit      = 9
)

// mostPage bounds a page.
const mostPage = 1 << 30

func pageHead(c *compact) page {
	var p page
	v1 := func(to map[int]*int64) func(int, byte) bool {
		return func(id int, kind byte) bool {
			x := to[id]
			if x == nil || kind != thriftI32 {
				return false
			}
			*x = c.int()
			return true
		}
	}
	c.fields(func(id int, kind byte) bool {
		switch {
		case id == 1 && kind == thriftI32:
			p.kind = c.int()
		case id == 2 && kind == thriftI32:
			p.size = c.int()
		case id == 3 && kind == thriftI32:
			p.packed = c.int()
		case id == 5 && kind == thriftStruct, id == 7 && kind == thriftStruct:
			c.fields(v1(map[int]*int64{1: &p.values, 2: &p.encoding}))
		case id == 8 && kind == thriftStruct:
			var definition int64
			fields := v1(map[int]*int64{1: &p.values, 2: &p.nulls, 4: &p.encoding, 5: &definition, 6: &p.repetition})
			c.fields(func(id int, kind byte) bool {
				if id == 7 && (kind == thriftTrue || kind == thriftFalse) {
					p.plain = kind == thriftFalse
					return true
				}
				return fields(id, kind)
			})
			p.levels = definition
		default:
			return false
		}
		return true
	})
	if p.size < 0 || p.packed < 0 || p.size > mostPage || p.packed > mostPage || p.values < 0 || p.values > math.MaxInt32 {
		fail("the file is damaged: a page of %d bytes and %d values", p.size, p.values)
	}
	return p
}

// Read reads a column of a row group: as many numbers as it has rows, NaN where
// one is missing.
func (f *File) Read(group, column int) (out []float64, err error) {
	defer caught(&err)
	col, k := &f.Columns[column], &f.chunks[group][column]
	if col.Problem != "" {
		fail("column %s %s", col.Name, col.Problem)
	}
	b := make([]byte, k.size)
	if _, err := f.r.ReadAt(b, k.offset); err != nil {
		return nil, err
	}
	rows := f.Groups[group]
	out = make([]float64, 0, min(rows, 1<<20)) // a damaged file may say any number
	var dictionary []float64
	for at := 0; len(out) < rows; {
		if at >= len(b) {
			fail("column %s ends after %d of %d rows", col.Name, len(out), rows)
		}
		c := &compact{b: b[at:]}
		p := pageHead(c)
		at += c.at
		if p.packed > int64(len(b)-at) {
			fail("the file is damaged: a page of column %s is longer than it", col.Name)
		}
		body := b[at : at+int(p.packed)]
		at += len(body)
		switch p.kind {
		case dictionaryPage:
			dictionary = plainValues(nil, col, decompress(k.codec, body, int(p.size)), int(p.values))
		case dataPage, dataPage2:
			if int(p.values) > rows-len(out) {
				fail("column %s has more values than its row group rows", col.Name)
			}
			out = pageValues(out, col, k.codec, &p, body, dictionary)
		}
	}
	if len(out) != rows {
		fail("column %s has %d values, its row group %d rows", col.Name, len(out), rows)
	}
	return out, nil
}

// pageValues appends the values of a page of data.
func pageValues(out []float64, col *Column, codec int64, p *page, body []byte, dictionary []float64) []float64 {
	var levels, values []byte
	if p.kind == dataPage {
		values = decompress(codec, body, int(p.size))
		if col.optional > 0 {
			n := int(binary.LittleEndian.Uint32(values))
			levels, values = values[4:4+n], values[4+n:]
		}
	} else {
		n := int(p.levels + p.repetition)
		levels, values = body[p.repetition:n], body[n:]
		if !p.plain {
			values = decompress(codec, values, int(p.size)-n)
		}
	}
	n := int(p.values)
	var there []uint32
	some := n
	if col.optional > 0 {
		there = hybrid(levels, bits.Len(uint(col.optional)), n)
		some = 0
		for _, d := range there {
			if int(d) == col.optional {
				some++
			}
		}
	}
	if there == nil || some == n {
		return entries(out, col, int(p.encoding), values, some, dictionary)
	}
	list := entries(nil, col, int(p.encoding), values, some, dictionary)
	next := 0
	for _, d := range there {
		if int(d) == col.optional {
			out = append(out, list[next])
			next++
		} else {
			out = append(out, math.NaN())
		}
	}
	return out
}

// entries appends n values of an encoding.
func entries(out []float64, col *Column, encoding int, b []byte, n int, dictionary []float64) []float64 {
	switch encoding {
	case encodingPlain:
		return plainValues(out, col, b, n)
	case encodingDictionary, encodingRLEDict:
		if n == 0 {
			return out
		}
		for _, i := range hybrid(b[1:], int(b[0]), n) {
			out = append(out, dictionary[i])
		}
		return out
	case encodingRLE:
		if col.kind == boolean {
			for _, x := range hybrid(b[4:], 1, n) {
				out = append(out, float64(x))
			}
			return out
		}
	case encodingDelta:
		if col.kind == int32s || col.kind == int64s {
			return deltas(out, col, b, n)
		}
	case encodingSplit:
		if w := width[col.kind]; w > 0 {
			whole := make([]byte, n*w)
			for k := range w {
				for i := range n {
					whole[i*w+k] = b[k*n+i]
				}
			}
			return plainValues(out, col, whole, n)
		}
	}
	fail("column %s has an encoding that is not read (number %d)", col.Name, encoding)
	return nil
}

// width is how many bytes an entry of a type takes.
var width = [...]int{int32s: 4, int64s: 8, floats: 4, doubles: 8, byteArrays: 0, fixedArrays: 0}

func plainValues(out []float64, col *Column, b []byte, n int) []float64 {
	if col.kind == boolean {
		for i := range n {
			out = append(out, float64(b[i/8]>>(i%8)&1))
		}
		return out
	}
	w := width[col.kind]
	if len(b) < n*w {
		fail("the file is damaged: a page of column %s is too short", col.Name)
	}
	for i := range n {
		x := b[i*w:]
		switch col.kind {
		case doubles:
			out = append(out, float64At(x))
		case floats:
			out = append(out, float32At(x))
		case int32s:
			out = append(out, whole(col, uint64(int64(int32(binary.LittleEndian.Uint32(x))))))
		default:
			out = append(out, whole(col, binary.LittleEndian.Uint64(x)))
		}
	}
	return out
}

// whole is a whole number, which float64 must hold.
func whole(col *Column, x uint64) float64 {
	if col.unsigned {
		if col.kind == int32s {
			x = uint64(uint32(x))
		}
		if x > 1<<53 {
			fail("column %s has the number %d, and float64 counts to 2^53", col.Name, x)
		}
		return float64(x)
	}
	if s := int64(x); s > 1<<53 || s < -1<<53 {
		fail("column %s has the number %d, and float64 counts to 2^53", col.Name, s)
	}
	return float64(int64(x))
}

// hybrid reads n numbers of width bits in runs: of one number, or packed bits
// (encoding RLE).
func hybrid(b []byte, width, n int) []uint32 {
	if width > 32 {
		fail("the file is damaged: numbers of %d bits", width)
	}
	out := make([]uint32, 0, min(n, 1<<16))
	bytes := (width + 7) / 8
	for len(out) < n {
		if width == 0 && len(b) == 0 { // all are 0
			return append(out, make([]uint32, n-len(out))...)
		}
		head, k := binary.Uvarint(b)
		if k <= 0 {
			fail("the file is damaged: a run is malformed")
		}
		b = b[k:]
		if head&1 == 0 {
			x := uint32(0)
			for i := range bytes {
				x |= uint32(b[i]) << (8 * i)
			}
			b = b[bytes:]
			for range min(head>>1, uint64(n-len(out))) {
				out = append(out, x)
			}
			continue
		}
		count := min(int(min(head>>1, uint64(n)))*8, n-len(out))
		for i := range count {
			out = append(out, uint32(bitsAt(b, i*width, width)))
		}
		b = b[min(int(min(head>>1, 1<<40))*width, len(b)):]
	}
	return out
}

// bitsAt is the number of some bits, the lowest first.
func bitsAt(b []byte, at, width int) uint64 {
	x, have := uint64(0), 0
	for have < width {
		take := min(8-at%8, width-have)
		x |= uint64(b[at/8]>>(at%8)&(1<<take-1)) << have
		at, have = at+take, have+take
	}
	return x
}

// deltas reads n whole numbers as the differences of neighbours (encoding
// DELTA_BINARY_PACKED).
func deltas(out []float64, col *Column, b []byte, n int) []float64 {
	c := &compact{b: b}
	block, minis, total := int(c.uvarint()), int(c.uvarint()), int(c.uvarint())
	x := uint64(c.int())
	if total != n || minis < 1 || block < 1 || block%minis != 0 || block/minis%8 != 0 {
		fail("the file is damaged: a page of deltas of column %s", col.Name)
	}
	add := func() {
		v := x
		if col.kind == int32s {
			v = uint64(int64(int32(x)))
		}
		out = append(out, whole(col, v))
	}
	if n > 0 {
		add()
	}
	each := block / minis
	for left := n - 1; left > 0; {
		least := uint64(c.int())
		widths := c.at
		c.at += minis
		for m := 0; m < minis && left > 0; m++ {
			w := int(c.b[widths+m])
			if w > 64 {
				fail("the file is damaged: deltas of %d bits", w)
			}
			for i := range min(each, left) {
				x += least + bitsAt(c.b[c.at:], i*w, w)
				add()
			}
			left -= min(each, left)
			c.at += each * w / 8
		}
	}
	return out
}

// decompress undoes the compression of a page, which has size bytes then.
func decompress(codec int64, b []byte, size int) []byte {
	if size < 0 || size > 1100*len(b)+1024 { // no method packs closer
		fail("the file is damaged: a page says that it has %d bytes", size)
	}
	switch codec {
	case 0:
		return b
	case 1:
		return snappy(b, size)
	case 2:
		r, err := gzip.NewReader(bytes.NewReader(b))
		out := make([]byte, size)
		if err == nil {
			_, err = io.ReadFull(r, out)
		}
		if err != nil {
			fail("the file is damaged: a page cannot be decompressed: %v", err)
		}
		return out
	}
	names := map[int64]string{3: "LZO", 4: "Brotli", 5: "LZ4", 6: "Zstandard", 7: "LZ4"}
	fail("the file is compressed by %s, which is not read; write it with Snappy, gzip or without compression", names[codec])
	return nil
}

// snappy decodes a block of Google's Snappy format.
func snappy(b []byte, size int) []byte {
	n, k := binary.Uvarint(b)
	if k <= 0 || n != uint64(size) {
		fail("the file is damaged: a page says that it has %d bytes, and its head %d", n, size)
	}
	out := make([]byte, 0, size)
	for b = b[k:]; len(b) > 0; {
		tag := b[0]
		if tag&3 == 0 {
			length, head := int(tag>>2), 1
			if length >= 60 {
				head += length - 59
				length = 0
				for i := 1; i < head; i++ {
					length |= int(b[i]) << (8 * (i - 1))
				}
			}
			length++
			out = append(out, b[head:head+length]...)
			b = b[head+length:]
			continue
		}
		var length, offset int
		switch tag & 3 {
		case 1:
			length, offset = 4+int(tag>>2&7), int(tag>>5)<<8|int(b[1])
			b = b[2:]
		case 2:
			length, offset = 1+int(tag>>2), int(binary.LittleEndian.Uint16(b[1:]))
			b = b[3:]
		default:
			length, offset = 1+int(tag>>2), int(binary.LittleEndian.Uint32(b[1:]))
			b = b[5:]
		}
		if offset == 0 || offset > len(out) || len(out)+length > size {
			fail("the file is damaged: a page cannot be decompressed")
		}
		for from := len(out) - offset; length > 0; length-- { // may overlap
			out = append(out, out[from])
			from++
		}
	}
	if len(out) != size {
		fail("the file is damaged: a page has %d bytes, and %d are there", size, len(out))
	}
	return out
}
