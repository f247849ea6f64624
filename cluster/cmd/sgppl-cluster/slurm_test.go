package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A slurm is a controller and a node of Slurm on this machine, run by the user of the test.
type slurm struct {
	conf string
	env  []string
}

// startSlurm starts them; the test is skipped where Slurm is not installed.
func startSlurm(t *testing.T) *slurm {
	t.Helper()
	for _, name := range []string{"slurmctld", "slurmd", "sbatch", "squeue"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed (Debian's slurm-wlm has it)", name)
		}
	}
	dir := t.TempDir()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{"state", "spool"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	conf := fmt.Sprintf(`ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
SlurmUser=%[2]s
SlurmdUser=%[2]s
StateSaveLocation=%[3]s/state
SlurmdSpoolDir=%[3]s/spool
SlurmctldPidFile=%[3]s/controller.pid
SlurmdPidFile=%[3]s/node.pid
SlurmctldPort=%[4]d
SlurmdPort=%[5]d
SwitchType=switch/none
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`, host, me.Username, dir, freePort(t), freePort(t))
	s := &slurm{conf: filepath.Join(dir, "slurm.conf")}
	if err := os.WriteFile(s.conf, []byte(conf), 0o666); err != nil {
		t.Fatal(err)
	}
	s.env = append(os.Environ(), "SLURM_CONF="+s.conf)
	for _, name := range []string{"slurmctld", "slurmd"} {
		var log bytes.Buffer
		c := exec.Command(name, "-D")
		c.Env, c.Stdout, c.Stderr = s.env, &log, &log
		if err := c.Start(); err != nil {
			t.Skipf("%s does not start: %v", name, err)
		}
		t.Cleanup(func() {
			c.Process.Kill()
			c.Wait()
			if t.Failed() {
				t.Logf("%s: %s", name, log.String())
			}
		})
	}
	s.until(t, "the node is idle", func() bool {
		out, err := s.run(t, "sinfo", "-h", "-o", "%T")
		return err == nil && strings.HasPrefix(out, "idle")
	})
	return s
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func (s *slurm) run(t *testing.T, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Env = s.env
	out, err := c.CombinedOutput()
	return string(out), err
}

// until waits for something that other processes do.
func (s *slurm) until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 600 {
		if is() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("after a minute it is not so that %s", what)
}

// Slurm runs the array of a pass. A job whose process was killed leaves its tasks, which the
// next array does; the numbers are those of a loop.
func TestSlurm(t *testing.T) {
	s := startSlurm(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "sgppl-cluster")
	build := exec.Command("go", "build", "-tags", "noclouds", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	rows := table(t, dir, 4000)
	run, want := fit(t, dir, rows)
	cache := "--cache=" + filepath.Join(dir, "cache")
	bucket := filepath.Join(dir, "out")
	score := []string{"score", run, "--data=" + rows, "--shard-size=30K", cache, "--out=" + bucket,
		"--json"}
	if code, _, messages := command(t, nil, append(score, "--runner=array")...); code != 0 {
		t.Fatal(messages)
	}
	for round := range 2 {
		program := program
		if round == 0 { // a program that dies in the third job, before it has done anything
			program = filepath.Join(dir, "dies")
			text := "#!/bin/sh\n[ \"$SLURM_ARRAY_TASK_ID\" = 2 ] && kill -9 $$\nexec " +
				filepath.Join(dir, "sgppl-cluster") + " \"$@\"\n"
			if err := os.WriteFile(program, []byte(text), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		code, script, messages := command(t, nil, "array", bucket, "--slurm", "--program="+program, cache)
		if code != 0 {
			t.Fatal(messages)
		}
		file := filepath.Join(dir, "job.sh")
		text := strings.Replace(script, "#SBATCH --output=", "#SBATCH --output="+dir+"/", 1)
		if err := os.WriteFile(file, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
		if round == 0 {
			if out, err := s.run(t, "sbatch", file); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		} else { // its log goes to the directory in which it is given
			t.Chdir(dir)
			t.Setenv("SLURM_CONF", s.conf)
			code, text, messages := command(t, nil, "array", bucket, "--slurm", "--program="+program,
				"--submit", cache)
			if code != 0 || !strings.HasPrefix(text, "Submitted batch job ") {
				t.Fatalf("%d: %s%s", code, text, messages)
			}
		}
		s.until(t, "the queue is empty", func() bool {
			out, err := s.run(t, "squeue", "-h")
			return err == nil && strings.TrimSpace(out) == ""
		})
		_, status, _ := command(t, nil, "status", bucket)
		var tasks int
		fmt.Sscanf(script[strings.Index(script, "--tasks="):], "--tasks=%d", &tasks)
		if !strings.Contains(status, fmt.Sprintf("%d of %d tasks", tasks-1+round, tasks)) {
			t.Errorf("after array %d: %s", round, status)
		}
	}
	code, text, messages := command(t, nil, score...)
	if code != 0 || !strings.Contains(text, fmt.Sprintf(`"lpd":%.8f`, want.LPD)[:14]) {
		t.Errorf("status %d: %s%s, want %v", code, text, messages, want.LPD)
	}
}
