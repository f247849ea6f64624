package format_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

func bench(
	b *testing.B, text []byte, read func(string, io.Reader) (*format.Table, []*problem.Error),
) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, errs := read("f", bytes.NewReader(text)); errs != nil {
			b.Fatal(errs[0])
		}
	}
}

func tableText(comma string) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var out bytes.Buffer
	for j := range 10 {
		fmt.Fprintf(&out, "c%d%s", j, map[bool]string{true: "\n", false: comma}[j == 9])
	}
	for range 50000 {
		for j := range 10 {
			fmt.Fprintf(&out, "%.6f%s", r.NormFloat64(),
				map[bool]string{true: "\n", false: comma}[j == 9])
		}
	}
	return out.Bytes()
}

func BenchmarkCSV(b *testing.B) { bench(b, tableText(","), format.ReadCSV) }

// BenchmarkWords compares reading a column of words with reading one of numbers.
func BenchmarkWords(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var out bytes.Buffer
	out.WriteString("school,y\n")
	for range 100000 {
		fmt.Fprintf(&out, "school %d,%.4f\n", r.IntN(200), r.NormFloat64())
	}
	bench(b, out.Bytes(), format.ReadCSV)
}

func BenchmarkJSON(b *testing.B) {
	text := append([]byte(`{"x": [`),
		bytes.ReplaceAll(bytes.TrimSpace(tableText(",")), []byte("\n"), []byte(","))[30:]...)
	bench(b, append(text, "]}"...), format.ReadJSON)
}

func BenchmarkLibsvm(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, value := range map[string]string{"binary": ":1", "real": ":0.12345"} {
		var out bytes.Buffer
		for range 50000 {
			out.WriteString("-1")
			for id := 1 + r.IntN(10); id < 124; id += 1 + r.IntN(16) {
				fmt.Fprintf(&out, " %d%s", id, value)
			}
			out.WriteString("\n")
		}
		b.Run(name, func(b *testing.B) { bench(b, out.Bytes(), format.ReadLibsvm) })
	}
}
