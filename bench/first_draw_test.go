package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkFirstDraw is the time from the start of sgppl sample, for the first
// example of the README, to the message that a draw was taken: by the VM; by the
// native engine for a model that was built before; and for a new model, where
// the Go build cache has the runtime.
func BenchmarkFirstDraw(b *testing.B) {
	dir := b.TempDir()
	program := filepath.Join(dir, "sgppl")
	if out, err := exec.Command("go", "build", "-o", program,
		"../cmd/sgppl").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(sparseModel)
	if err != nil {
		b.Fatal(err)
	}
	runs := 0
	// version writes the model with another doc comment.
	version := func(n int) string {
		path := filepath.Join(dir, "logistic.sg")
		if err := os.WriteFile(path, append(fmt.Appendf(nil, "/// Version %d.\n", n), text...),
			0o666); err != nil {
			b.Fatal(err)
		}
		return path
	}
	draw := func(engine, model string) time.Duration {
		runs++
		c := exec.Command(program, "sample", model, "--data", "../examples/models/logistic.json",
			"--sampler", "msgnht",
			"--step", "0.005", "--batch", "200", "--warmup", "0", "--draws", "1", "--engine",
			engine, "--progress", "json",
			"--out", filepath.Join(dir, fmt.Sprint("run", runs)))
		c.Env = append(os.Environ(), "SGPPL_CACHE="+filepath.Join(dir, "cache"))
		return untilDraw(b, c)
	}
	draw("native", version(-1)) // puts the runtime into the build cache
	for _, c := range []struct {
		name, engine string
		version      func(run int) int
	}{
		{"vm", "vm", func(int) int { return -1 }},
		{"native/built", "native", func(int) int { return -1 }},
		{"native/new", "native", func(run int) int { return run }},
	} {
		b.Run(c.name, func(b *testing.B) {
			var times []float64
			for range b.N {
				times = append(times, draw(c.engine, version(c.version(runs))).Seconds()*1000)
			}
			b.ReportMetric(0, "ns/op") // has the end of the run as well
			b.ReportMetric(median(times), "ms")
		})
	}
}

// untilDraw runs a command to its end and returns when it told of a draw.
func untilDraw(b *testing.B, c *exec.Cmd) time.Duration {
	messages, err := c.StderrPipe()
	if err != nil {
		b.Fatal(err)
	}
	start, first := time.Now(), time.Duration(0)
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	var all bytes.Buffer
	lines := bufio.NewScanner(messages)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var event struct{ Draws int }
		if first == 0 && json.Unmarshal(lines.Bytes(), &event) == nil && event.Draws > 0 {
			first = time.Since(start)
		}
		all.Write(append(lines.Bytes(), '\n'))
	}
	if err := c.Wait(); err != nil || first == 0 {
		b.Fatalf("%v\n%s", err, all.Bytes())
	}
	return first
}
