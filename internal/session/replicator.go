package session

import (
	"github.com/sgppl/sgppl/internal/native"
)

// manyReplications pay for the build of a native engine.
const manyReplications = 200

// Replicator returns the builder of the native engine that draws replications, or nil to draw them
// by the VM. auto chooses the VM for few replications.
func Replicator(e *Session, engine string, replications int) (*native.Builder, error) {
	if engine == "vm" || engine == "auto" && replications < manyReplications {
		return nil, nil
	}
	b, err := e.Builder()
	if err == nil {
		err = b.Usable()
	}
	switch {
	case err == nil:
		return b, nil
	case engine == "native":
		return nil, Failf(ExitFiles, "%v; --engine vm samples without one", err)
	}
	e.Note("sampling in process, by the VM: %v", err)
	return nil, nil
}
