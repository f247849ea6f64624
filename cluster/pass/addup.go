package pass

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
)

// largeFold is from how many bytes of results on tasks add them up in groups, and the driver
// adds up those of the groups. It decides the order of sums, and so their bits: it is a constant
// for all but tests.
var largeFold int64 = 1 << 30

// foldEach is how many results a task adds up.
const foldEach = 64

// An adder adds up the results of a kind of pass, in the order of its tasks.
type adder interface {
	// add takes the result of a task, or of a task that has added up several.
	add(result []byte) error
	// sum has what add takes.
	sum() ([]byte, error)
}

// adders are those of the kinds of passes whose results may be large.
var adders = map[string]func(e *Env) (adder, error){
	"gradient": func(*Env) (adder, error) { return &expansionSum{}, nil },
	"statistics": func(e *Env) (adder, error) {
		c, err := e.Compiled()
		if err != nil {
			return nil, err
		}
		return &statisticsSum{spec: c.Spec}, nil
	},
}

// A foldBody asks for the sums of the results of another pass, Each tasks at a time.
type foldBody struct {
	Of    string `json:"of"`   // the directory of the pass
	Kind  string `json:"kind"` // of the pass
	Tasks int    `json:"tasks"`
	Each  int    `json:"each"`
}

// doFold adds up the results of some tasks. A result that is damaged is made again.
func doFold(ctx context.Context, e *Env, body json.RawMessage, index int) (Result, error) {
	var ask foldBody
	if err := json.Unmarshal(body, &ask); err != nil {
		return Result{}, &Permanent{err}
	}
	of := adders[ask.Kind]
	if of == nil || ask.Each < 1 {
		return Result{}, &Permanent{fmt.Errorf("results of a pass %q are not added up by tasks",
			ask.Kind)}
	}
	sum, err := of(e)
	if err != nil {
		return Result{}, err
	}
	for i := index * ask.Each; i < min((index+1)*ask.Each, ask.Tasks); i++ {
		t := Task{ask.Of, i}
		result, err := e.Result(ctx, t)
		if damaged := (*DamagedError)(nil); errors.As(err, &damaged) {
			if err := e.Bucket.Delete(ctx, t.done()); err != nil {
				return Result{}, err
			}
			if err := e.again(ctx, t); err != nil {
				return Result{}, err
			}
			result, err = e.Result(ctx, t)
		}
		if err != nil {
			return Result{}, err
		}
		if err := sum.add(result); err != nil {
			return Result{}, fmt.Errorf("%v: %w", t, err)
		}
	}
	out, err := sum.sum()
	return Result{Bytes: out}, err
}

// addUp does a pass over all shards whose results are about so many numbers each, and adds them
// up in the order of the shards: here, or, where they are large, by the tasks of a pass that
// follows. It returns the number of the next pass.
func (e *Env) addUp(
	ctx context.Context, front Front, number int, kind string, body any, numbers int, sum adder,
) (next int, err error) {
	tasks := len(e.Run.Manifest.Shards)
	take := func(_ int, result []byte) error { return sum.add(result) }
	if tasks <= foldEach || int64(numbers)*8*int64(tasks) <= largeFold {
		return number + 1, e.Pass(ctx, front, number, kind, tasks, body, take)
	}
	dir, err := e.Ask(ctx, number, kind, tasks, body)
	if err != nil {
		return 0, err
	}
	if err := e.settle(ctx, front, dir, tasks); err != nil {
		return 0, err
	}
	if err := e.failures(ctx, dir, tasks); err != nil {
		return 0, err
	}
	ask := foldBody{dir, kind, tasks, foldEach}
	return number + 2, e.Pass(ctx, front, number+1, "fold", (tasks+foldEach-1)/foldEach, ask, take)
}

// An expansionSum adds up second orders.
type expansionSum struct{ all *surrogate.Expansion }

func (s *expansionSum) add(result []byte) error {
	x, err := expansion(result)
	switch {
	case err != nil:
		return err
	case s.all == nil:
		s.all = x
	case len(x.Gradient) != len(s.all.Gradient):
		return errResult
	default:
		s.all.Add(x)
	}
	return nil
}

func (s *expansionSum) sum() ([]byte, error) {
	d := len(s.all.Gradient)
	list := append([]float64{s.all.Value}, s.all.Gradient...)
	for i := range d {
		list = append(list, s.all.Hessian[i*d+i:(i+1)*d]...)
	}
	return encode(s.all.Rows, list, nil)
}

// A statisticsSum adds up sums of shards that find the same sizes and words. Of others it has
// only what each found.
type statisticsSum struct {
	spec   *model.Spec
	list   []found
	sums   *model.Folded // nil before the first, and where shards differ
	differ bool
}

func (s *statisticsSum) add(result []byte) error {
	var heads []found
	x, _, err := decode(result, &heads)
	if err != nil {
		return err
	}
	if len(heads) == 0 {
		return errResult
	}
	first, part := len(s.list) == 0, &model.Folded{Values: x}
	s.list = append(s.list, heads...)
	for i := range heads {
		s.differ = s.differ || !heads[i].same(&s.list[0])
		part.Rows += int(heads[i].Rows)
	}
	switch {
	case s.differ:
		s.sums = nil
		return nil
	case first:
		s.sums = part
		return nil
	}
	return s.spec.Merge(s.list[0].Dims, s.sums, part)
}

func (s *statisticsSum) sum() ([]byte, error) {
	if s.differ {
		return encode(s.list, nil, nil)
	}
	return encode(s.list, s.sums.Values, nil)
}
