package loop

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// A Codec writes or reads the numbers of a chain, by the same walk over them, so that writing and
// reading cannot differ.
type Codec struct {
	buf     []byte
	at      int
	reading bool
	wrong   string    // what was read and cannot be
	to      io.Writer // gets what buf has whenever it is full; nil: buf grows
	sum     uint32    // of what to has
	words   int       // how many were written
	counts  bool      // words are counted and not written
	err     error     // of to
}

// full is how many bytes are written to a writer at once.
const full = 1 << 16

// Word writes x, or returns what is read in its place.
func (d *Codec) Word(x uint64) uint64 {
	if !d.reading {
		d.words++
		if d.counts {
			return x
		}
		d.buf = binary.LittleEndian.AppendUint64(d.buf, x)
		if d.to != nil && len(d.buf) >= full {
			d.flush()
		}
		return x
	}
	if len(d.buf)-d.at < 8 {
		d.at = len(d.buf) + 1 // stays past the end
		return 0
	}
	x = binary.LittleEndian.Uint64(d.buf[d.at:])
	d.at += 8
	return x
}

// Int writes or reads an integer.
func (d *Codec) Int(p *int64) { *p = int64(d.Word(uint64(*p))) }

// Count writes or reads a number of things that were done one by one: not less
// than 0, and so small that more can be added without overflow.
func (d *Codec) Count(p *int64) {
	d.Int(p)
	if d.reading && (*p < 0 || *p > math.MaxInt64/2) {
		d.wrong = fmt.Sprintf("it is damaged: it counts %d steps", *p)
	}
}

// Float writes or reads a number.
func (d *Codec) Float(p *float64) { *p = math.Float64frombits(d.Word(math.Float64bits(*p))) }

// Floats writes or reads as many numbers as x has.
func (d *Codec) Floats(x []float64) {
	for i := range x {
		d.Float(&x[i])
	}
}

// Singles is Floats of numbers that are held in single precision. They take a word each, so that
// their precision can change.
func (d *Codec) Singles(x []float32) {
	for i, v := range x {
		wide := float64(v)
		d.Float(&wide)
		x[i] = float32(wide)
	}
}

// Left is how many words are left to read.
func (d *Codec) Left() int { return max(len(d.buf)-d.at, 0) / 8 }

// Reading reports whether the walk reads.
func (d *Codec) Reading() bool { return d.reading }

// A Label opens a checkpoint: whose state it is.
type Label struct {
	Magic       string // eight bytes that name the layout, and the order of passes over many rows
	Fingerprint uint64 // of the settings
	Chain       int
	Dim         int    // length of the state
	Before      string // the same of older checkpoints whose passes had another order; "": none
}

// Seal appends a checkpoint to b: label, the numbers of walk, a check sum.
func Seal(b []byte, l Label, walk func(*Codec)) []byte {
	from := len(b)
	d := &Codec{buf: append(b, l.Magic...)}
	d.Word(l.Fingerprint)
	d.Word(uint64(l.Chain))
	d.Word(uint64(l.Dim))
	walk(d)
	return binary.LittleEndian.AppendUint32(d.buf, crc32.ChecksumIEEE(d.buf[from:]))
}

// SealedSize returns how many bytes Seal and SealTo write.
func SealedSize(l Label, walk func(*Codec)) int {
	d := &Codec{counts: true}
	walk(d)
	return len(l.Magic) + 8*(3+d.words) + crc32.Size
}

// SealTo writes what Seal appends, a part at a time: the states of many coordinates are large. The
// error is that of w.
func SealTo(w io.Writer, l Label, walk func(*Codec)) error {
	d := &Codec{buf: append(make([]byte, 0, full+8), l.Magic...), to: w}
	d.Word(l.Fingerprint)
	d.Word(uint64(l.Chain))
	d.Word(uint64(l.Dim))
	walk(d)
	d.flush()
	if d.err == nil {
		_, d.err = w.Write(binary.LittleEndian.AppendUint32(nil, d.sum))
	}
	return d.err
}

// flush writes what was collected.
func (d *Codec) flush() {
	d.sum = crc32.Update(d.sum, crc32.IEEETable, d.buf)
	if d.err == nil {
		_, d.err = d.to.Write(d.buf)
	}
	d.buf = d.buf[:0]
}

// Unseal reads what Seal wrote into what walk visits. problem says what is
// wrong with it, and is empty where nothing is.
func Unseal(b []byte, l Label, walk func(*Codec)) (problem string) {
	const tail = 4
	if l.Before != "" && bytes.HasPrefix(b, []byte(l.Before)) {
		return "an older sgppl wrote it, which took the rows of minibatches in another order: draws " +
			"would not be those of one run; use that sgppl, or start a new run"
	}
	if len(b) < len(l.Magic)+tail || string(b[:len(l.Magic)]) != l.Magic {
		return "this is not a checkpoint of a chain, or of another version"
	}
	body := b[:len(b)-tail]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(b[len(body):]) {
		return "it is damaged: its check sum does not fit"
	}
	d := &Codec{buf: body, at: len(l.Magic), reading: true}
	if d.Word(0) != l.Fingerprint {
		return "it belongs to a run with other settings"
	}
	if n := d.Word(0); n != uint64(l.Chain) {
		return fmt.Sprintf("it belongs to chain %d, not %d", n, l.Chain)
	}
	if n := d.Word(0); n != uint64(l.Dim) {
		return fmt.Sprintf("it has %d coordinates, the model %d", n, l.Dim)
	}
	walk(d)
	if d.at != len(body) {
		return "its length does not fit the model"
	}
	return d.wrong
}
