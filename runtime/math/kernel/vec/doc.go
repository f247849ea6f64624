// Package vec is the assembly of package kernel, for the vector instructions of
// package cpu. A name ends in the precision and the instructions: Sum64avx2. The
// other files are written by internal/kernelgen. Package kernel calls them where the
// processor has the instructions; its code in Go gives the same bits.
package vec
