// Package kernel holds the slice kernels that compiled models run on.
//
// Every kernel has one order of operations and rounds after each of them (no
// fused multiply-add), so that a vector version can give the same bits:
//
//   - A reduction over contiguous elements has eight lanes: element j is added
//     to lane j mod 8, in order, each lane starting from 0, and the lanes are
//     combined as ((0+4)+(2+6)) + ((1+5)+(3+7)).
//   - A reduction over a strided axis runs in the order of the axis, and so do
//     GemvT, the sparse products with a matrix, and all scatters.
//   - An element of Gemm starts from 0 (or from c) and adds its products in
//     the order of k.
//
// Matrices are row-major. Lengths are the caller's duty: a slice that is too
// short panics. Nothing here allocates.
package kernel
