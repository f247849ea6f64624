// Package worker is what the tasks of a cluster ask of a model that is bound to rows: its
// kinds of work are in a table, and each is a function of the model and the request to bytes.
// They run in the process that asks, by the VM, or in the program that a model was built
// into, which Main answers for. Both have the same bits.
package worker

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A Request is one piece of work for a model.
type Request struct {
	Kind string          `json:"kind"` // the name of a row of Kinds
	Body json.RawMessage `json:"body,omitempty"`
	// Shared are bytes that many requests have in common, such as the draws that rows are
	// looked at by. A program is sent them once.
	Shared []byte `json:"-"`
}

// A Kind is a kind of work. Do gives the same bytes wherever and whenever it runs. Its errors
// are those of the data and the model, which another attempt would find again, or of ctx.
type Kind struct {
	Name string
	Doc  string
	Do   func(ctx context.Context, m *model.Model, q *Request) ([]byte, error)
}

// Kinds lists what a model can be asked for.
var Kinds = []Kind{
	{"gradient", "the second order of the log likelihood of rows at an anchor", gradient},
	{"leverage", "how much each row says where the posterior is", leverage},
	{"check", "the log likelihood of rows together at each draw", check},
	{"subposterior", "moments of the prior to a power times the likelihood of rows", subposterior},
	{"score", "the log predictive density of rows under draws, and their errors", score},
	{"log-lik", "the log likelihood of each row at each draw", logLik},
	{"loo", "Pareto-smoothed leave-one-out densities of rows", loo},
	{"predict", "expected values and probabilities of classes of rows", predict},
	{"posterior", "draws of the posterior given the rows, described", posterior},
	{"replicate", "some draws of the posterior that are as good as independent", kept},
}

// Lookup finds a kind by its name; nil where there is none.
func Lookup(name string) *Kind {
	for i := range Kinds {
		if Kinds[i].Name == name {
			return &Kinds[i]
		}
	}
	return nil
}

// Do does the work of a request. A panic of the model is an error.
func Do(ctx context.Context, m *model.Model, q *Request) (out []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error: %v", p)
		}
	}()
	k := Lookup(q.Kind)
	if k == nil {
		return nil, fmt.Errorf("there is no work of the kind %q", q.Kind)
	}
	return k.Do(ctx, m, q)
}
