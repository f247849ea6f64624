package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
)

const columns = 20

// model is the regression that all ways sample.
const model = `dim N, P
data x[N] : real[P]
data y[N] : bool
param w[P] : real ~ normal(0, sqrt(10))
param b : real ~ normal(0, sqrt(10))
for n in N { y[n] ~ bernoulli_logit(x[n] @ w + b) }
`

// simulate writes the model and n rows into dir: ten columns are normal, ten are
// exponential with mean 0. The seed is fixed, and the rows of a smaller n are the
// first of those of a larger one.
func simulate(dir string, n int) error {
	if err := os.WriteFile(filepath.Join(dir, "model.sg"), []byte(model), 0o666); err != nil {
		return err
	}
	x, err := create(filepath.Join(dir, "x.npy"), "<f8", fmt.Sprintf("(%d, %d)", n, columns))
	if err != nil {
		return err
	}
	y, err := create(filepath.Join(dir, "y.npy"), "|u1", fmt.Sprintf("(%d,)", n))
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(20, 7))
	row := make([]byte, 0, 8*columns)
	for range n {
		at := -0.5
		row = row[:0]
		for k := range columns {
			v := r.NormFloat64()
			if k >= columns/2 {
				v = r.ExpFloat64() - 1
			}
			at += v * float64(k%5-2) / 5
			row = binary.LittleEndian.AppendUint64(row, math.Float64bits(v))
		}
		one := byte(0)
		if r.Float64() < 1/(1+math.Exp(-at)) {
			one = 1
		}
		x.Write(row)
		y.WriteByte(one)
	}
	if err := x.close(); err != nil {
		return err
	}
	return y.close()
}

// An npyFile is a NumPy array that is being written.
type npyFile struct {
	*bufio.Writer
	file *os.File
}

// create starts a NumPy file, version 1.0, of that type and shape.
func create(path, kind, shape string) (npyFile, error) {
	f, err := os.Create(path)
	if err != nil {
		return npyFile{}, err
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", kind, shape)
	header += fmt.Sprintf("%*s\n", 63-(10+len(header))%64, "")
	w := bufio.NewWriterSize(f, 1<<20)
	w.WriteString("\x93NUMPY\x01\x00")
	w.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(header))))
	w.WriteString(header)
	return npyFile{w, f}, nil
}

// close flushes the file. Errors of earlier writes stay with the buffer until then.
func (f npyFile) close() error {
	if err := f.Flush(); err != nil {
		return err
	}
	return f.file.Close()
}
