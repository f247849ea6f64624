package cuda

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/device/wire"
)

// A machine is a job that a processor runs, by a program that g++ makes of the text.
type machine struct {
	t       *testing.T
	job     *wire.Job
	program string
	memory  [][]byte
}

// newMachine compiles the text of a job.
func newMachine(t *testing.T, job *wire.Job) *machine {
	t.Helper()
	gxx, err := exec.LookPath("g++")
	if err != nil {
		t.Skip("g++, which compiles the kernels for a processor, is not installed")
	}
	header, err := filepath.Abs("testdata/emulate.h")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "job.cpp")
	text := fmt.Sprintf("#include %q\n%s\n%s", header, job.Text, driver(job))
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m := &machine{t: t, job: job, program: filepath.Join(dir, "job")}
	c := exec.Command(gxx, "-std=c++17", "-O2", "-w", "-U_FORTIFY_SOURCE", "-ffp-contract=off", "-o",
		m.program, source)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, cut(string(out)))
	}
	for _, b := range job.Buffers {
		memory := make([]byte, b.Bytes)
		for i := range memory { // what nothing writes is NaN
			memory[i] = 0xff
		}
		m.memory = append(m.memory, memory)
	}
	clear(m.memory[Cursor])
	return m
}

func cut(text string) string { return text[:min(len(text), 4000)] }

var kernels = regexp.MustCompile(`__global__ void (?:__launch_bounds__\([0-9, ]+\) )?(\w+)\(([^)]*)\)`)

// driver prints a program that reads the memory and the lists to run from standard input, and
// writes the memory.
func driver(job *wire.Job) string {
	var out strings.Builder
	out.WriteString("static void** args;\n")
	names := map[string]int{}
	for i, k := range kernels.FindAllStringSubmatch(job.Text, -1) {
		names[k[1]] = i
		types := strings.Split(k[2], ",")
		for j, p := range types {
			types[j] = fmt.Sprintf("(%s)args[%d]", p[:strings.LastIndex(p, " ")], j)
		}
		fmt.Fprintf(&out, "static void call_%d() { %s(%s); }\n", i, k[1], strings.Join(types, ", "))
	}
	out.WriteString("static void list(int which, void** b) {\n")
	for i, l := range job.Lists {
		fmt.Fprintf(&out, "  if (which == %d) {\n", i)
		for _, x := range l.Launches {
			var refs []string
			for _, a := range x.Args {
				refs = append(refs, fmt.Sprintf("b[%d]", a.Buffer))
			}
			fmt.Fprintf(&out, "    { void* a[] = {%s}; args = a; emu::body = call_%d; emu::run(%d); }\n",
				strings.Join(refs, ", "), names[x.Kernel], x.Blocks)
		}
		out.WriteString("  }\n")
	}
	out.WriteString("}\nint main() {\n  static void* b[1000];\n")
	fmt.Fprintf(&out, "  long long bytes[] = {")
	for _, b := range job.Buffers {
		fmt.Fprintf(&out, "%d, ", b.Bytes)
	}
	fmt.Fprintf(&out, `};
  for (int i = 0; i < %[1]d; i++) {
    b[i] = aligned_alloc(64, (bytes[i] + 63) / 64 * 64);
    if (fread(b[i], 1, bytes[i], stdin) != (size_t)bytes[i]) return 1;
  }
  int which;
  while (fread(&which, 4, 1, stdin) == 1) list(which, b);
  for (int i = 0; i < %[1]d; i++) fwrite(b[i], 1, bytes[i], stdout);
}
`, len(job.Buffers))
	return out.String()
}

// run runs lists.
func (m *machine) run(lists ...string) {
	m.t.Helper()
	var in bytes.Buffer
	for _, b := range m.memory {
		in.Write(b)
	}
	for _, l := range lists {
		binary.Write(&in, binary.LittleEndian, int32(m.job.Find(l)))
	}
	var out, said bytes.Buffer
	c := exec.Command(m.program)
	c.Stdin, c.Stdout, c.Stderr = &in, &out, &said
	if err := c.Run(); err != nil {
		m.t.Fatalf("%v\n%s", err, said.String())
	}
	for i := range m.memory {
		copy(m.memory[i], out.Next(len(m.memory[i])))
	}
}

// set writes float32 numbers.
func (m *machine) set(buffer int, x []float32) {
	for i, v := range x {
		binary.LittleEndian.PutUint32(m.memory[buffer][4*i:], math.Float32bits(v))
	}
}

// get reads them.
func (m *machine) get(buffer, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = math.Float32frombits(binary.LittleEndian.Uint32(m.memory[buffer][4*i:]))
	}
	return x
}
