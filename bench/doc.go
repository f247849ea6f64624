// Package bench measures what a compiled model costs beside a loop written by
// hand for the same model, the same data and the same algorithm. See README.md
// for what was measured and how to run it.
package bench
