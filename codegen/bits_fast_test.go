//go:build !slow

package codegen_test

// Larger models take long on the VM: only the slow tests compare them.
const mostCoordinates = 5000
