package format

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// readNpy reads NumPy's array format, versions 1 to 3 (NEP 1): magic, header
// length, a Python dictionary with descr, fortran_order and shape, then raw
// entries.
func readNpy(file string, r io.Reader) (*Table, []*problem.Error) {
	t := NewTable(file, "npy")
	v, e := npyArray(t, "", r)
	if e != nil {
		return t, []*problem.Error{e}
	}
	t.one = v
	return t, nil
}

// readNpz reads NumPy's zip of arrays; a key is the member's name less .npy.
func readNpz(file string, r io.Reader) (*Table, []*problem.Error) {
	t := NewTable(file, "npz")
	raw, err := io.ReadAll(r)
	if err != nil {
		return t, []*problem.Error{t.readError(0, err)}
	}
	if len(raw) == 0 {
		return t, []*problem.Error{t.Fail(0, 0, "D0103", "is empty")}
	}
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return t, []*problem.Error{t.Fail(0, 0, "D0104", "is no whole zip archive: "+err.Error())}
	}
	for _, m := range z.File {
		name, isArray := strings.CutSuffix(m.Name, ".npy")
		if !isArray {
			continue
		}
		v, e := npzMember(t, name, m)
		t.add(name, v)
		if e != nil {
			t.errs[name] = append(t.errs[name], e)
		}
	}
	return t, nil
}

func npzMember(t *Table, name string, m *zip.File) (*array.Value, *problem.Error) {
	f, err := m.Open()
	if err != nil {
		return nil, t.readError(0, err)
	}
	defer f.Close()
	return npyArray(t, name, f)
}

// An npyHeader is the dictionary of a file.
type npyHeader struct {
	order   binary.ByteOrder
	code    string // such as f8
	fortran bool
	shape   []int
}

// npyTypes are the entries that can be read: bytes of each and its value.
var npyTypes = map[string]struct {
	size int
	get  func(o binary.ByteOrder, b []byte) float64
}{
	"f8": {8, func(o binary.ByteOrder, b []byte) float64 {
		return math.Float64frombits(o.Uint64(b))
	}},
	"f4": {4, func(o binary.ByteOrder, b []byte) float64 {
		return float64(math.Float32frombits(o.Uint32(b)))
	}},
	"i1": {1, func(_ binary.ByteOrder, b []byte) float64 { return float64(int8(b[0])) }},
	"i2": {2, func(o binary.ByteOrder, b []byte) float64 { return float64(int16(o.Uint16(b))) }},
	"i4": {4, func(o binary.ByteOrder, b []byte) float64 { return float64(int32(o.Uint32(b))) }},
	"i8": {8, func(o binary.ByteOrder, b []byte) float64 { return float64(int64(o.Uint64(b))) }},
	"u1": {1, func(_ binary.ByteOrder, b []byte) float64 { return float64(b[0]) }},
	"u2": {2, func(o binary.ByteOrder, b []byte) float64 { return float64(o.Uint16(b)) }},
	"u4": {4, func(o binary.ByteOrder, b []byte) float64 { return float64(o.Uint32(b)) }},
	"u8": {8, func(o binary.ByteOrder, b []byte) float64 { return float64(o.Uint64(b)) }},
	"b1": {1, func(_ binary.ByteOrder, b []byte) float64 { return float64(min(b[0], 1)) }},
}

func npyArray(t *Table, field string, r io.Reader) (*array.Value, *problem.Error) {
	in := bufio.NewReaderSize(r, 1<<16)
	head, e := npyHead(t, in)
	if e != nil {
		if field != "" {
			e.Message = "array " + field + ": " + e.Message
		}
		return nil, e
	}
	kind := npyTypes[head.code]
	n, ok := array.Product(head.shape)
	if !ok || n > math.MaxInt/8 {
		return nil, t.Fail(0, 0, "D0116", fmt.Sprintf("the shape %v is impossible", head.shape))
	}
	if head.code == "u1" || head.code == "b1" {
		return npyBytes(t, field, in, head, n)
	}
	// The header may lie: grow with what is read.
	out := make([]float64, 0, min(n, 1<<16))
	chunk := make([]byte, kind.size*4096)
	whole := head.code[0] != 'f'
	for len(out) < n {
		b := chunk[:kind.size*min(4096, n-len(out))]
		if got, err := io.ReadFull(in, b); err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, t.Fail(0, 0, "D0104",
				fmt.Sprintf("the file ends after %d of the %d entries that its header states: it "+
					"is truncated", len(out)+got/kind.size, n))
		} else if err != nil {
			return nil, t.readError(0, err)
		}
		for i := 0; i < len(b); i += kind.size {
			v := kind.get(head.order, b[i:])
			if whole && math.Abs(v) >= array.MaxWhole { // what was rounded, too
				name, _ := array.EntryName("entry ", head.shape, len(out))
				return nil, t.Fail(0, 0, "D0106",
					fmt.Sprintf("%s is %s, from 2^53 on, where float64 rounds whole numbers",
						name, problem.Number(v)))
			}
			out = append(out, v)
		}
	}
	if _, err := in.ReadByte(); err == nil {
		return nil, t.Fail(0, 0, "D0116",
			fmt.Sprintf("the file goes on after the %d entries that its header states", n))
	}
	if head.fortran && len(head.shape) > 1 {
		out = rowMajor(out, head.shape)
	}
	return &array.Value{Shape: head.shape, F64: out,
		Origin: &array.Origin{File: t.File, Field: field}}, nil
}

