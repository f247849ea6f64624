package pass

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/worker"
)

// A Summary says what the results of a pass come to.
type Summary struct {
	Dir   string `json:"pass"`
	Kind  string `json:"kind"`
	Tasks int    `json:"tasks"`
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"` // of all results
	// SHA256 is of the results of all tasks, in their order: two passes with the same one have the
	// same bits.
	SHA256 string  `json:"sha256"`
	Values []Value `json:"values,omitempty"`
}

// A Value is a number that the results of a pass come to.
type Value struct {
	Name  string        `json:"name"`
	Value worker.Number `json:"value"`
	Says  string        `json:"says"` // what it is of
}

// A teller takes the results of a pass, in the order of the tasks, and says what they come to.
type teller struct {
	take   func(result []byte) error
	values func() []Value
}

// tellers are those of the kinds of passes whose results are numbers that add up.
var tellers = map[string]func(e *Env) (*teller, error){
	"gradient":     adding("gradient"),
	"statistics":   adding("statistics"),
	"leverage":     leverages,
	"check":        likelihoods,
	"subposterior": agreements,
}

// Fold folds the results of a pass that is there, and says what they come to. Each is held
// against its check sum. The error is an *UnfinishedError where tasks have no result.
func (e *Env) Fold(ctx context.Context, dir string) (*Summary, error) {
	req, _, err := e.request(ctx, dir)
	if err != nil {
		return nil, err
	}
	kind := req.Kind
	var of foldBody
	if kind == "fold" && json.Unmarshal(req.Body, &of) == nil {
		kind = of.Kind
	}
	var tell *teller
	if begin := tellers[kind]; begin != nil {
		if tell, err = begin(e); err != nil {
			return nil, err
		}
	}
	s := &Summary{Dir: dir, Kind: req.Kind, Tasks: req.Tasks}
	if err := e.finished(ctx, dir, req.Tasks); err != nil {
		return nil, err
	}
	sum := sha256.New()
	err = e.fold(ctx, Unfinished{}, dir, req.Tasks, func(i int, result []byte) error {
		d, err := e.Ended(ctx, Task{dir, i})
		if err != nil {
			return err
		}
		s.Rows += d.Rows
		s.Bytes += int64(len(result))
		sum.Write(result)
		if tell == nil {
			return nil
		}
		if err := tell.take(result); err != nil {
			return fmt.Errorf("%v: %w", Task{dir, i}, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if s.SHA256 = hex.EncodeToString(sum.Sum(nil)); tell != nil {
		s.Values = tell.values()
	}
	return s, nil
}

// finished is an *UnfinishedError where tasks have no result.
func (e *Env) finished(ctx context.Context, dir string, tasks int) error {
	due, err := e.Due(ctx, dir, tasks)
	if err == nil && len(due) > 0 {
		err = Unfinished{}.Run(ctx, e, due)
	}
	return err
}

// Ended reads what was written when a task ended.
func (e *Env) Ended(ctx context.Context, t Task) (*Done, error) {
	text, err := e.Bucket.Get(ctx, t.done())
	if err != nil {
		return nil, err
	}
	d := new(Done)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, &DamagedError{t}
	}
	return d, nil
}

// An UnfinishedError says that tasks have no result.
type UnfinishedError struct {
	First Task
	Tasks int
}

func (e *UnfinishedError) Error() string {
	if e.Tasks == 1 {
		return fmt.Sprintf("%v has no result that is whole", e.First)
	}
	return fmt.Sprintf("%d tasks have no result that is whole, the first is %v", e.Tasks, e.First)
}

// Unfinished is a front that does no task: that there are some is an *UnfinishedError.
type Unfinished struct{}

// Run implements Front.
func (Unfinished) Run(_ context.Context, _ *Env, tasks []Task) error {
	return &UnfinishedError{tasks[0], len(tasks)}
}

// adding tells what an adder has added up.
func adding(kind string) func(e *Env) (*teller, error) {
	return func(e *Env) (*teller, error) {
		a, err := adders[kind](e)
		if err != nil {
			return nil, err
		}
		return &teller{a.add, func() []Value { return a.(interface{ values() []Value }).values() }}, nil
	}
}

func (s *expansionSum) values() []Value {
	steep, least, most := 0.0, math.Inf(1), math.Inf(-1)
	d := len(s.all.Gradient)
	for i, g := range s.all.Gradient {
		steep = max(steep, math.Abs(g))
		h := -s.all.Hessian[i*d+i]
		least, most = min(least, h), max(most, h)
	}
	return []Value{{"unknowns", worker.Number(d), "of the model, on R^n"},
		{"log_likelihood", worker.Number(s.all.Value), "of all rows at the anchor"},
		{"gradient", worker.Number(steep), "the largest of its entries, of all rows at the anchor"},
		{"curvature_least", worker.Number(least),
			"the least of minus the second derivatives by one unknown"},
		{"curvature_most", worker.Number(most), "the largest of these"}}
}

func (s *statisticsSum) values() []Value {
	if s.differ {
		return []Value{{"shards", worker.Number(len(s.list)),
			"find different sizes or words: a second pass has the sums"}}
	}
	return []Value{{"shards", worker.Number(len(s.list)), "whose sums are merged in their order"},
		{"sums", worker.Number(len(s.sums.Values)), "by which all rows enter the likelihood"}}
}

func leverages(*Env) (*teller, error) {
	total, taken, most := 0.0, 0, 0.0
	return &teller{func(result []byte) error {
		var head leverageHead
		_, _, err := decode(result, &head)
		total += head.Total
		taken += len(head.H)
		for _, h := range head.H {
			most = max(most, h)
		}
		return err
	}, func() []Value {
		return []Value{{"leverages", worker.Number(total),
			"of all rows, added up: about the number of unknowns"},
			{"taken", worker.Number(taken), "rows, drawn by their leverage"},
			{"largest", worker.Number(most), "the largest leverage of these"}}
	}}, nil
}

func likelihoods(*Env) (*teller, error) {
	var sum []float64
	return &teller{func(result []byte) error {
		rows := 0
		x, _, err := decode(result, &rows)
		if err == nil && sum != nil && len(sum) != len(x) {
			err = errResult
		}
		if err != nil {
			return err
		}
		if sum == nil {
			sum = make([]float64, len(x))
		}
		for i, v := range x {
			sum[i] += v
		}
		return nil
	}, func() []Value {
		least, most := math.Inf(1), math.Inf(-1)
		for _, v := range sum {
			least, most = min(least, v), max(most, v)
		}
		return []Value{{"states", worker.Number(len(sum)), "at which the likelihood was computed"},
			{"log_likelihood_least", worker.Number(least), "of all rows, at the worst state"},
			{"log_likelihood_most", worker.Number(most), "at the best"}}
	}}, nil
}

func agreements(e *Env) (*teller, error) {
	c, err := e.Compiled()
	if err != nil {
		return nil, err
	}
	worst, at, k, dim := 1.0, 0, 0, 0
	return &teller{func(result []byte) error {
		rows := 0
		x, _, err := decode(result, &rows)
		if err != nil {
			return err
		}
		for expansionLen(dim) < len(x) { // as many numbers as a second order has
			dim++
		}
		m, err := worker.MomentsOf(x, dim)
		if err != nil {
			return errors.Join(errResult, err)
		}
		if m.Rhat > worst {
			worst, at = m.Rhat, k
		}
		k++
		return nil
	}, func() []Value {
		return []Value{{"subposteriors", worker.Number(k),
			"of " + c.Spec.Name + ", one of each shard"},
			{"unknowns", worker.Number(dim), "of the model, on R^n"},
			{"rhat", worker.Number(worst), fmt.Sprintf("the largest of their chains, of shard %d", at)}}
	}}, nil
}
