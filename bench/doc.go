// Package bench compares the cost of a compiled model with that of a loop written by hand for the
// same model, the same data and the same algorithm. See README.md for what was measured and how to
// run it.
package bench
