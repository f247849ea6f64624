package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"github.com/sgppl/sgppl/runtime/engine/array"
	formats "github.com/sgppl/sgppl/runtime/engine/data/format"
)

// A row has a column of every type that is read, by every encoding that it has,
// with and without missing numbers, and some that are refused.
type row struct {
	Bool   bool     `parquet:"bool"`
	Int8   int8     `parquet:"i8"`
	Int32  int32    `parquet:"i32,delta"`
	Int64  int64    `parquet:"i64,delta"`
	Uint32 uint32   `parquet:"u32"`
	Uint64 uint64   `parquet:"u64,dict"`
	Float  float32  `parquet:"f32"`
	Split  float32  `parquet:"split32,split"`
	Double float64  `parquet:"f64"`
	Wide   float64  `parquet:"split64,split"`
	Dict   float64  `parquet:"dict,dict"`
	Some   *float64 `parquet:"some,optional"`
	Few    *int64   `parquet:"few,optional"`
	Coded  *int32   `parquet:"coded,optional,dict"`
	Bit    *bool    `parquet:"bit,optional"`
	Text   string   `parquet:"text"`
	Names  string   `parquet:"names,dict"`
	Long   string   `parquet:"long,delta"`
	X0     float64  `parquet:"x.0"`
	X1     float64  `parquet:"x.1"`
	In     struct {
		Side *float64 `parquet:"side,optional"`
	} `parquet:"in"`
	List  []float64 `parquet:"list"`
	Price int64     `parquet:"price,decimal(2:18)"`
	Key   [16]byte  `parquet:"key,uuid"`
}

func ptr[T any](x T) *T { return &x }

// rows and what is read of them.
func rows(n int) (list []row, want map[string][]float64) {
	want = map[string][]float64{}
	for i := range n {
		v := float64(i) / 3
		r := row{Bool: i%3 == 0, Int8: int8(i%100 - 50), Int32: int32(i*i - 70),
			Int64: int64(i)*1_000_000_007 - 5, Uint32: math.MaxUint32 - uint32(i),
			Uint64: 1<<53 - uint64(i%5),
			Float:  float32(v), Split: float32(-v), Double: math.Sin(v), Wide: math.Exp(-v),
			Dict: float64(i % 4), Text: fmt.Sprintf("%.6f", v),
			Names: []string{"NA", "1", "true", ""}[i%4],
			Long:  "12345678901234567890"[:1+i%10], X0: v, X1: -v, List: []float64{1, 2}, Price: 5}
		nan := math.NaN()
		got := map[string]float64{"bool": 0, "i8": float64(r.Int8), "i32": float64(r.Int32),
			"i64": float64(r.Int64), "u32": float64(r.Uint32), "u64": float64(r.Uint64),
			"f32":     float64(r.Float),
			"split32": float64(r.Split), "f64": r.Double, "split64": r.Wide, "dict": r.Dict,
			"some": nan, "few": nan, "coded": nan, "bit": nan,
			"names": []float64{nan, 1, 1, nan}[i%4], "x.0": v, "x.1": -v, "in.side": nan}
		got["text"], _ = strconv.ParseFloat(r.Text, 64)
		got["long"], _ = strconv.ParseFloat(r.Long, 64)
		if r.Bool {
			got["bool"] = 1
		}
		if i%5 != 2 {
			r.Some, got["some"] = ptr(v*7), v*7
		}
		if i%100 < 20 {
			r.Few, got["few"] = ptr(int64(-i)), float64(-i)
		}
		if i%4 != 1 {
			r.Coded, got["coded"] = ptr(int32(i%3)), float64(i%3)
		}
		if i%7 == 0 {
			r.Bit, got["bit"] = ptr(i%2 == 1), float64(i%2)
		}
		if i%2 == 1 {
			r.In.Side, got["in.side"] = ptr(v), v
		}
		list = append(list, r)
		for name, x := range got {
			want[name] = append(want[name], x)
		}
	}
	return list, want
}

// fileOf writes rows in groups of so many.
func fileOf(t testing.TB, list []row, group int64, o ...parquet.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b, append(o, parquet.MaxRowsPerRowGroup(group))...)
	if _, err := w.Write(list); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// TestRead: every type, encoding and compression, in pages and groups of rows of
