//go:build unix

package disk

import "syscall"

// nonBlocking has a pipe opened without a wait for its writer.
const nonBlocking = syscall.O_NONBLOCK
