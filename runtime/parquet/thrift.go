package parquet

import (
	"encoding/binary"
	"math"
)

// A compact is a message of Thrift's compact protocol.
type compact struct {
	b  []byte
	at int
}

// Types of the protocol.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// mostNested bounds how deep structs lie in one another.
const mostNested = 64

func (c *compact) byte() byte {
	if c.at >= len(c.b) {
		fail("the file is damaged: its metadata end too early")
	}
	c.at++
	return c.b[c.at-1]
}

func (c *compact) uvarint() uint64 {
	x, n := binary.Uvarint(c.b[min(c.at, len(c.b)):])
	if n <= 0 {
		fail("the file is damaged: a number of its metadata is malformed")
	}
	c.at += n
	return x
}

// int is a whole number, zigzag.
func (c *compact) int() int64 {
	x := c.uvarint()
	return int64(x>>1) ^ -int64(x&1)
}

// size is a length, which what is left must have room for.
func (c *compact) size() int {
	n := c.uvarint()
	if n > uint64(len(c.b)-c.at) {
		fail("the file is damaged: a length of its metadata is too large")
	}
	return int(n)
}

func (c *compact) text() string {
	n := c.size()
	c.at += n
	return string(c.b[c.at-n : c.at])
}

// fields calls f for every field of a struct; f reads it, or leaves it to be
// skipped by returning false.
func (c *compact) fields(f func(id int, kind byte) bool) {
	id := 0
	for {
		head := c.byte()
		if head == 0 {
			return
		}
		kind := head & 15
		if d := int(head >> 4); d > 0 {
			id += d
		} else {
			id = int(c.int())
		}
		if !f(id, kind) {
			c.skip(kind, 0)
		}
	}
}

// list reads the head of a list.
func (c *compact) list() (n int, kind byte) {
	head := c.byte()
	if n = int(head >> 4); n == 15 {
		n = int(c.uvarint())
	}
	if n < 0 || n > len(c.b)-c.at {
		fail("the file is damaged: a list of its metadata is too long")
	}
	return n, head & 15
}

func (c *compact) skip(kind byte, depth int) {
	if depth > mostNested {
		fail("the file is damaged: its metadata are nested too deep")
	}
	switch kind {
	case thriftTrue, thriftFalse:
	case thriftByte:
		c.byte()
	case thriftI16, thriftI32, thriftI64:
		c.uvarint()
	case thriftDouble:
		c.at += 8
	case thriftBinary:
		c.at += c.size()
	case thriftList, thriftSet:
		n, of := c.list()
		for range n {
			if of == thriftTrue || of == thriftFalse {
				c.byte() // bools of lists take a byte each
			} else {
				c.skip(of, depth+1)
			}
		}
	case thriftMap:
		n := c.size()
		if n == 0 {
			return
		}
		kinds := c.byte()
		for range n {
			c.skip(kinds>>4, depth+1)
			c.skip(kinds&15, depth+1)
		}
	case thriftStruct:
		c.fields(func(int, byte) bool { return false })
	default:
		fail("the file is damaged: its metadata have a field of an unknown type")
	}
}

// bits are little-endian numbers of a page.
func float64At(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }

func float32At(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) }
