//go:build !unix

package native

import (
	"os"
	"os/exec"
)

// giveJob tells a program the name of its job.
func giveJob(c *exec.Cmd, file *os.File) { c.Args = append(c.Args, file.Name()) }
