// Package kernel holds the slice kernels that compiled models run on.
//
// A kernel is written in Go and, where it pays, in assembly for the vector
// instructions of package cpu, which is package vec. All variants give the same bits, as every
// kernel has one order of operations and one rounding:
//
//   - A reduction over contiguous elements has eight lanes: element j is added
//     to lane j mod 8, in order, each lane starting from 0, and the lanes are
//     combined as ((0+4)+(2+6)) + ((1+5)+(3+7)).
//   - A reduction over a strided axis runs in the order of the axis, and so do
//     GemvT, the sparse products with a matrix, and all scatters.
//   - An element of Gemm starts from 0 (or from c) and adds its products in the order of k, product
//     and sum rounded once (a fused multiply-add, as that is what processors multiply matrices
//     with). So does an element of a product of sparse rows and a matrix, except for the products
//     with zeros, which change nothing. Everywhere else a product is rounded before it is added.
//
// Kernels in single precision have names that end in 32. Gemm32, GemvT32 and
// Axpy32 do in single precision what those in double precision do; an element
// of Gemv32 has sixteen lanes, combined halves to halves; Sum32 and Dot32 have
// eight lanes of double precision. Elementwise functions are those of double
// precision, rounded. The files for one precision and the assembly are written
// by internal/kernelgen.
//
// NaN is NaN: which one, is the machine's.
//
// Matrices are row-major. Lengths are the caller's duty: a slice that is too
// short panics. Nothing here allocates.
package kernel
