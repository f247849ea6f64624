//go:build !slow

package noisebench

// allAuto has TestAuto run the whole bench.
const allAuto = false
