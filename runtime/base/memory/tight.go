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

// Tight has the collector keep the heap close to what is in use, from now on: where it would double
// between two collections, it grows by as much as a collection has to read, by a 32nd, or by
// leastGrowth, whichever is most. It is for processes that hold data and the states of chains:
// these are large arrays without pointers, which a collection does not read, and little else is
// allocated. It does nothing if GOGC is set.
func Tight() {
	if os.Getenv("GOGC") != "" {
		return
	}
	tighten.Do(afterCollection)
}

// afterCollection sets the growth for the heap that is there, and has itself called again behind
// the next collection: a finalizer runs then.
func afterCollection() {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/heap:bytes"}}
	metrics.Read(s)
	debug.SetGCPercent(growthPercent(s[0].Value.Uint64(), s[1].Value.Uint64()))
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) { afterCollection() })
}

// A sentinel is found to be garbage by the next collection. It has a size and a pointer of its own,
// so that the runtime does not put it into one block with other small objects.
type sentinel struct {
	_ *sentinel
	_ [2]uint64
}

// growthPercent is by how many percent a heap of live bytes may grow, of which a collection reads
// scan.
func growthPercent(live, scan uint64) int {
	if live <= leastGrowth {
		return 100
	}
	return int(min(100*max(leastGrowth, scan, live/32)/live+1, 100))
}

// Settle returns memory that is not in use to the system at once, where Tight was called and the
// heap is large: after data were read, before chains run for long.
func Settle() {
	if os.Getenv("GOGC") != "" {
		return
	}
	s := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	if s[0].Value.Uint64()+s[1].Value.Uint64() > settled {
		debug.FreeOSMemory()
	}
}

// settled is how many bytes a heap has at least that is worth a collection, which takes about a
// millisecond.
const settled = 16 << 20
