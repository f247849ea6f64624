package pass

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"runtime"
	"strings"
	"time"

	"github.com/sgppl/sgppl/cluster/bucket"
)

// A Request is a pass: the object pass/NNN-KIND/request.json.
type Request struct {
	Kind  string          `json:"kind"`
	Tasks int             `json:"tasks"`
	Run   string          `json:"run"`  // identity of the cluster.json that it belongs to
	Body  json.RawMessage `json:"body"` // what the kind wants to know
}

// A Task is one piece of work of a pass: number Index of the pass whose objects are below
// Dir, such as pass/002-score.
type Task struct {
	Dir   string
	Index int
}

// String is the name by which fronts carry a task: pass/002-score/000017.
func (t Task) String() string { return fmt.Sprintf("%s/%06d", t.Dir, t.Index) }

// ParseTask undoes String.
func ParseTask(name string) (Task, error) {
	var t Task
	k := strings.LastIndexByte(name, '/')
	if k < 0 {
		return t, fmt.Errorf("task %q: pass/NNN-KIND/INDEX is expected", name)
	}
	t.Dir = name[:k]
	if _, err := fmt.Sscanf(name[k+1:], "%d", &t.Index); err != nil || t.Index < 0 {
		return t, fmt.Errorf("task %q: pass/NNN-KIND/INDEX is expected", name)
	}
	return t, nil
}

func (t Task) result() string { return t.String() + ".bin" }
func (t Task) begun() string  { return t.String() + ".begun" }
func (t Task) done() string   { return t.String() + ".done" }
func (t Task) failed() string { return t.String() + ".failed" }

// Done is what is written last of a task: its result is there, and whole.
type Done struct {
	Bytes   int       `json:"bytes"`
	SHA256  string    `json:"sha256"`
	Host    string    `json:"host"`
	At      time.Time `json:"at"`
	Seconds float64   `json:"seconds"`
	Rows    int64     `json:"rows,omitempty"`
	Machine string    `json:"machine"` // such as linux/amd64
}

// ErrNotDone says that a task came to the end of its time. It left a checkpoint, and goes on
// from there when it is given again.
var ErrNotDone = errors.New("the time of the task is over")

// Begun is what an attempt of a task writes when it begins.
type Begun struct {
	Attempt int       `json:"attempt"` // 1 is the first
	Host    string    `json:"host"`
	At      time.Time `json:"at"`
}

// begin writes that an attempt of a task begins. Of two that begin at once one may not be
// counted.
func (e *Env) begin(ctx context.Context, t Task, start time.Time) error {
	b := Begun{Attempt: 1, At: start.UTC()}
	b.Host, _ = os.Hostname()
	text, err := e.Bucket.Get(ctx, t.begun())
	if err != nil && !errors.Is(err, bucket.ErrMissing) {
		return err
	}
	var before Begun
	if err == nil && json.Unmarshal(text, &before) == nil {
		b.Attempt = before.Attempt + 1
	}
	if text, err = json.Marshal(b); err != nil {
		return err
	}
	return e.Bucket.Put(ctx, t.begun(), text)
}

// Do does one task, unless its result is there. A permanent error is written as an object,
// and is not returned: whoever called Do would try again. The fold reports it.
func (e *Env) Do(ctx context.Context, t Task) error {
	for _, there := range []string{t.done(), t.failed()} {
		if _, err := e.Bucket.Stat(ctx, there); err == nil {
			return nil
		} else if !errors.Is(err, bucket.ErrMissing) {
			return err
		}
	}
	req, k, err := e.request(ctx, t.Dir)
	if err != nil {
		return err
	}
	if t.Index >= req.Tasks {
		return fmt.Errorf("%v: the pass has %d tasks", t, req.Tasks)
	}
	start := time.Now()
	if err := e.begin(ctx, t, start); err != nil {
		return err
	}
	var out Result
	err = guard(func() error {
		out, err = k.Do(ctx, e, req.Body, t.Index)
		return err
	})
	switch {
	case err == nil:
		return e.finish(ctx, t, out, start)
	case errors.Is(err, ErrNotDone):
		return nil
	}
	if permanent := (*Permanent)(nil); ctx.Err() != nil || !errors.As(err, &permanent) {
		return fmt.Errorf("%v: %w", t, err)
	}
	_, err = e.Bucket.PutOnce(ctx, t.failed(), []byte(escaped(err).Error()))
	return err
}

// guard makes an error of a panic: a crash of a model is a failed task.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Permanent{fmt.Errorf("internal error: %v", p)}
		}
	}()
	return f()
}

// finish writes a result, and then that it is there.
func (e *Env) finish(ctx context.Context, t Task, out Result, start time.Time) error {
	if err := e.Bucket.Put(ctx, t.result(), out.Bytes); err != nil {
		return err
	}
	sum := sha256.Sum256(out.Bytes)
	host, _ := os.Hostname()
	d := Done{len(out.Bytes), hex.EncodeToString(sum[:]), host, time.Now().UTC(),
		time.Since(start).Seconds(), out.Rows, runtime.GOOS + "/" + runtime.GOARCH}
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	_, err = e.Bucket.PutOnce(ctx, t.done(), text) // another attempt wrote the same bytes
	if err == nil && e.Told != nil {
		e.Told(t, &d)
	}
	return err
}

// request reads the request of a pass.
func (e *Env) request(ctx context.Context, dir string) (*Request, *Kind, error) {
	text, err := e.Bucket.Get(ctx, path.Join(dir, "request.json"))
	if err != nil {
		return nil, nil, err
	}
	req := new(Request)
	if err := json.Unmarshal(text, req); err != nil {
		return nil, nil, fmt.Errorf("%s/request.json: %w", dir, err)
	}
	if req.Run != e.identity {
		return nil, nil, &Permanent{fmt.Errorf("%s belongs to another %s than the one that is there, "+
			"which has been changed or damaged", dir, runFile)}
	}
	k := Lookup(req.Kind)
	if k == nil {
		return nil, nil, fmt.Errorf("%s/request.json: there is no kind of pass %q", dir, req.Kind)
	}
	return req, k, nil
}
