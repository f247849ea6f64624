//go:build slow

package vm_test

const seeds = 3000
