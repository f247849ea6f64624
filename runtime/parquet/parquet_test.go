package parquet

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The files of testdata were written by parquet-go 0.32: sixty rows in groups of
// 37 and 23, pages of 256 bytes in two of them.
func rows(i int) map[string]float64 {
	v := float64(i) / 3
	r := map[string]float64{"i": float64(i - 5), "l": float64(i*i*1000003 - 77), "f": float64(float32(v)), "d": math.Sin(v), "b": 0, "u": float64(4294967295 - i),
		"k": float64(i % 4), "s": math.Exp(-v), "o": math.NaN(), "ok": math.NaN(), "x.0": v, "x.1": -v}
	if i%3 == 0 {
		r["b"] = 1
	}
	if i%5 != 2 {
		r["o"] = v * 7
	}
	if i%4 != 1 {
		r["ok"] = float64(i % 3)
	}
	return r
}

func read(t testing.TB, name string) []byte {
	b, err := os.ReadFile(filepath.Join("testdata", name+".parquet"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRead(t *testing.T) {
	for _, name := range []string{"plain1", "snappy1", "snappy2", "gzip2"} {
		t.Run(name, func(t *testing.T) {
			b := read(t, name)
			f, err := Open(bytes.NewReader(b), int64(len(b)))
			if err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(f.Groups) != "[37 23]" || f.Rows() != 60 || len(f.Columns) != 13 {
				t.Fatalf("groups %v, columns %v", f.Groups, f.Columns)
			}
			for c, col := range f.Columns {
				at := 0
				for g, n := range f.Groups {
					x, err := f.Read(g, c)
					if col.Name == "t" {
						if err == nil || !strings.Contains(err.Error(), "column t holds BYTE_ARRAY, no numbers") {
							t.Errorf("texts: %v", err)
						}
						continue
					}
					if err != nil || len(x) != n {
						t.Fatalf("%s: %v, %d values of %d", col.Name, err, len(x), n)
					}
					for i, v := range x {
						want, known := rows(at + i)[col.Name]
						if !known || v != want && !(v != v && want != want) {
							t.Fatalf("%s[%d] is %v, written was %v", col.Name, at+i, v, want)
						}
					}
					at += n
				}
			}
		})
	}
	b := read(t, "zstd")
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read(0, 0); err == nil || !strings.Contains(err.Error(), "compressed by Zstandard") {
		t.Errorf("%v", err)
	}
}

// TestDamage cuts a file at every byte and flips bytes: it is read, or it is
// an error, and nothing else. Values are not under a check sum.
func TestDamage(t *testing.T) {
	for _, name := range []string{"plain1", "snappy2"} {
		b := read(t, name)
		try := func(b []byte) error {
			f, err := Open(bytes.NewReader(b), int64(len(b)))
			if err != nil {
				return err
			}
			for g := range f.Groups {
				for c := range f.Columns {
					if _, err := f.Read(g, c); err != nil && f.Columns[c].Problem == "" {
						return err
					}
				}
			}
			return nil
		}
		for i := range b {
			if err := try(b[:i]); err == nil {
				t.Fatalf("%s, cut at %d: no error", name, i)
			}
			if i%4 > 0 && i < len(b)-1500 { // every byte of the metadata
				continue
			}
			b[i] ^= 0x41
			try(b)
			b[i] ^= 0x41
		}
		if err := try(b); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBits holds runs of every width against what was packed.
func TestBits(t *testing.T) {
	for width := 1; width <= 32; width++ {
		var want []uint32
		for i := range 40 {
			want = append(want, uint32(uint64(i)*2654435761)>>(32-width))
		}
		b := []byte{byte(len(want)/8<<1 | 1)}
		packed := make([]byte, len(want)*width/8)
		for i, x := range want {
			for k := range width {
				at := i*width + k
				packed[at/8] |= byte(x>>k&1) << (at % 8)
			}
		}
		b = append(b, packed...)
		b = append(b, 6<<1)
		for k := range (width + 7) / 8 {
			b = append(b, byte(want[7]>>(8*k)))
		}
		want = append(want, want[7], want[7], want[7])
		if got := hybrid(b, width, len(want)); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%d bits: %v, want %v", width, got, want)
		}
	}
}
