package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
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

func job(t *testing.T, j Job) string {
	t.Helper()
	var b bytes.Buffer
	bound := &data.Bound{Dims: map[string]int{"N": 3},
		Values: map[string]*array.Value{"y": array.Dense([]float64{1, 2, 4}, 3)}}
	if err := WriteJob(&b, j, bound); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "job")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestServe(t *testing.T) {
	path := job(t, Job{Work: json.RawMessage(`{"a":1}`)})
	var out bytes.Buffer
	err := serve(context.Background(), []string{path}, strings.NewReader(""), &out, compiled,
		func(ctx context.Context, m *model.Model, work json.RawMessage, events io.Writer) error {
			fmt.Fprintf(events, "%s %d %s", m.Name(), m.Dims["N"], work)
			return ctx.Err() // a job that is not attached does not care for its input
		})
	if err != nil || out.String() != `empty 3 {"a":1}` {
		t.Errorf("%v: %s", err, out.String())
	}
}

// Constants come back bit for bit, whatever they are: a resumed run gives those
// of its record to the child.
func TestJobConstants(t *testing.T) {
	want := []float64{1.0 / 3, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1), 5e-324}
	file, err := os.Open(job(t,
		Job{Work: json.RawMessage("null"), Constants: map[string][]float64{"m": want}}))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	j, _, err := ReadJob(file)
	if err != nil {
		t.Fatal(err)
	}
	same := slices.EqualFunc(j.Constants["m"], want,
		func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
	if !same || j.HeldConstants != nil {
		t.Errorf("%v, held out %v", j.Constants, j.HeldConstants)
	}
}

// Rows that are held out follow the data, and are bound to the same model.
func TestServeHeldOut(t *testing.T) {
	held := &data.Bound{Dims: map[string]int{"N": 2},
		Values: map[string]*array.Value{"y": {Shape: []int{2},
			Bytes: &array.Bytes{Code: []uint8{7, 9}, Level: new([256]float64)}}}}
	path := job(t, Job{Work: json.RawMessage("null"), Held: held,
		HeldConstants: map[string][]float64{"m": {1}}})
	ran := func(_ context.Context, m *model.Model, _ json.RawMessage, _ io.Writer) error {
		if m.Dims["N"] != 3 || m.HeldOut == nil || m.HeldOut.Dims["N"] != 2 ||
			m.HeldOut.HeldOut != nil {
			t.Errorf("%v, held out %v", m.Dims, m.HeldOut)
		}
		return nil
	}
	if err := serve(context.Background(), []string{path}, strings.NewReader(""), io.Discard,
		compiled, ran); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text[:len(text)-9], 0o644); err != nil {
		t.Fatal(err)
	}
	if err := serve(context.Background(), []string{path}, strings.NewReader(""), io.Discard,
		compiled, ran); err == nil {
		t.Error("held-out rows that are cut off give no error")
	}
}

// The end of the standard input cancels an attached job.
func TestServeAttached(t *testing.T) {
	path := job(t, Job{Work: json.RawMessage("null"), Attached: true})
	in, parent := io.Pipe()
	err := serve(context.Background(), []string{path}, in, io.Discard, compiled,
		func(ctx context.Context, _ *model.Model, _ json.RawMessage, _ io.Writer) error {
			if ctx.Err() != nil {
				t.Error("cancelled too early")
			}
			parent.Close()
			<-ctx.Done()
			return ctx.Err()
		})
	if Status(err) != 130 {
		t.Errorf("status %d: %v", Status(err), err)
	}
}

// An attached job can wait for a line of its parent, or for the parent's end.
func TestServeAnswered(t *testing.T) {
	path := job(t, Job{Work: json.RawMessage("null"), Attached: true})
	in, parent := io.Pipe()
	said, out := io.Pipe()
	go func() {
		b := make([]byte, 1)
		for range 2 {
			said.Read(b)
			io.WriteString(parent, "\n")
		}
		said.Read(b)
		parent.Close()
	}()
	waits := 0
	err := serve(context.Background(), []string{path}, in, out, compiled,
		func(_ context.Context, _ *model.Model, _ json.RawMessage, events io.Writer) error {
			for range 3 {
				io.WriteString(events, ".")
				events.(interface{ Wait() }).Wait()
				waits++
			}
			return nil
		})
	if err != nil || waits != 3 {
		t.Errorf("%d waits, %v", waits, err)
	}
}

type status int

func (s status) Error() string { return "failed" }
func (s status) Exit() int     { return int(s) }

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{{nil, 0}, {errors.New("x"), 5}, {fmt.Errorf("in: %w", status(4)), 4},
		{context.Canceled, 130}} {
		if got := Status(c.err); got != c.want {
			t.Errorf("%v has status %d, want %d", c.err, got, c.want)
		}
	}
}

func TestBadJobs(t *testing.T) {
	good := job(t, Job{Work: json.RawMessage("null")})
	text, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	run := func(context.Context, *model.Model, json.RawMessage, io.Writer) error {
		t.Error("a bad job ran")
		return nil
	}
	for name, bad := range map[string][]byte{"empty": nil, "line": []byte("{}"),
		"json": append([]byte("{]\n"), text...),
		"cut":  text[:len(text)-3], "key": []byte("{\"word\":1}\n"),
		"flipped": append(append([]byte{}, text[:len(text)-12]...),
			append([]byte{text[len(text)-12] ^ 1}, text[len(text)-11:]...)...)} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := serve(context.Background(), []string{path}, strings.NewReader(""), io.Discard,
			compiled, run); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := serve(context.Background(), nil, nil, io.Discard, compiled, run); err == nil {
		t.Error("no argument: no error")
	}
}
