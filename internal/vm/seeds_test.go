//go:build !slow

package vm_test

// seeds is how many random functions are tried.
const seeds = 250
