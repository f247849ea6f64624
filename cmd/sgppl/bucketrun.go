package main

import (
	"bytes"
	"net/url"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/companion"
	"github.com/sgppl/sgppl/internal/session"
)

// fetchRuns puts directories in the place of URLs of runs among the arguments of a command:
// the path of file://, and a copy of a run in a bucket, which sgppl-cluster fetches.
func fetchRuns(e *session.Session, ctx *commandline.Context) error {
	for _, p := range ctx.Path {
		if p.Argument == nil || p.Argument.Name != "run" {
			continue
		}
		to := p.Argument.Target
		switch to.Kind() {
		case reflect.String:
			dir, err := runDirectory(e, to.String())
			if err != nil {
				return err
			}
			to.SetString(dir)
		case reflect.Slice:
			for i := range to.Len() {
				dir, err := runDirectory(e, to.Index(i).String())
				if err != nil {
					return err
				}
				to.Index(i).SetString(dir)
			}
		}
	}
	return nil
}

// runDirectory is the directory of a run that a path or a URL names.
func runDirectory(e *session.Session, location string) (string, error) {
	scheme, _, is := strings.Cut(location, "://")
	if !is {
		return location, nil
	}
	if scheme == "file" {
		u, err := url.Parse(location)
		if err != nil {
			return "", session.Usagef("%s is no URL: %v", location, err)
		}
		return filepath.FromSlash(u.Host + u.Path), nil
	}
	program, err := companion.Find(clusterProgram)
	if err != nil {
		return "", noCluster()
	}
	var out bytes.Buffer
	c := exec.Command(program, "fetch", "--cached", location)
	c.Stdout, c.Stderr, c.Env = &out, e.Screen, e.Environ
	if err := c.Run(); err != nil {
		if c.ProcessState != nil && c.ProcessState.ExitCode() > 0 { // it has said why
			return "", &session.ExitError{Code: c.ProcessState.ExitCode()}
		}
		return "", session.Failf(session.ExitFiles, "%s: %v", program, err)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}
