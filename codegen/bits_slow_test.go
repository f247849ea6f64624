//go:build slow

package codegen_test

// The slow tests compare models of any size.
const mostCoordinates = 1 << 30
