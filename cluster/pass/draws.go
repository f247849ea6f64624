package pass

import (
	"context"
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/worker"
)

// drawsFile is the object of the draws that all tasks read.
const drawsFile = "draws.bin"

// PutDraws writes the object of draws. Another that is there already is refused.
func PutDraws(ctx context.Context, e *Env, d *worker.Draws) error {
	b := d.Bytes()
	wrote, err := e.Bucket.PutOnce(ctx, drawsFile, b)
	if err != nil || wrote {
		return err
	}
	old, err := e.Bucket.Get(ctx, drawsFile)
	if err == nil && string(old) != string(b) {
		err = &Permanent{fmt.Errorf("%s holds other draws; another --out is expected", e.Bucket.URL)}
	}
	return err
}

// draws reads the object; it is read once by a process.
func (e *Env) draws(ctx context.Context) ([]byte, error) {
	e.lock.Lock()
	defer e.lock.Unlock()
	if e.loaded != nil {
		return e.loaded, nil
	}
	b, err := e.Bucket.Get(ctx, drawsFile)
	if err != nil {
		return nil, err
	}
	if _, err := worker.ParseDraws(b); err != nil {
		return nil, &Permanent{fmt.Errorf("%s: %s: %w", e.Bucket.URL, drawsFile, err)}
	}
	e.loaded = b
	return b, nil
}