// several sizes.
func TestRead(t *testing.T) {
	list, want := rows(600)
	for _, c := range []struct {
		name  string
		codec compress.Codec
	}{{"uncompressed", &parquet.Uncompressed}, {"snappy", &parquet.Snappy}, {"gzip", &parquet.Gzip},
		{"brotli", &parquet.Brotli}, {"zstd", &parquet.Zstd}, {"lz4", &parquet.Lz4Raw}} {
		for _, version := range []int{1, 2} {
			t.Run(fmt.Sprint(c.name, version), func(t *testing.T) {
				b := fileOf(t, list, 370, parquet.Compression(c.codec),
					parquet.DataPageVersion(version), parquet.PageBufferSize(500))
				path := filepath.Join(t.TempDir(), "x.parquet")
				if err := os.WriteFile(path, b, 0o666); err != nil {
					t.Fatal(err)
				}
				table, errs := formats.ReadFile(path)
				if errs != nil {
					t.Fatal(errs)
				}
				for name, list := range want {
					v, errs := table.Field(name)
					if errs != nil {
						t.Fatalf("%s: %v", name, errs)
					}
					for i, x := range v.Floats() {
						if !same(x, list[i]) {
							t.Fatalf("%s[%d] is %v, written was %v", name, i, x, list[i])
						}
					}
					if v.Len() != len(list) {
						t.Fatalf("%s has %d values", name, v.Len())
					}
				}
				v, _ := table.Field("x")
				if fmt.Sprint(v.Shape) != "[600 2]" || !same(v.F64[7], want["x.1"][3]) {
					t.Errorf("x is %v", v.Shape)
				}
				for name, what := range map[string]string{"list": "column list has lists",
					"price": "column price holds decimals",
					"key":   "column key holds FIXED_LEN_BYTE_ARRAY, no numbers"} {
					if _, errs := table.Field(name); len(errs) != 1 || errs[0].Code != "D0162" ||
						!strings.Contains(errs[0].Message, what) {
						t.Errorf("%s: %v", name, errs)
					}
				}
			})
		}
	}
}

// TestRefused: single numbers that cannot be one of float64 are named with their
// rows.
func TestRefused(t *testing.T) {
	list, _ := rows(500)
	list[430].Text, list[431].Int64, list[432].Uint64 = "twelve", 1<<53+1, 1<<60
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := os.WriteFile(path, fileOf(t, list, 100), 0o666); err != nil {
		t.Fatal(err)
	}
	table, errs := formats.ReadFile(path)
	if errs != nil {
		t.Fatal(errs)
	}
	for name, want := range map[string]string{"text": `"twelve" is no number (column text, row 430)`,
		"i64": "(column i64, row 431)", "u64": "(column u64, row 432)"} {
		_, errs := table.Field(name)
		if len(errs) != 1 || errs[0].Code != "D0106" || errs[0].File != path ||
			!strings.Contains(errs[0].Message, want) {
			t.Errorf("%s: %v", name, errs)
		}
	}
	if _, errs := table.Field("names"); errs != nil {
		t.Errorf("a column without such: %v", errs)
	}
}

// A pupil has texts of each kind of column.
type pupil struct {
	School string  `parquet:"school"`
	Coded  string  `parquet:"coded,dict"`
	Some   *string `parquet:"some,optional,dict"`
	Early  string  `parquet:"x.0"`
	Late   float64 `parquet:"x.1"`
}

