//go:build !slow

package special

const sliceRounds = 1500
