package session

import (
	"context"
	"errors"

	"github.com/sgppl/sgppl/internal/native"
)

// ForeseeEngine begins with what PickEngine needs for the flag --engine and the text of a model,
// beside what the caller does before it calls that.
func (e *Session) ForeseeEngine(name, text string) {
	b, err := e.Builder()
	if name == "native" || name == "auto" && err == nil && b.Known(text) {
		native.Foresee()
	}
}

// PickEngine returns the engine for the flag --engine: auto, native or vm. It reports problems with
// the engine before a run directory is made. If the native engine cannot be built, auto prints a
// note and samples in process. quiet suppresses messages about a build.
func PickEngine(e *Session, b *Binding, name string, quiet bool) (*Engine, error) {
	if name == "vm" {
		return VmEngine(e, b), nil
	}
	build := NativeEngine
	if name == "auto" {
		build = RacingEngine
	}
	eng, err := build(e, b, quiet)
	switch {
	case err == nil:
		return eng, nil
	case errors.Is(err, context.Canceled):
		return nil, Failf(ExitInterrupted,
			"interrupted while the sampler was built: nothing is written")
	case name == "native":
		return nil, Failf(ExitFiles, "%v; --engine vm samples without one", err)
	}
	e.Note("sampling in process, by the VM: %v", err)
	return VmEngine(e, b), nil
}
