package parquet

import (
	"encoding/binary"
	"io"
	"math"
	"strings"
)

// Physical types.
const (
	boolean = iota
	int32s
	int64s
	int96s
	floats
	doubles
	byteArrays
	fixedArrays
)

var typeNames = [...]string{"BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"}

// A Column is a leaf of the schema.
type Column struct {
	Name string // with the groups that it lies in, apart by dots
	// Problem says why its entries are no numbers; "" where they are.
	Problem  string
	kind     int
	optional int // how many definition levels there are
	unsigned bool
}

// A chunk is the part of a column that a row group has.
type chunk struct {
	offset, size int64
	codec        int64
	values       int64
}

// A File is an open Parquet file.
type File struct {
	Columns []Column
	Groups  []int // rows of each row group
	r       io.ReaderAt
	chunks  [][]chunk // by group and column
}

const magic = "PAR1"

// mostFooter bounds the metadata.
const mostFooter = 1 << 30

// Open reads the metadata of a file of size bytes.
func Open(r io.ReaderAt, size int64) (f *File, err error) {
	defer caught(&err)
	var tail [8]byte
	if size < 12 {
		fail("the file is too short for Parquet")
	}
	if _, err := r.ReadAt(tail[:], size-8); err != nil {
		return nil, err
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	switch {
	case string(tail[4:]) == "PARE":
		fail("the file is encrypted")
	case string(tail[4:]) != magic:
		fail("the file does not end as Parquet does: it is cut off, or of another format")
	case n > size-12 || n > mostFooter:
		fail("the file is damaged: its metadata are longer than it")
	}
	b := make([]byte, n)
	if _, err := r.ReadAt(b, size-8-n); err != nil {
		return nil, err
	}
	f = &File{r: r}
	f.footer(&compact{b: b}, size)
	return f, nil
}

// footer reads the FileMetaData.
func (f *File) footer(c *compact, size int64) {
	c.fields(func(id int, kind byte) bool {
		switch {
		case id == 2 && kind == thriftList:
			f.schema(c)
		case id == 4 && kind == thriftList:
			n, _ := c.list()
			for range n {
				f.group(c)
			}
		default:
			return false
		}
		return true
	})
	for _, g := range f.chunks {
		if len(g) != len(f.Columns) {
			fail("the file is damaged: a row group has %d columns, the schema %d", len(g), len(f.Columns))
		}
		for _, k := range g {
			if k.offset < 4 || k.size < 0 || k.offset > size-k.size {
				fail("the file is damaged: a column lies outside of it")
			}
		}
	}
}

// A node is an element of the schema, in the order of a walk from the root.
type node struct {
	name                                   string
	kind, repetition, children, converted  int64
	leaf, decimal, unsigned, float16, uuid bool
}

func (f *File) schema(c *compact) {
	n, _ := c.list()
	nodes := make([]node, n)
	for i := range nodes {
		nodes[i] = schemaNode(c)
	}
	if n == 0 {
		fail("the file is damaged: it has no schema")
	}
	at := 1
	var walk func(children int64, path []string, optional, repeated, depth int)
	walk = func(children int64, path []string, optional, repeated, depth int) {
		if depth > mostNested {
			fail("the schema is nested too deep")
		}
		for ; children > 0; children-- {
			if at >= len(nodes) {
				fail("the file is damaged: its schema ends too early")
			}
			x := &nodes[at]
			at++
			o, r := optional, repeated
			switch x.repetition {
			case 1:
				o++
			case 2:
				o, r = o+1, r+1
			}
			inner := append(path[:len(path):len(path)], x.name)
			if !x.leaf {
				walk(x.children, inner, o, r, depth+1)
				continue
			}
			f.Columns = append(f.Columns, x.column(strings.Join(inner, "."), o, r))
		}
	}
	walk(nodes[0].children, nil, 0, 0, 0)
}

func (x *node) column(name string, optional, repeated int) Column {
	col := Column{Name: name, kind: int(x.kind), optional: optional, unsigned: x.unsigned}
	switch {
	case repeated > 0:
		col.Problem = "has lists; columns of one number a row can be read, name.0, name.1, … as a vector"
	case x.kind < 0 || x.kind >= int64(len(typeNames)):
		col.Problem = "is of an unknown type"
	case x.kind >= byteArrays || x.kind == int96s:
		col.Problem = "holds " + typeNames[x.kind] + ", no numbers"
	case x.decimal:
		col.Problem = "holds decimals; cast it to double"
	}
	return col
}

func schemaNode(c *compact) node {
	x := node{leaf: false}
	c.fields(func(id int, kind byte) bool {
		switch {
		case id == 1 && kind == thriftI32:
			x.kind, x.leaf = c.int(), true
		case id == 3 && kind == thriftI32:
			x.repetition = c.int()
		case id == 4 && kind == thriftBinary:
			x.name = c.text()
		case id == 5 && kind == thriftI32:
			x.children = c.int()
		case id == 6 && kind == thriftI32:
			x.converted = c.int()
			x.decimal = x.decimal || x.converted == 5
			x.unsigned = x.unsigned || x.converted >= 11 && x.converted <= 14
		case id == 10 && kind == thriftStruct:
			x.logical(c)
		default:
			return false
		}
		return true
	})
	return x
}

// logical reads a LogicalType: decimals, and whole numbers without a sign.
func (x *node) logical(c *compact) {
	c.fields(func(id int, kind byte) bool {
		switch {
		case id == 5:
			x.decimal = true
			return false
		case id == 10 && kind == thriftStruct:
			c.fields(func(id int, kind byte) bool {
				if id == 2 && kind == thriftFalse {
					x.unsigned = true
				}
				return id == 2 && (kind == thriftTrue || kind == thriftFalse)
			})
			return true
		}
		return false
	})
}

func (f *File) group(c *compact) {
	var g []chunk
	rows := int64(-1)
	c.fields(func(id int, kind byte) bool {
		switch {
		case id == 1 && kind == thriftList:
			n, _ := c.list()
			for range n {
				g = append(g, columnChunk(c))
			}
		case id == 3 && kind == thriftI64:
			rows = c.int()
		default:
			return false
		}
		return true
	})
	if rows < 0 || rows > math.MaxInt32 {
		fail("the file is damaged: a row group of %d rows", rows)
	}
	f.Groups, f.chunks = append(f.Groups, int(rows)), append(f.chunks, g)
}

func columnChunk(c *compact) chunk {
	var k chunk
	dictionary := int64(0)
	c.fields(func(id int, kind byte) bool {
		switch {
		case id == 1 && kind == thriftBinary:
			fail("the file has columns in other files, which are not read")
		case id == 3 && kind == thriftStruct:
			c.fields(func(id int, kind byte) bool {
				switch {
				case id == 4 && kind == thriftI32:
					k.codec = c.int()
				case id == 5 && kind == thriftI64:
					k.values = c.int()
				case id == 7 && kind == thriftI64:
					k.size = c.int()
				case id == 9 && kind == thriftI64:
					k.offset = c.int()
				case id == 11 && kind == thriftI64:
					dictionary = c.int()
				default:
					return false
				}
				return true
			})
		default:
			return false
		}
		return true
	})
	if dictionary > 0 && dictionary < k.offset {
		k.offset = dictionary
	}
	return k
}

// Rows is the number of rows of all groups.
func (f *File) Rows() int {
	n := 0
	for _, g := range f.Groups {
		n += g
	}
	return n
}
