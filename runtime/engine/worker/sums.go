package worker

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
)

// Doubles are float64s whose JSON is their bytes, little-endian, in base64: short, and the same
// numbers to the bit.
type Doubles []float64

// Bytes are those of the numbers, little-endian.
func (x Doubles) Bytes() []byte {
	b := make([]byte, 0, 8*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// ParseDoubles undoes Bytes.
func ParseDoubles(b []byte) (Doubles, error) {
	if len(b)%8 != 0 {
		return nil, fmt.Errorf("%d bytes are no list of doubles", len(b))
	}
	x := make(Doubles, len(b)/8)
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return x, nil
}

// MarshalJSON implements json.Marshaler.
func (x Doubles) MarshalJSON() ([]byte, error) {
	return json.Marshal(base64.StdEncoding.EncodeToString(x.Bytes()))
}

// UnmarshalJSON implements json.Unmarshaler.
func (x *Doubles) UnmarshalJSON(text []byte) error {
	var b []byte
	if err := json.Unmarshal(text, &b); err != nil {
		return err
	}
	y, err := ParseDoubles(b)
	*x = y
	return err
}

// sums is what adds up over the rows of a model, by one thread.
func sums(m *model.Model) (*tall.Sums, error) { return tall.NewSums(m, loop.Options{Threads: 1}) }

// An Anchor is the body of the kind "gradient": a state, and about the posterior's standard
// deviations, which second derivatives take as the unit of their steps.
type Anchor struct {
	At  Doubles `json:"anchor"`
	SDs Doubles `json:"sds"`
}

var errAnchor = errors.New("the numbers of a request do not fit the unknowns of the model")

// gradient computes the second order of the log likelihood of all rows at an anchor: its
// value, the gradient, and the upper triangle of the second derivative by rows, as Doubles.
func gradient(ctx context.Context, m *model.Model, q *Request) ([]byte, error) {
	var a Anchor
	if err := json.Unmarshal(q.Body, &a); err != nil {
		return nil, err
	}
	d := m.Dim()
	if len(a.At) != d || len(a.SDs) != d {
		return nil, errAnchor
	}
	p, err := sums(m)
	if err != nil {
		return nil, err
	}
	x, err := surrogate.Expand(ctx, p, m.Rows(), a.At, a.SDs)
	if err != nil {
		return nil, err
	}
	list := append(Doubles{x.Value}, x.Gradient...)
	for i := range d {
		list = append(list, x.Hessian[i*d+i:(i+1)*d]...)
	}
	return list.Bytes(), nil
}

// A Whitened is the body of the kind "leverage": an anchor, and the map in whose coordinates
// the posterior is near N(0, I). One of Chol and Diag is set.
type Whitened struct {
	Seed uint64  `json:"seed"`
	At   Doubles `json:"anchor"`
	Mean Doubles `json:"mean"`
	Chol Doubles `json:"chol,omitempty"`
	Diag Doubles `json:"diag,omitempty"`
}

// leverage computes the leverage of each row, as Doubles.
func leverage(ctx context.Context, m *model.Model, q *Request) ([]byte, error) {
	var a Whitened
	if err := json.Unmarshal(q.Body, &a); err != nil {
		return nil, err
	}
	d := m.Dim()
	if len(a.At) != d || len(a.Mean) != d || len(a.Chol) != d*d && len(a.Diag) != d {
		return nil, errAnchor
	}
	p, err := sums(m)
	if err != nil {
		return nil, err
	}
	white := &whitening.Map{Mean: a.Mean, Chol: a.Chol, Diag: a.Diag}
	h := make(Doubles, m.Rows())
	if err := surrogate.Leverages(ctx, p, a.At, white, a.Seed, h); err != nil {
		return nil, err
	}
	return h.Bytes(), nil
}

// check computes the log likelihood of all rows together at each of the draws that requests
// share, as Doubles.
func check(ctx context.Context, m *model.Model, q *Request) ([]byte, error) {
	d, err := ParseDraws(q.Shared)
	if err != nil {
		return nil, err
	}
	if d.Dim != m.Dim() {
		return nil, errAnchor
	}
	p, err := sums(m)
	if err != nil {
		return nil, err
	}
	states := make([][]float64, d.Len())
	for i := range states {
		states[i] = d.State(i)
	}
	out := make(Doubles, len(states))
	if err := surrogate.LogLik(ctx, p, states, out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// A Share is the body of the kind "subposterior".
type Share struct {
	Prior Number `json:"prior"` // the power of the prior
	Rows  Number `json:"rows"`  // the power of the likelihood
	Seed  uint64 `json:"seed"`
}

// subposterior computes the moments of powers of the prior times the likelihood of all rows:
// R-hat, the mean, and the upper triangle of the covariance by rows, as Doubles.
func subposterior(ctx context.Context, m *model.Model, q *Request) ([]byte, error) {
	var s Share
	if err := json.Unmarshal(q.Body, &s); err != nil {
		return nil, err
	}
	x, err := surrogate.Subposterior(ctx, m, float64(s.Prior), float64(s.Rows), s.Seed)
	if err != nil {
		return nil, err
	}
	d := m.Dim()
	list := append(Doubles{x.Rhat}, x.Mean...)
	for i := range d {
		list = append(list, x.Cov[i*d+i:(i+1)*d]...)
	}
	return list.Bytes(), nil
}

// MomentsOf undoes what the kind "subposterior" writes for d unknowns.
func MomentsOf(list []float64, d int) (*surrogate.Moments, error) {
	if len(list) != 1+d+d*(d+1)/2 {
		return nil, errAnchor
	}
	x := &surrogate.Moments{Rhat: list[0], Mean: list[1 : 1+d], Cov: make([]float64, d*d)}
	list = list[1+d:]
	for i := range d {
		for j := i; j < d; j++ {
			x.Cov[i*d+j], x.Cov[j*d+i] = list[j-i], list[j-i]
		}
		list = list[d-i:]
	}
	return x, nil
}
