// Package serving lets programs in other languages evaluate models: log densities, gradients,
// and maps between the unconstrained state and the model's own coordinates, by a
// conversation on two streams. docs/serve.md has the protocol.
package serving

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/target"
)

// mostLine bounds a request, so that a wrong client does not fill memory.
const mostLine = 1 << 30

// Codes of errors, as JSON-RPC 2.0 has them. Errors of models and data have the exit status
// that the command would end with.
const (
	ParseError    = -32700
	UnknownMethod = -32601
	InvalidParams = -32602
)

// An Error is why a request has no result.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Message }

func invalid(format string, args ...any) error {
	return &Error{InvalidParams, fmt.Sprintf(format, args...)}
}

// Source says which model is bound to which data, in the words of the command line.
type Source struct {
	Model  string   `json:"model"` // a path
	Text   string   `json:"text"`  // the model itself, in place of a path
	Data   []string `json:"data"`
	Set    []string `json:"set"`
	Names  []string `json:"names"`
	Levels []string `json:"levels"`
	NA     string   `json:"na"`
}

// A Binder compiles a model and binds it to data. Its errors may be of type *Error.
type Binder func(Source) (target.Target, error)

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// A bound is a model with its data, and a workspace.
type bound struct {
	target.Target
	eval target.Evaluator
	grad []float64
	out  []float64
}

type server struct {
	bind   Binder
	models map[int]*bound
	next   int
}

// Serve answers the requests of in, one a line, on out, until in ends.
func Serve(in io.Reader, out io.Writer, bind Binder) error {
	s := &server{bind: bind, models: map[int]*bound{}}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, mostLine)
	w := bufio.NewWriter(out)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		if err := json.NewEncoder(w).Encode(s.answer([]byte(line))); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return lines.Err()
}

// answer is the response to a line.
func (s *server) answer(line []byte) response {
	a := response{Version: "2.0", ID: json.RawMessage("null")}
	var q request
	if err := json.Unmarshal(line, &q); err != nil {
		a.Error = &Error{ParseError, "not a request: " + err.Error()}
		return a
	}
	if q.ID != nil {
		a.ID = q.ID
	}
	result, err := s.call(q)
	var own *Error
	switch {
	case errors.As(err, &own):
		a.Error = own
	case err != nil:
		a.Error = &Error{InvalidParams, err.Error()}
	default:
		a.Result = result
	}
	return a
}

// params are those of all methods but bind.
type params struct {
	Model    *int                 `json:"model"`
	X        []float64            `json:"x"`
	Values   map[string][]float64 `json:"values"`
	Jacobian *bool                `json:"jacobian"`
	Rows     []int                `json:"rows"`
	Scale    *float64             `json:"scale"`
}

func (s *server) call(q request) (any, error) {
	if q.Method == "bind" {
		var source Source
		if err := json.Unmarshal(q.Params, &source); err != nil {
			return nil, invalid("bind: %v", err)
		}
		return s.open(source)
	}
	method, is := methods[q.Method]
	if !is {
		return nil, &Error{UnknownMethod, fmt.Sprintf("there is no method %q; there are bind, %s",
			q.Method, strings.Join(slices.Sorted(maps.Keys(methods)), ", "))}
	}
	var p params
	if err := json.Unmarshal(q.Params, &p); err != nil {
		return nil, invalid("%s: %v", q.Method, err)
	}
	if p.Model == nil || s.models[*p.Model] == nil {
		return nil, invalid("%s: model must be a number that bind returned", q.Method)
	}
	if q.Method == "close" {
		delete(s.models, *p.Model)
		return true, nil
	}
	return method(s.models[*p.Model], &p)
}

// A number is written as it is; what is not finite is one of the words NaN, Inf and -Inf.
type number float64

func (x number) MarshalJSON() ([]byte, error) {
	f := float64(x)
	switch {
	case math.IsNaN(f):
		return []byte(`"NaN"`), nil
	case math.IsInf(f, 1):
		return []byte(`"Inf"`), nil
	case math.IsInf(f, -1):
		return []byte(`"-Inf"`), nil
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64), nil
}

func numbers(x []float64) []number {
	out := make([]number, len(x))
	for i, v := range x {
		out[i] = number(v)
	}
	return out
}
