package session

import (
	"math"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"github.com/sgppl/sgppl/runtime/base/memory"
)

// LimitMemory sets how much memory the process may use: what --max-memory says,
// else GOMEMLIMIT, else three quarters of what the machine or the control group
// has.
func (e *Session) LimitMemory(flag string) error {
	switch {
	case flag == "none":
		debug.SetMemoryLimit(math.MaxInt64)
	case flag != "":
		n, err := MemorySize(flag)
		if err != nil {
			return err
		}
		debug.SetMemoryLimit(n)
	case e.Getenv("GOMEMLIMIT") != "": // the Go runtime has read it
	default:
		if n := memory.Machine(); n > 0 {
			debug.SetMemoryLimit(n / 4 * 3)
		}
	}
	return nil
}

// rarely counts the callers of CollectRarely.
var rarely struct {
	sync.Mutex
	callers, before int
}

// CollectRarely lets the memory of the process grow to five times of what is in use before garbage
// is collected, until the function that it returns is called: a model is compiled in a moment, in
// some ten MiB. With GOGC set it does nothing.
func (e *Session) CollectRarely() (done func()) {
	if e.Getenv("GOGC") != "" {
		return func() {}
	}
	rarely.Lock()
	defer rarely.Unlock()
	if rarely.callers == 0 {
		rarely.before = debug.SetGCPercent(400)
	}
	rarely.callers++
	return func() {
		rarely.Lock()
		defer rarely.Unlock()
		if rarely.callers--; rarely.callers == 0 {
			debug.SetGCPercent(rarely.before)
		}
	}
}

// Fits refuses chains that need more memory than there may be, so many of them at
// a time as there are threads.
func (b *Binding) Fits(chains, threads int) error {
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	b.together = min(chains, threads)
	if err := b.Compiled.Fits(b.Target.Dims, b.together, b.Planned); err != nil {
		return Failf(ExitFiles, "%v", err)
	}
	return nil
}

// FitsNative is fits for a native sampler, whose process has a copy of the data.
func (b *Binding) FitsNative() error {
	copied := b.Bound.SpoolBytes()
	if b.Held != nil {
		copied += b.Held.Bound.SpoolBytes()
	}
	return b.Compiled.FitsCopy(b.Target.Dims, max(1, b.together), b.Planned, copied)
}

// MemorySize reads the value of --max-memory; see Bytes.
func MemorySize(text string) (int64, error) {
	if n, ok := Bytes(text); ok && n >= 1<<20 {
		return n, nil
	}
	return 0, Usagef("--max-memory %q: write a size of at least 1M, such as 500M, 2G or 1.5GiB, or "+
		"none", text)
}

// Bytes reads a number of bytes, with a unit of powers of 1024: 500M, 2G, 1.5GiB.
func Bytes(text string) (int64, bool) {
	number := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(text), "B"), "I")
	factor := 1.0
	if k := len(number) - 1; k >= 0 {
		if unit := strings.IndexByte("KMGT", number[k]); unit >= 0 {
			number, factor = number[:k], math.Exp2(float64(10*(unit+1)))
		}
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	bytes := x * factor
	return int64(bytes), err == nil && bytes >= 1 && bytes < 1<<60
}
