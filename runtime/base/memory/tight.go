package memory

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// leastGrowth is how many bytes the heap may grow between two collections at least.
const leastGrowth = 4 << 20

var tighten sync.Once

// Tight has the collector keep the heap close to what is in use, from now on: the heap grows by an
// eighth between two collections, or by leastGrowth if that is more, where it would double. It is
// for processes that hold data and the states of chains: these are large arrays without pointers,
// which a collection need not read, and little else is allocated. It does nothing if GOGC is set.
func Tight() {
	if os.Getenv("GOGC") != "" {
		return
	}
	tighten.Do(afterCollection)
}

// afterCollection sets the growth for the heap that is there, and has itself called again behind
// the next collection: a finalizer runs then.
func afterCollection() {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	debug.SetGCPercent(growthPercent(s[0].Value.Uint64()))
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) { afterCollection() })
}

// A sentinel is found to be garbage by the next collection. It has a size and a pointer of its own,
// so that the runtime does not put it into one block with other small objects.
type sentinel struct {
	_ *sentinel
	_ [2]uint64
}

// growthPercent is by how many percent a heap of so many bytes may grow.
func growthPercent(live uint64) int {
	if live <= leastGrowth {
		return 100
	}
	return int(100 * max(leastGrowth, live/8) / live)
}
