package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// --submit gives the program of the cluster what is printed without it, and says so where there
// is none or where it refuses.
func TestSubmit(t *testing.T) {
	dir := t.TempDir()
	rows := table(t, dir, 500)
	run, _ := fit(t, dir, rows)
	bucket := filepath.Join(dir, "out")
	if code, _, messages := command(t, nil, "score", run, "--data="+rows, "--shard-size=8K",
		"--cache="+dir, "--engine=vm", "--runner=array", "--out="+bucket); code != 0 {
		t.Fatal(messages)
	}
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	for kind, name := range map[string]string{"--slurm": "sbatch", "--k8s": "kubectl"} {
		args := []string{"array", bucket, kind, "--program=/opt/sgppl-cluster"}
		_, want, _ := command(t, nil, args...)
		code, text, messages := command(t, nil, append(args, "--submit")...)
		if code != exitUsage || text != "" || !strings.Contains(messages, name+" is not on the PATH") {
			t.Errorf("%s: %d: %s%s", name, code, text, messages)
		}
		for _, ends := range []string{"0", "1"} {
			script := "#!/bin/sh\necho \"$0 $*\"\n/bin/cat\nexit " + ends + "\n"
			if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o777); err != nil {
				t.Fatal(err)
			}
			code, text, messages = command(t, nil, append(args, "--submit")...)
			first, rest, _ := strings.Cut(text, "\n")
			if rest != want || !strings.HasPrefix(first, filepath.Join(bin, name)) ||
				(kind == "--k8s") != strings.HasSuffix(first, "apply -f -") {
				t.Errorf("%s got %s\nwant %s", name, text, want)
			}
			if (code == 0) != (ends == "0") ||
				(code != 0) != strings.Contains(messages, name+" has not taken the job") {
				t.Errorf("%s ends with %s: %d: %s", name, ends, code, messages)
			}
		}
	}
}
