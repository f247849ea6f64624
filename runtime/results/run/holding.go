package run

import (
	"io"
	"sync"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// A holding is the file system of a run that tells of each checkpoint, and waits: while it does,
// the directory is as a crash would leave it, so that a copy of it can go on.
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

// Rename implements disk.FS. A checkpoint is whole once it has its name.
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
