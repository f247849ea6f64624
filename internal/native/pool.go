package native

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/host"
	"github.com/sgppl/sgppl/runtime/infer/replicate"
)

// Replicator is the main file of a program that samples many data sets of one model.
func Replicator(importPath string) string {
	name := importPath[strings.LastIndexByte(importPath, '/')+1:]
	return fmt.Sprintf(`// Command %[1]s samples posteriors of one model, a data set each.
package main

import (
	"%[3]s/runtime/base/setting"
	"%[3]s/runtime/infer/replicate"

	compiled %[2]q
)

func main() {
	setting.Spell = func(name string) string { return "--" + name }
	replicate.Main(compiled.Compiled)
}
`, name, importPath, module)
}

// A Replica is a running program whose main file is Replicator's. One goroutine
// uses it at a time.
type Replica struct{ *child }

// StartReplica starts a program that Build made. It ends when ctx is cancelled,
// and when this process does.
func StartReplica(ctx context.Context, program string, env []string) (*Replica, error) {
	c, err := start(exec.CommandContext(ctx, program), env)
	return &Replica{c}, err
}

// Sample has the program sample one posterior.
func (r *Replica) Sample(w replicate.Work, bound *data.Bound) (*replicate.Kept, error) {
	work, err := json.Marshal(w)
	if err != nil {
		return nil, err
	}
	if err := host.WriteJob(r.in, host.Job{Work: work}, bound); err != nil {
		return nil, r.ended(err)
	}
	line, err := r.out.ReadBytes('\n')
	if err != nil {
		return nil, r.ended(err)
	}
	return answer(line)
}

// answer reads the line with which the program answers a job.
func answer(line []byte) (*replicate.Kept, error) {
	var a replicate.Answer
	if err := json.Unmarshal(line, &a); err != nil {
		return nil, fmt.Errorf("the answer of the program of the model cannot be read: %w", err)
	}
	if a.Kept == nil {
		return nil, errors.New(cmp.Or(a.Error, "the program of the model answers nothing"))
	}
	for _, x := range a.Kept.States {
		if len(x) != len(a.Kept.States[0]) {
			return nil, errors.New("the answer of the program of the model has states of " +
				"different lengths")
		}
	}
	return a.Kept, nil
}
