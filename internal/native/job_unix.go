//go:build unix

package native

import (
	"os"
	"os/exec"

	"github.com/sgppl/sgppl/runtime/engine/host"
)

// giveJob hands the open file of a job to a program. The file has no name any more:
// nothing is left of it when both processes are gone, however they end.
func giveJob(c *exec.Cmd, file *os.File) {
	c.ExtraFiles = []*os.File{file}
	c.Args = append(c.Args, host.Inherited)
	os.Remove(file.Name())
}
