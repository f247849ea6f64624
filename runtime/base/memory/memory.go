// Package memory tells how much memory the process may use, and refuses what
// would need more before it is allocated.
//
// The limit is the one of the Go runtime, as GOMEMLIMIT and
// debug.SetMemoryLimit set it: it belongs to the process, and the collector
// works towards it too.
package memory

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"github.com/sgppl/sgppl/runtime/base/setting"
)

// Limit is how many bytes the process may use; math.MaxInt64 without a limit.
func Limit() int64 { return debug.SetMemoryLimit(-1) }

// An Error names what needs more memory than the limit.
type Error struct {
	What  string  // what asks for the memory, as the subject of a sentence
	Bytes float64 // how much it needs, at least
	Limit int64
}

func (e *Error) Error() string {
	return setting.Sprintf("%s needs about %s of memory, more than the %s that may be used; "+
		"{max-memory} changes the limit", e.What, Text(e.Bytes), Text(float64(e.Limit)))
}

// Exit is the status of the program that this error ends.
func (e *Error) Exit() int { return 5 }

// Fits returns an error if that many bytes exceed the limit. The argument what is the subject of
// the message.
func Fits(bytes float64, what string) error {
	limit := Limit()
	if limit == math.MaxInt64 && bytes < math.MaxInt64 || bytes <= float64(limit) {
		return nil
	}
	return &Error{What: what, Bytes: bytes, Limit: limit}
}

// FitsNow returns an error if that many bytes, added to those in use now, exceed the limit. The
// argument what is the subject of the message.
func FitsNow(bytes float64, what string) error {
	if Fits(bytes+InUse(), what) == nil {
		return nil
	}
	runtime.GC() // some of what is in use may be garbage
	return Fits(bytes+InUse(), what)
}

// Text writes a number of bytes for people: 1.5 GiB.
func Text(bytes float64) string {
	const units = "KMGTPE"
	if bytes < 1<<10 {
		return fmt.Sprintf("%.0f bytes", bytes)
	}
	k := -1
	for bytes >= 1<<10 && k+1 < len(units) {
		bytes /= 1 << 10
		k++
	}
	return fmt.Sprintf("%.3g %ciB", math.Round(bytes*100)/100, units[k])
}

// growth is how much memory a slice that is appended to takes at most while it
// grows, as a multiple of what it has: the old array and one a quarter longer.
const growth = 2.25

// between is how many bytes are added between two looks at the heap.
const between = 16 << 20

// A Meter watches the heap while something of unknown size is read. Its zero
// value is ready.
type Meter struct {
	What  string // what is read, as the subject of a sentence
	added int
}

// Add says that about so many bytes were read or allocated. It returns an error
// once what the heap has would, grown further, be more than the limit.
func (m *Meter) Add(bytes int) error {
	if m.added += bytes; m.added < between {
		return nil
	}
	m.added = 0
	limit := Limit()
	if limit == math.MaxInt64 || growth*live() <= float64(limit) {
		return nil
	}
	runtime.GC() // the rest may be garbage
	if have := growth * live(); have > float64(limit) {
		return &Error{What: m.What, Bytes: have, Limit: limit}
	}
	return nil
}

// InUse is how many bytes the heap has at the moment, in objects that are used
// and some that the collector has yet to take.
func InUse() float64 { return live() }

// live is the size of the heap's objects, those included that the collector has
// not taken yet.
func live() float64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return float64(s[0].Value.Uint64())
}

// Reader is r, but fails where what was read leads to a heap that would be more
// than the limit. The sentence of the error begins with what.
func Reader(r io.Reader, what string) io.Reader { return &reader{r: r, m: Meter{What: what}} }

type reader struct {
	r   io.Reader
	m   Meter
	err error // comes again
}

func (r *reader) Read(b []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.r.Read(b)
	if r.err = r.m.Add(n); r.err != nil {
		return n, r.err
	}
	return n, err
}
