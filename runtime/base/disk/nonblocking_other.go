//go:build !unix

package disk

// nonBlocking is no flag here: names of files are not those of pipes.
const nonBlocking = 0
