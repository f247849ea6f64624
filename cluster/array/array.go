// Package array writes job arrays: the same program for each job, which finds its number
// in the environment. Slurm and Kubernetes give numbers, try again and count.
package array

import (
	"fmt"
	"strings"
)

// A Job is the array of a pass.
type Job struct {
	Name    string // letters, digits and dashes
	Bucket  string
	Pass    string // such as pass/001-score
	Tasks   int    // of the pass
	Each    int    // tasks of a job
	Program string // path of sgppl-cluster where the jobs run
	Image   string // of Kubernetes
	Cache   string // directory of the machines of the array; "" the user's cache
}

// Jobs is how many jobs there are.
func (j *Job) Jobs() int { return (j.Tasks + j.Each - 1) / j.Each }

// words are the program and its arguments.
func (j *Job) words() []string {
	w := []string{j.Program, "task", j.Bucket, "--pass=" + j.Pass, fmt.Sprintf("--tasks=%d", j.Tasks),
		fmt.Sprintf("--each=%d", j.Each)}
	if j.Cache != "" {
		w = append(w, "--cache="+j.Cache)
	}
	return w
}

// Slurm is a script for sbatch. A job that ends with its node is queued again.
func (j *Job) Slurm() string {
	var words []string
	for _, w := range j.words() {
		words = append(words, quote(w))
	}
	return fmt.Sprintf("#!/bin/sh\n#SBATCH --job-name=%s\n#SBATCH --array=0-%d\n#SBATCH --requeue\n"+
		"#SBATCH --output=%s-%%a.log\nexec %s\n", j.Name, j.Jobs()-1, j.Name, strings.Join(words, " "))
}

// quote is a word of the shell.
func quote(w string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:%+@,"
	if strings.Trim(w, plain) == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// Kubernetes is the manifest of an Indexed Job, whose indexes are tried again each on its
// own (stable since Kubernetes 1.33).
func (j *Job) Kubernetes() string {
	var args []string
	for _, w := range j.words() {
		args = append(args, fmt.Sprintf("%q", w))
	}
	return fmt.Sprintf(`apiVersion: batch/v1
kind: Job
metadata:
  name: %s
spec:
  completionMode: Indexed
  completions: %d
  parallelism: %d
  backoffLimitPerIndex: 3
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: task
          image: %s
          command: [%s]
          resources:
            requests: {cpu: "1", memory: 2Gi}
`, j.Name, j.Jobs(), min(j.Jobs(), 64), j.Image, strings.Join(args, ", "))
}
