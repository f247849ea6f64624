package main

import (
	"os"
	"sync"
	"time"

	"github.com/sgppl/sgppl/bench/internal/recorded"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// loops are what a machine is measured by: each does the same work on memory of its own as often
// as it is called. Two processors that share nothing do twice the work of one.
var loops = []struct {
	name string
	make func() func()
}{
	{"multiplications in registers", chained},
	{"products of matrices in the first cache, f32", product},
	{"dot products in the second cache", dots(1 << 14)},
	{"dot products in memory", dots(1 << 24)},
}

// chained makes a loop whose every multiplication waits for the one before it.
func chained() func() {
	room := make([]float64, 16) // of a line of the cache of its own
	return func() {
		x := 1.0
		for range 1 << 20 {
			x *= 1.0000001
		}
		room[8] = x
	}
}

// product makes a product of 48 by 48 numbers, 100 times.
func product() func() {
	const n = 48
	m := func() kernel.Matrix32 { return kernel.Matrix32{Data: make([]float32, n*n), Stride: n} }
	c, a, b := m(), m(), m()
	return func() {
		for range 100 {
			kernel.Gemm32(c, a, b, n, n, n, false, false, false)
		}
	}
}

// dots makes a loop that reads two arrays of n numbers each, 2^20 numbers of each at least.
func dots(n int) func() func() {
	return func() func() {
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = 1, 1
		}
		sum := 0.0
		return func() {
			for range max(1, 1<<20/n) {
				sum += kernel.Dot(x, y)
			}
		}
	}
}

// machine prints how much more of each loop several processors do at a time than one does.
func machine(threads, rounds int) error {
	for _, l := range loops {
		all := make([]func(), threads)
		for i := range all {
			all[i] = l.make()
		}
		for range rounds {
			one := pace(all[:1])
			err := recorded.Line(os.Stdout, "Machine/"+l.name,
				recorded.Value{Value: pace(all) / one, Unit: "× the work of one"})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// pace is how often a second the loops run together, each on a processor of its own.
func pace(loops []func()) float64 {
	const long = 200 * time.Millisecond
	calls := make([]float64, len(loops))
	var ended sync.WaitGroup
	for i, f := range loops {
		ended.Go(func() {
			n, began := 0, time.Now()
			for time.Since(began) < long {
				f()
				n++
			}
			calls[i] = float64(n) / time.Since(began).Seconds()
		})
	}
	ended.Wait()
	sum := 0.0
	for _, c := range calls {
		sum += c
	}
	return sum
}
