package run

import (
	"io"
	"sync"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// A holding is a file system that pauses a run at each checkpoint. After a checkpoint of a chain is
// renamed to its final name, it writes an event and waits for the parent process. While it waits,
// the directory can be copied, and the copy can be resumed as after a crash.
type holding struct {
	files.FS
	dir    string
	only   []int // the chains that run
	events io.Writer
	wait   func()
	lock   sync.Mutex // of events
}

// say writes an event. Events of chains and of their checkpoints come from different goroutines.
func (h *holding) say(e Event) {
	h.lock.Lock()
	defer h.lock.Unlock()
	WriteEvent(h.events, e)
}

// Rename implements disk.FS. A checkpoint is complete once it has its final name, so Rename reports
// it and waits then.
func (h *holding) Rename(from, to string) error {
	if err := h.FS.Rename(from, to); err != nil {
		return err
	}
	for _, k := range h.only {
		if to == trace.CheckpointPath(h.dir, k) {
			h.say(Event{Event: "checkpoint", Chain: k})
			h.wait()
		}
	}
	return nil
}
