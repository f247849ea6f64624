//go:build unix

package native

import (
	"os/exec"
	"syscall"
)

// apart keeps the interrupt key from a command, which is told by this process: told
// twice, the go command would end without taking its files away.
func apart(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
