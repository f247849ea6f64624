package data

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// shared is a file of the reference material.
func shared(t testing.TB, parts ...string) string {
	t.Helper()
	return reference.Path(t, parts...)
}

// TestA9a: counts from the data's own description.
func TestA9a(t *testing.T) {
	train, test := shared(t, "data", "a9a", "a9a.gz"), shared(t, "data", "a9a", "a9a.t.gz")
	s := regression()
	s.Inputs[0].Sparse = true
	b, notes, errs := Bind(s, []string{"x=" + train + ":features", "y=" + train + ":label"}, nil,
		Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	x, y := b.Values["x"].CSR, b.Values["y"].F64
	if b.Dims["N"] != 32561 || b.Dims["P"] != 123 || len(x.Index) != 451592 || x.Value != nil ||
		positives(y) != 7841 || len(b.Files) != 1 {
		t.Errorf("N %d, P %d, %d entries, values %v, %d positives, %d files", b.Dims["N"],
			b.Dims["P"], len(x.Index), x.Value != nil, positives(y), len(b.Files))
	}
	if want := "P = 123, from the largest index of x; --set P=… says otherwise"; len(notes) != 1 ||
		notes[0] != want {
		t.Errorf("notes %q", notes)
	}
	b, notes, errs = Bind(s, []string{"x=" + test + ":features", "y=" + test + ":label"}, nil,
		Options{Fixed: map[string]int{"P": 123}})
	if errs != nil {
		t.Fatal(errs[0])
	}
	x, y = b.Values["x"].CSR, b.Values["y"].F64
	if b.Dims["N"] != 16281 || x.Cols != 123 || len(x.Index) != 225731 || positives(y) != 3846 ||
		notes != nil {
		t.Errorf("test: N %d, %d columns, %d entries, %d positives, notes %v", b.Dims["N"], x.Cols,
			len(x.Index), positives(y), notes)
	}
}

func positives(y []float64) (n int) {
	for _, v := range y {
		if v == 1 {
			n++
		}
	}
	return n
}

// TestTfidf: rows of real documents lie on the sphere.
func TestTfidf(t *testing.T) {
	path := shared(t, "data", "news20_different", "train.tfidf.libsvm.gz")
	s := &Schema{Dims: []Dim{{Name: "D"}, {Name: "V"}}, Inputs: []Input{
		{Name: "v", Kind: Sphere, Own: 1, Sparse: true, Shape: shape("D", "V")},
		{Name: "y", Kind: Index, Below: size.Const(3), From: 1, Shape: shape("D")}}}
	b, _, errs := Bind(s, []string{"v=" + path, "y=" + path + ":label"}, []string{"V=5000"},
		Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	if m := b.Values["v"].CSR; m.Rows != 1666 || m.Cols != 5000 || len(m.Index) != 117442 {
		t.Errorf("%d × %d, %d entries", m.Rows, m.Cols, len(m.Index))
	}
}

func TestUCI(t *testing.T) {
	table, errs := format.ReadFile(shared(t, "data", "uci", "concrete", "data.txt.gz"))
	if errs != nil {
		t.Fatal(errs[0])
	}
	if v, _ := table.Field(""); v.Shape[0] != 1030 || v.Shape[1] != 9 {
		t.Errorf("shape %v", v.Shape)
	}
}

// TestPosteriordb reads every data.json there, and binds one whole.
func TestPosteriordb(t *testing.T) {
	dir := shared(t, "posteriordb")
	files, _ := filepath.Glob(filepath.Join(dir, "*", "data.json"))
	if len(files) < 16 {
		t.Errorf("only %d files", len(files))
	}
	for _, f := range files {
		table, errs := format.ReadFile(f)
		if errs != nil {
			t.Error(errs[0])
			continue
		}
		for _, name := range table.Fields {
			if v, errs := table.Field(name); v == nil || errs != nil {
				t.Errorf("%s: %s: %v", f, name, errs)
			}
		}
	}
	s := &Schema{Dims: []Dim{{Name: "N"}}, Inputs: []Input{
		{Name: "ts", Kind: Positive, Shape: shape("N")},
		{Name: "y_init", Kind: Positive, Shape: shape(2)},
		{Name: "y", Kind: Positive, Shape: shape("N", 2)}}}
	b, _, errs := Bind(s, []string{filepath.Join(dir, "hudson_lynx_hare-lotka_volterra",
		"data.json")}, nil, Options{})
	if errs != nil {
		t.Fatal(errs[0])
	}
	if y := b.Values["y"].F64; b.Dims["N"] != 20 || math.Abs(y[3]-9.8) > 0 {
		t.Errorf("N %d, y %v", b.Dims["N"], y[:4])
	}
}

// TestSharedCorpora: counts from the description of the data, of all words and
// of the documents that the published experiments hold out.
func TestSharedCorpora(t *testing.T) {
	for _, c := range []struct {
		name                        string
		docs, words, tokens, stored int
		train, test                 int // documents
		trainTokens, testTokens     int
	}{
		{"icml2013_2015", 863, 1885, 58612, 44810, 691, 172, 47205, 11407},
		{"cora", 2410, 2961, 136394, 103699, 1928, 482, 108946, 27448},
		{"reuters", 395, 4258, 84010, 60114, 316, 79, 66992, 17018},
	} {
		file := shared(t, "data", "lda", c.name, c.name+".ldac.gz")
		names := "V=" + shared(t, "data", "lda", c.name, c.name+".vocab.gz")
		bind := func(some string, spec string) *Bound {
			b, _, errs := Bind(words(some), []string{some + "=" + file + spec}, nil,
				Options{Names: []string{names}})
			if errs != nil {
				t.Fatal(errs[0])
			}
			return b
		}
		tokens := func(spec string) (docs, total int) {
			b := bind("w", spec)
			for _, n := range b.Values["W.length"].F64 {
				total += int(n)
			}
			return b.Dims["D"], total
		}
		docs, total := tokens("")
		b := bind("x", "")
		if docs != c.docs || total != c.tokens || len(b.Labels["V"]) != c.words ||
			b.Dims["V"] != c.words || len(b.Values["x"].CSR.Index) != c.stored {
			t.Errorf("%s: %d documents, %d tokens, %d words, %d entries", c.name, docs, total,
				b.Dims["V"], len(b.Values["x"].CSR.Index))
		}
		if docs, total := tokens(":skip=4%5"); docs != c.train || total != c.trainTokens {
			t.Errorf("%s: %d documents of %d tokens to train", c.name, docs, total)
		}
		if docs, total := tokens(":rows=4%5"); docs != c.test || total != c.testTokens {
			t.Errorf("%s: %d documents of %d tokens to test", c.name, docs, total)
		}
		if _, half := tokens(":rows=4%5:words=1%2"); 2*half > c.testTokens ||
			2*half < c.testTokens-c.test {
			t.Errorf("%s: %d of %d tokens are half", c.name, half, c.testTokens)
		}
	}
}
