//go:build slow

package special

const sliceRounds = 400000