// TestTexts: columns of text have words as tables of text do, numbered over row groups and
// pages, null and NA missing; a NaN with the bits of a word is none.
func TestTexts(t *testing.T) {
	var list []pupil
	towns := []string{"Ada", "Lincoln", "Kennedy", "NA", "12"}
	for i := range 300 {
		p := pupil{School: towns[i*i%5], Coded: towns[(i+i/40)%5], Early: towns[4-i%2*4],
			Late: array.Word(7)}
		if i%3 > 0 {
			p.Some = &towns[i%2]
		}
		list = append(list, p)
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	var b bytes.Buffer
	w := parquet.NewGenericWriter[pupil](&b, parquet.MaxRowsPerRowGroup(110),
		parquet.PageBufferSize(100))
	if _, err := w.Write(list); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), os.WriteFile(path, b.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
	table, errs := formats.ReadFile(path)
	if errs != nil {
		t.Fatal(errs)
	}
	for name, text := range map[string]func(p pupil) string{
		"school": func(p pupil) string { return p.School },
		"coded":  func(p pupil) string { return p.Coded },
		"x.0":    func(p pupil) string { return p.Early },
		"some": func(p pupil) string {
			if p.Some == nil {
				return "NA"
			}
			return *p.Some
		},
	} {
		v, errs := table.Texts(name)
		if v == nil || v.Len() != len(list) || len(errs) == 0 || errs[0].Code != "D0106" {
			t.Fatalf("%s: %v, %v", name, v, errs)
		}
		for i, x := range v.F64 {
			got := "NA"
			if k, is := array.WordOf(x); is {
				got = v.Words[k]
			} else if x == x {
				got = fmt.Sprint(x)
			}
			if want := text(list[i]); got != want {
				t.Fatalf("%s[%d] is %s, want %s", name, i, got, want)
			}
		}
	}
	if v, _ := table.Field("x"); v == nil || v.F64[3] == v.F64[3] {
		t.Errorf("x is %v", v)
	}
}

// TestStored reads files that an earlier version of the library wrote.
func TestStored(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.parquet")
	if len(paths) == 0 {
		t.Fatal("no files")
	}
	for _, path := range paths {
		table, errs := formats.ReadFile(path)
		if errs != nil {
			t.Fatal(errs)
		}
		v, errs := table.Field("d")
		if errs != nil || v.Len() != 60 || !same(v.F64[41], math.Sin(41.0/3)) {
			t.Errorf("%s: %v", path, errs)
		}
	}
}

// TestDamage cuts a file at every byte and flips bits: it is read, or it is an
// error with a code, and nothing else. Values are not under a check sum.
func TestDamage(t *testing.T) {
	list, _ := rows(40)
	for _, codec := range []compress.Codec{&parquet.Uncompressed, &parquet.Zstd} {
		b := fileOf(t, list, 25, parquet.Compression(codec), parquet.PageBufferSize(100))
		try := func(b []byte) error {
			f, err := Open(bytes.NewReader(b), int64(len(b)))
			if err != nil {
				return err
			}
			var all []int
			for i, c := range f.Columns() {
				if c.Problem == "" {
					all = append(all, i)
				}
			}
			n := 0
			err = f.Read(all, func(_, _ int, cell []byte) float64 { return float64(len(cell)) },
				func(x [][]float64) error { n += len(x[0]); return nil })
			if err == nil && n != f.Rows() {
				err = errors.New("other rows")
			}
			return err
		}
		if err := try(b); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(b); i += 1 + i/20 {
			if err := try(b[:i]); err == nil {
				t.Fatalf("cut at %d: no error", i)
			}
		}
		step := max(1, len(b)/300)
		for i := 0; i < len(b); i += step {
			b[i] ^= 0x41
			try(b)
			b[i] ^= 0x41
		}
	}
}

// TestEnds: files that are none are called what they are.
func TestEnds(t *testing.T) {
	for text, want := range map[string]string{"": "too short", "PAR1": "too short",
		"PAR1xxxxxxxxPARE": "encrypted", "a,b\n1,2\n3,4\n5,6\n": "does not begin as Parquet",
		"PAR1xxxxxxxxxxxx":             "does not end as Parquet does: it is cut off",
		"PAR1xxxx\xff\xff\xff\x7fPAR1": "its metadata are longer than it"} {
		if _, err := Open(strings.NewReader(text), int64(len(text))); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestHalf holds numbers of 16 bits against their definition.
func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float64{0: 0, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504,
		1: math.Ldexp(1, -24), 0x0400: math.Ldexp(1, -14), 0x7c00: math.Inf(1),
		0xfc00: math.Inf(-1), 0x3555: 0.333251953125} {
		v := parquet.FixedLenByteArrayValue([]byte{byte(bits), byte(bits >> 8)})
		if x, ok := half(&v); !ok || x != want {
			t.Errorf("%#x is %v, want %v", bits, x, want)
		}
	}
}