// npyBytes reads an array of bytes, which stay so in memory.
func npyBytes(
	t *Table, field string, in *bufio.Reader, head *npyHeader, n int,
) (*array.Value, *problem.Error) {
	code, got, err := array.ReadBytes(in, n)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, t.Fail(0, 0, "D0104",
			fmt.Sprintf("the file ends after %d of the %d entries that its header states: it is truncated",
				got, n))
	} else if err != nil {
		return nil, t.readError(0, err)
	}
	if _, err := in.ReadByte(); err == nil {
		return nil, t.Fail(0, 0, "D0116",
			fmt.Sprintf("the file goes on after the %d entries that its header states", n))
	}
	if head.fortran && len(head.shape) > 1 {
		code = rowMajor(code, head.shape)
	}
	v := &array.Value{Shape: head.shape, Bytes: &array.Bytes{Code: code, Level: array.PlainLevels},
		Origin: &array.Origin{File: t.File, Field: field}}
	if head.code == "b1" {
		v.Bytes = v.Bytes.Map(func(x float64) float64 { return min(x, 1) })
	}
	return v, nil
}

// rowMajor reorders entries stored with the first index fastest.
func rowMajor[T any](v []T, shape []int) []T {
	out := make([]T, len(v))
	stride := make([]int, len(shape)) // of each axis in v
	step := 1
	for a, n := range shape {
		stride[a] = step
		step *= n
	}
	at, from := make([]int, len(shape)), 0
	for i := range out {
		out[i] = v[from]
		for a := len(shape) - 1; a >= 0; a-- {
			if at[a]++; at[a] < shape[a] {
				from += stride[a]
				break
			}
			from -= stride[a] * (shape[a] - 1)
			at[a] = 0
		}
	}
	return out
}

// npyHead reads magic, version and dictionary.
func npyHead(t *Table, r io.Reader) (*npyHeader, *problem.Error) {
	bad := func(text string) *problem.Error { return t.Fail(0, 0, "D0116", text) }
	var pre [8]byte
	n, err := io.ReadFull(r, pre[:])
	switch {
	case n == 0 && err == io.EOF:
		return nil, t.Fail(0, 0, "D0103", "is empty")
	case err != nil && err != io.EOF && err != io.ErrUnexpectedEOF:
		return nil, t.readError(0, err)
	case n < 8 || string(pre[:6]) != "\x93NUMPY":
		return nil, bad("is no npy file: it does not begin with \\x93NUMPY")
	}
	var size int
	switch pre[6] {
	case 1:
		var b [2]byte
		_, err = io.ReadFull(r, b[:])
		size = int(binary.LittleEndian.Uint16(b[:]))
	case 2, 3:
		var b [4]byte
		_, err = io.ReadFull(r, b[:])
		size = int(binary.LittleEndian.Uint32(b[:]))
	default:
		return nil, bad(fmt.Sprintf("is of npy version %d, and versions 1 to 3 can be read", pre[6]))
	}
	if size > 1<<20 {
		return nil, bad(fmt.Sprintf("states a header of %d bytes", size))
	}
	text := make([]byte, size)
	if err == nil {
		_, err = io.ReadFull(r, text)
	}
	if err != nil {
		return nil, t.Fail(0, 0, "D0104", "the file ends within its header: it is truncated")
	}
	return npyDict(t, string(text))
}

// npyDict reads the three entries of the dictionary.
func npyDict(t *Table, text string) (*npyHeader, *problem.Error) {
	bad := func(what string) (*npyHeader, *problem.Error) {
		return nil, t.Fail(0, 0, "D0116", "the npy header "+what)
	}
	h := &npyHeader{order: binary.LittleEndian}
	descr := strings.TrimSpace(after(text, "descr"))
	if strings.HasPrefix(descr, "[") {
		return bad("describes records, and only arrays of numbers can be read")
	}
	if len(descr) < 2 || descr[0] != '\'' && descr[0] != '"' {
		return bad("has no entry type")
	}
	code, _, _ := strings.Cut(descr[1:], descr[:1])
	h.code = strings.TrimLeft(code, "<>|=")
	if strings.HasPrefix(code, ">") {
		h.order = binary.BigEndian
	}
	if _, known := npyTypes[h.code]; !known {
		return bad(fmt.Sprintf("states entries of type %q; f4, f8, i1 to i8, u1 to u8 and b1 can be read",
			code))
	}
	switch f := strings.TrimSpace(after(text, "fortran_order")); {
	case strings.HasPrefix(f, "True"):
		h.fortran = true
	case !strings.HasPrefix(f, "False"):
		return bad("does not state fortran_order")
	}
	shape := strings.TrimSpace(after(text, "shape"))
	inner, _, closed := strings.Cut(strings.TrimPrefix(shape, "("), ")")
	if !strings.HasPrefix(shape, "(") || !closed {
		return bad("states no shape")
	}
	for _, s := range strings.Split(inner, ",") {
		if s = strings.TrimSuffix(strings.TrimSpace(s), "L"); s == "" {
			continue
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			return bad(fmt.Sprintf("states the size %q", s))
		}
		h.shape = append(h.shape, n)
	}
	if len(h.shape) > maxDepth {
		return bad(fmt.Sprintf("states %d axes", len(h.shape)))
	}
	return h, nil
}

// after is the text after a key of the dictionary and its colon.
func after(text, key string) string {
	for _, q := range []string{"'", `"`} {
		if _, rest, ok := strings.Cut(text, q+key+q); ok {
			if _, value, ok := strings.Cut(rest, ":"); ok {
				return value
			}
		}
	}
	return ""
}
