package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"strings"

	"github.com/sgppl/sgppl/cluster/array"
	"github.com/sgppl/sgppl/cluster/pass"
)

type arrayCmd struct {
	Bucket  string `arg:"" name:"run" help:"The bucket of the run."`
	Slurm   bool   `xor:"kind" required:"" help:"Print a script for sbatch."`
	K8s     bool   `name:"k8s" xor:"kind" required:"" help:"Print the manifest of an Indexed Job, for kubectl apply."`
	Pass    string `placeholder:"DIR" help:"The pass, such as pass/001-score (default: the first that is due)."`
	Each    int    `default:"1" placeholder:"N" help:"Tasks of a job (default ${default})."`
	Program string `placeholder:"PATH" help:"sgppl-cluster where the jobs run (default: this one; in an image /sgppl-cluster)."`
	Image   string `default:"sgppl-cluster" help:"Of the containers (default ${default})."`
	Cache   string `placeholder:"DIR" help:"Copies of shards on the machines of the array."`
	Submit  bool   `help:"Give the array to Slurm, by sbatch, or to Kubernetes, by kubectl apply, and print what that says."`
}

func (c *arrayCmd) Help() string {
	return `Prints the job array for the pass that is due. When its jobs have ended, the command that began the run folds the
results, or prints the array of the next pass.

  sgppl cluster array s3://lake/scores --slurm | sbatch
  sgppl cluster array s3://lake/scores --k8s | kubectl apply -f -
  sgppl cluster array s3://lake/scores --slurm --submit`
}

// Run prints the array.
func (c *arrayCmd) Run(w *world) error {
	e, err := openRun(w.ctx, c.Bucket, c.Cache)
	if err != nil {
		return err
	}
	all, err := e.Passes(w.ctx)
	if err != nil {
		return err
	}
	var found *pass.State
	for i := range all {
		if s := &all[i]; c.Pass == s.Dir || c.Pass == "" && s.Done+s.Failed < s.Tasks {
			found = s
			break
		}
	}
	if found == nil {
		return usage("%s has no pass that is due: the command that began the run goes on with it",
			c.Bucket)
	}
	if c.Each < 1 {
		return usage("--each %d: at least 1", c.Each)
	}
	j := array.Job{Name: "sgppl-" + strings.ReplaceAll(path.Base(found.Dir), "_", "-"),
		Bucket: c.Bucket,
		Pass:   found.Dir, Tasks: found.Tasks, Each: c.Each, Program: c.Program, Image: c.Image,
		Cache: c.Cache}
	text := ""
	switch {
	case c.K8s:
		if j.Program == "" {
			j.Program = "/sgppl-cluster"
		}
		text = j.Kubernetes()
	default:
		if j.Program == "" {
			if j.Program, err = os.Executable(); err != nil {
				return err
			}
		}
		text = j.Slurm()
	}
	if c.Submit {
		return c.submit(w, text)
	}
	_, err = fmt.Fprint(w.stdout, text)
	return err
}

// submit gives a job to the program that takes it.
func (c *arrayCmd) submit(w *world, text string) error {
	words := []string{"sbatch"}
	if c.K8s {
		words = []string{"kubectl", "apply", "-f", "-"}
	}
	program, err := exec.LookPath(words[0])
	if err != nil {
		return usage("--submit: %s is not on the PATH of this machine; without --submit the job is "+
			"printed, for one that has it", words[0])
	}
	cmd := exec.CommandContext(w.ctx, program, words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), w.stdout, w.stderr
	if err := cmd.Run(); err != nil {
		return &unfinishedError{fmt.Errorf("%s has not taken the job: %w", words[0], err)}
	}
	return nil
}

// An asker is a front that runs nothing: it says how an array does the tasks.
type asker struct {
	w     *world
	out   string
	asked bool
}

// Run implements pass.Front.
func (a *asker) Run(_ context.Context, _ *pass.Env, tasks []pass.Task) error {
	a.asked = true
	if err := told(a.w, a.out, tasks[0].Dir, len(tasks)); err != nil {
		return err
	}
	return errAsked
}

// errAsked ends a command that had nothing to do but to say how an array goes on.
var errAsked = errors.New("an array has been asked for")

// told says how the tasks of a pass that are due are run.
func told(w *world, out, dir string, tasks int) error {
	_, err := fmt.Fprintf(w.stdout, "%s in %s has %d tasks to do.\n"+
		"  sgppl cluster array %s --slurm --submit     runs them by Slurm\n"+
		"  sgppl cluster array %s --k8s --submit       by Kubernetes; without --submit it is printed\n"+
		"When they have ended, the same command goes on; without --runner array it does itself what\n"+
		"is left.\n", dir, out, tasks, out, out)
	return err
}
