package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/internal/companion"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
)

type chainsCmd struct {
	Args []string `arg:"" optional:"" passthrough:"" help:"The model, the flags of this command, and those of sgppl sample."`
}

// chainsFlags are the flags of chains; all others are those of sgppl sample.
type chainsFlags struct {
	plan
	TaskTime time.Duration `default:"30m" placeholder:"TIME" help:"A task that takes longer leaves its checkpoint and is given again (default ${default})."`
}

const chainsHelp = `Runs the chains of a run of sgppl sample, each as a task that reads all rows: for many unknowns, networks and topics, by
minibatches, also with --stream. All flags of sgppl sample go with it; --checkpoint says how often a chain leaves its
state in the bucket. Rows in several files are joined in the order of their names. The run directory has the bits of
sgppl sample on the joined rows. The command given again goes on.

  sgppl cluster chains topics.sg --data 's3://lake/docs/*.ldac.gz' --out s3://lake/topics --chains 32 --sampler msgnht --stream --batch D=100

Flags of its own:
`

// Help is that of the command line, which adds nothing.
func (c *chainsCmd) Help() string { return chainsHelp + chainsOwn() }

// chainsOwn lists the flags of the command with their help.
func chainsOwn() string {
	var b strings.Builder
	for _, f := range chainsParser(&chainsFlags{}).Model.Flags {
		if f.Name != "help" && f.Name != "shard-size" {
			fmt.Fprintf(&b, "  --%-11s %s\n", f.Name, f.Help)
		}
	}
	return b.String()
}

func chainsParser(f *chainsFlags) *kong.Kong {
	return kong.Must(f, kong.Name("sgppl-cluster chains"), kong.NoDefaultHelp(),
		kong.Writers(io.Discard, io.Discard))
}

// notForChains are flags of sgppl sample that say where a run is or how it is watched.
var notForChains = []string{"force", "resume", "more-draws", "dump", "serve", "open", "prepare",
	"log-lik", "held-out", "follow", "config", "threads"}

// split parts the arguments: the model, the flags of chains, those of sgppl sample.
func (c *chainsCmd) split() (model string, f *chainsFlags, rest []string, err error) {
	f = new(chainsFlags)
	p := chainsParser(f)
	var own []string
	for i := 0; i < len(c.Args); i++ {
		arg := c.Args[i]
		name, _, valued := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		k := slices.IndexFunc(p.Model.Flags, func(f *kong.Flag) bool { return f.Name == name })
		switch {
		case !strings.HasPrefix(arg, "--"):
			if model == "" && (i == 0 || !strings.HasPrefix(c.Args[i-1], "--")) {
				model = arg
				continue
			}
			rest = append(rest, arg)
		case k < 0 && slices.Contains(notForChains, name):
			return "", nil, nil, usage("--%s does not go with chains", name)
		case k < 0:
			rest = append(rest, arg)
		default:
			own = append(own, arg)
			if !valued && !p.Model.Flags[k].IsBool() && i+1 < len(c.Args) {
				i++
				own = append(own, c.Args[i])
			}
		}
	}
	if _, err := p.Parse(own); err != nil {
		return "", nil, nil, &usageError{err.Error()}
	}
	switch {
	case model == "":
		err = usage("a model comes first: sgppl cluster chains MODEL --data FILES --out BUCKET")
	case f.TaskTime < time.Second:
		err = usage("--task-time %v: at least 1s", f.TaskTime)
	}
	return model, f, rest, err
}

// Run runs the chains.
func (c *chainsCmd) Run(w *world) error {
	if len(c.Args) == 0 || slices.Contains(c.Args, "--help") || slices.Contains(c.Args, "-h") {
		_, err := fmt.Fprintf(w.stdout, "%s%s", chainsHelp, chainsOwn())
		return err
	}
	model, f, rest, err := c.split()
	if err != nil {
		return err
	}
	return c.begin(w, model, f, rest)
}

// begin makes the run in its bucket, or goes on with it.
func (c *chainsCmd) begin(w *world, model string, f *chainsFlags, rest []string) error {
	text, err := os.ReadFile(model)
	if err != nil {
		return err
	}
	f.ShardSize = "1000000G" // a file a piece
	m, err := f.cut(w)
	if err != nil {
		return err
	}
	if f.Dry {
		return f.dry(w, m, "chains")
	}
	asked, err := json.Marshal(map[string]any{"command": "chains", "args": rest})
	if err != nil {
		return err
	}
	e, err := f.open(w, &pass.Run{Name: filepath.Base(model), Model: string(text), Manifest: m,
		Asked: asked})
	if err != nil {
		return err
	}
	defer e.Close()
	if e.Cache, err = filepath.Abs(e.Cache); err != nil {
		return err
	}
	above, err := os.MkdirTemp(e.Cache, "run-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(above)
	return f.run(w, e, model, rest, filepath.Join(above, "run"))
}

// run prepares the run in the directory dir unless that was done, and runs its chains.
func (f *chainsFlags) run(w *world, e *pass.Env, model string, rest []string, dir string) error {
	sum, err := e.Prepared(w.ctx, dir, func(dir string) error {
		return prepare(w, e, model, rest, dir)
	})
	if err != nil {
		return err
	}
	n, err := e.ChainCount(w.ctx, sum, dir)
	if err != nil {
		return err
	}
	body := pass.Chains{Prepared: sum, Cache: e.Cache, Seconds: f.TaskTime.Seconds()}
	var by pass.Front
	asks := &asker{w: w, out: f.Out}
	if by = asks; f.Runner != "array" {
		t := newTeller(w, n)
		e.Told = t.told
		if by, err = f.telling(t); err != nil {
			return err
		}
	}
	// The run is put together where nothing is yet.
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := pass.ChainsOf(w.ctx, e, by, body, n, dir); asks.asked {
		return nil
	} else if err != nil {
		return err
	}
	return f.show(w, e, dir)
}

// prepare has sgppl sample make the run directory.
func prepare(w *world, e *pass.Env, model string, rest []string, dir string) error {
	program, err := companion.Find("sgppl")
	if err != nil {
		return fmt.Errorf("sgppl is not next to this program and not on the PATH: it reads the "+
			"flags of sample: %w", err)
	}
	data, err := e.Files(w.ctx)
	if err != nil {
		return err
	}
	args := []string{"sample", model, "--prepare", "--engine", "vm", "--out", dir}
	for _, spec := range data {
		args = append(args, "--data", spec)
	}
	c := exec.CommandContext(w.ctx, program, append(args, rest...)...)
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Run(); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() > 0 {
			w.stderr.Write(said.Bytes())
			return session.Failf(exit.ExitCode(), "")
		}
		return fmt.Errorf("%s: %w", program, err)
	}
	return nil
}

// show prints the summary of the run, from a copy where it is in a bucket.
func (f *chainsFlags) show(w *world, e *pass.Env, dir string) error {
	if bucket.Local(f.Out) != "" {
		return show.Finished(w.session(), bucket.Local(f.Out))
	}
	if _, err := os.Stat(filepath.Join(dir, runRecord)); err != nil {
		if err := fetchRun(context.WithoutCancel(w.ctx), e.Bucket, dir); err != nil {
			return err
		}
	}
	s, err := show.ReadSummary(w.session(), dir, show.View{Words: show.ShownWords})
	if err != nil {
		return err
	}
	if err := s.Print(w.stdout); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w.stderr, "note: the run is in %s\n", f.Out)
	return err
}
