package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// A peer is a program that answers a line of what to measure, with for how
// many seconds, by a line with the rate. A nil one has nothing to say.
type peer struct {
	title string // its first line
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Scanner
}

// start runs a peer on one thread.
func start(c *exec.Cmd) (*peer, error) {
	c.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	if *coretype != "" {
		c.Env = append(c.Env, "OPENBLAS_CORETYPE="+*coretype)
	}
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	p := &peer{cmd: c, in: in, out: bufio.NewScanner(out)}
	if !p.out.Scan() {
		return nil, fmt.Errorf("%s says nothing: %w", c.Path, c.Wait())
	}
	p.title = strings.TrimSpace(p.out.Text())
	return p, nil
}

// rate asks for one; 0 of a peer that is not there.
func (p *peer) rate(what string, seconds float64) (float64, error) {
	if p == nil {
		return 0, nil
	}
	if _, err := fmt.Fprintln(p.in, what, seconds); err != nil {
		return 0, err
	}
	if !p.out.Scan() {
		return 0, fmt.Errorf("%s ended: %v", p.cmd.Path, p.cmd.Wait())
	}
	return strconv.ParseFloat(strings.TrimSpace(p.out.Text()), 64)
}

func (p *peer) stop() {
	if p != nil {
		p.in.Close()
		p.cmd.Wait()
	}
}
