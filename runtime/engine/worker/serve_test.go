package worker

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/host"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// nothing is the code of a model without unknowns.
type nothing struct{}

func (nothing) Func(string, map[string]int, int) model.Func { return empty{} }

type empty struct{}

func (empty) Prepare(*model.Frame) {}
func (empty) Rows(*model.Frame)    {}
func (empty) Finish(*model.Frame)  {}

func compiled() (*model.Spec, model.Code) {
	return &model.Spec{Name: "empty", Version: "1",
		Schema: data.Schema{Dims: []data.Dim{{Name: "N"}}},
		Data:   []model.Datum{{Name: "y", Shape: []size.Poly{size.Dim("N")}}}}, nothing{}
}

func three() *data.Bound {
	return &data.Bound{Dims: map[string]int{"N": 3},
		Values: map[string]*array.Value{"y": array.Dense([]float64{1, 2, 4}, 3)}}
}

// with adds kinds to the table while a test runs.
func with(t *testing.T, kinds ...Kind) {
	old := Kinds
	Kinds = append(old[:len(old):len(old)], kinds...)
	t.Cleanup(func() { Kinds = old })
}

// A program answers requests in turn, keeps the shared bytes, and outlives errors and panics
// of the work.
func TestServe(t *testing.T) {
	with(t, Kind{"echo", "", func(_ context.Context, m *model.Model, q *Request) ([]byte, error) {
		return append([]byte(m.Name()+" "+string(q.Body)+" "), q.Shared...), nil
	}}, Kind{"panic", "", func(context.Context, *model.Model, *Request) ([]byte, error) {
		panic("out of luck")
	}}, Kind{"fail", "", func(context.Context, *model.Model, *Request) ([]byte, error) {
		return nil, errors.New("no\x1bgood")
	}})
	in, to := io.Pipe()
	from, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- Serve(in, out, compiled) }()
	r, sent, sizes := bufio.NewReader(from), "", []int(nil)
	for _, c := range []struct{ kind, body, shared, want, wrong string }{
		{"echo", `{"a":1}`, "", `empty {"a":1} `, ""},
		{"echo", `2`, strings.Repeat("draws", 1000), "empty 2 " + strings.Repeat("draws", 1000), ""},
		{"panic", `3`, "", "", "internal error: out of luck"},
		{"fail", `4`, "", "", `no\u001bgood`},
		{"nothing", `5`, "", "", `no work of the kind "nothing"`},
		{"echo", `6`, strings.Repeat("draws", 1000), "empty 6 " + strings.Repeat("draws", 1000), ""},
		{"echo", `7`, "", "empty 7 ", ""},
		{"echo", `8`, "others", "empty 8 others", ""},
	} {
		q := &Request{Kind: c.kind, Body: []byte(c.body)}
		if c.shared != "" {
			q.Shared = []byte(c.shared)
		}
		var b bytes.Buffer
		if err := Ask(&b, host.Job{}, three(), q, &sent); err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, b.Len())
		if _, err := to.Write(b.Bytes()); err != nil {
			t.Fatal(err)
		}
		got, err := Hear(r)
		if c.wrong == "" && err != nil || string(got) != c.want {
			t.Errorf("%s %s: %q, %v", c.kind, c.body, got, err)
		}
		if own := (*Error)(nil); c.wrong != "" &&
			(!errors.As(err, &own) || !strings.Contains(own.Message, c.wrong)) {
			t.Errorf("%s %s: %v", c.kind, c.body, err)
		}
	}
	if sizes[1] < sizes[5]+4000 {
		t.Errorf("the shared bytes are sent again: %v", sizes)
	}
	to.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// When who asked is gone the work is cancelled, and the program ends.
func TestServeAlone(t *testing.T) {
	in, to := io.Pipe()
	with(t, Kind{"wait", "", func(ctx context.Context, _ *model.Model, _ *Request) ([]byte, error) {
		to.Close()
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	ended := make(chan error, 1)
	go func() { ended <- Serve(in, io.Discard, compiled) }()
	sent := ""
	if err := Ask(to, host.Job{}, three(), &Request{Kind: "wait"}, &sent); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Requests and answers of any bytes are errors, or are what was sent.
func TestServeDamaged(t *testing.T) {
	var b bytes.Buffer
	sent := ""
	q := &Request{Kind: "score", Shared: []byte("draws")}
	if err := Ask(&b, host.Job{}, three(), q, &sent); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-1] ^= 1 // of the shared bytes
	for _, text := range [][]byte{whole[:10], whole[:len(whole)-1], flipped,
		append([]byte("{}\n"), whole...)} {
		if err := Serve(bytes.NewReader(text), io.Discard, compiled); err == nil {
			t.Errorf("%d bytes of %d: no error", len(text), len(whole))
		}
	}
	for _, text := range []string{"", "{", "[]\n", `{"bytes":-1}` + "\n", `{"bytes":5}` + "\nabc"} {
		if out, err := Hear(bufio.NewReader(strings.NewReader(text))); err == nil {
			t.Errorf("%q is the answer %q", text, out)
		}
	}
	if _, err := ParseDraws(q.Shared); err == nil {
		t.Error("what is no object of draws is read as one")
	}
}
