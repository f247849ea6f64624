package session

import (
	"context"
	"errors"
)

// PickEngine returns the engine of a flag: auto, native or vm. Whatever can be wrong with it is
// found here, before a run directory is made. Where a native one cannot be had, auto says so and
// samples in process. quiet leaves away what tells of a build.
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
