package pass

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/sgppl/sgppl/cluster/bucket"
)

// A Front does tasks: all of them, in any order, any number of times each. Its error is
// that of tasks that may go well when they are tried again.
type Front interface {
	Run(ctx context.Context, e *Env, tasks []Task) error
}

// Pass does a pass and hands the results to take in the order of the tasks. What is done
// already is not done again. number and kind name the objects of the pass.
func (e *Env) Pass(
	ctx context.Context, front Front, number int, kind string, tasks int, body any,
	take func(index int, result []byte) error,
) error {
	dir, err := e.Ask(ctx, number, kind, tasks, body)
	if err != nil {
		return err
	}
	if err := e.settle(ctx, front, dir, tasks); err != nil {
		return err
	}
	return e.fold(ctx, front, dir, tasks, take)
}

// Ask writes the request of a pass, and returns where its objects are.
func (e *Env) Ask(
	ctx context.Context,
	number int,
	kind string,
	tasks int,
	body any,
) (string, error) {
	dir := fmt.Sprintf("pass/%03d-%s", number, kind)
	raw, err := json.Marshal(body)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(Request{kind, tasks, e.identity, raw})
	if err != nil {
		return "", err
	}
	name := path.Join(dir, "request.json")
	wrote, err := e.Bucket.PutOnce(ctx, name, text)
	if err != nil || wrote {
		return dir, err
	}
	old, err := e.Bucket.Get(ctx, name)
	if err == nil && !bytes.Equal(old, text) {
		err = &Permanent{fmt.Errorf("%s: %s was asked for with other settings; another --out is expected",
			e.Bucket.URL, dir)}
	}
	return dir, err
}

// Asked reads what a pass was asked for.
func (e *Env) Asked(ctx context.Context, dir string, body any) error {
	req, _, err := e.request(ctx, dir)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(req.Body, body); err != nil {
		return &Permanent{fmt.Errorf("%s/request.json: %w", dir, err)}
	}
	return nil
}

// settle has the front do what is not done.
func (e *Env) settle(ctx context.Context, front Front, dir string, tasks int) error {
	for { // tasks that are not done in their time are given again
		due, err := e.Due(ctx, dir, tasks)
		if err != nil || len(due) == 0 {
			return err
		}
		if err := e.ready(ctx, dir); err != nil {
			return err
		}
		if err := front.Run(ctx, e, due); err != nil {
			return err
		}
	}
}

// Due lists the tasks of a pass that have no result and no permanent error.
func (e *Env) Due(ctx context.Context, dir string, tasks int) ([]Task, error) {
	ended, err := e.ended(ctx, dir)
	if err != nil {
		return nil, err
	}
	var due []Task
	for i := range tasks {
		if t := (Task{dir, i}); ended[t.done()] == 0 && ended[t.failed()] == 0 {
			due = append(due, t)
		}
	}
	return due, nil
}

// ended has the objects of tasks that ended.
func (e *Env) ended(ctx context.Context, dir string) (map[string]int, error) {
	objects, err := e.Bucket.List(ctx, dir+"/")
	if err != nil {
		return nil, err
	}
	out := map[string]int{}
	for _, o := range objects {
		if strings.HasSuffix(o.Name, ".done") || strings.HasSuffix(o.Name, ".failed") {
			out[o.Name]++
		}
	}
	return out, nil
}

// fold reads the results in their order. One that is damaged is made again, once.
func (e *Env) fold(
	ctx context.Context, front Front, dir string, tasks int, take func(int, []byte) error,
) error {
	if err := e.failures(ctx, dir, tasks); err != nil {
		return err
	}
	for i := range tasks {
		t := Task{dir, i}
		result, err := e.Result(ctx, t)
		if damaged := (*DamagedError)(nil); errors.As(err, &damaged) {
			if err := e.Bucket.Delete(ctx, t.done()); err != nil {
				return err
			}
			if err := front.Run(ctx, e, []Task{t}); err != nil {
				return err
			}
			result, err = e.Result(ctx, t)
		}
		if err != nil {
			return err
		}
		if err := take(i, result); err != nil {
			return err
		}
	}
	return nil
}

// failures joins the permanent errors of the tasks of a pass.
func (e *Env) failures(ctx context.Context, dir string, tasks int) error {
	ended, err := e.ended(ctx, dir)
	if err != nil {
		return err
	}
	var list []error
	for i := range tasks {
		t := Task{dir, i}
		if ended[t.failed()] > 0 && ended[t.done()] == 0 {
			text, err := e.Bucket.Get(ctx, t.failed())
			if err != nil {
				return err
			}
			list = append(list, failure(text))
		}
	}
	if len(list) > 0 {
		return &Permanent{errors.Join(list...)}
	}
	return nil
}

// A DamagedError says that a result is not what was written.
type DamagedError struct{ Task Task }

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the result of %v is damaged", e.Task)
}

// Result reads the result of a task, which is held against its check sum.
func (e *Env) Result(ctx context.Context, t Task) ([]byte, error) {
	text, err := e.Bucket.Get(ctx, t.done())
	if errors.Is(err, bucket.ErrMissing) {
		return nil, fmt.Errorf("%v has not been done: the same command goes on with it", t)
	}
	if err != nil {
		return nil, err
	}
	var d Done
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, &DamagedError{t}
	}
	result, err := e.Bucket.Get(ctx, t.result())
	if errors.Is(err, bucket.ErrMissing) {
		return nil, &DamagedError{t}
	}
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(result)
	if len(result) != d.Bytes || hex.EncodeToString(sum[:]) != d.SHA256 {
		return nil, &DamagedError{t}
	}
	return result, nil
}
