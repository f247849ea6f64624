package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/device/wire"
)

// write prints the parts, the kernels made of them, and the kernels that move the state.
func (g *generator) write() {
	parts := append(g.fed, g.parts...)
	levels(parts)
	var out strings.Builder
	out.WriteString(prelude)
	for _, p := range parts {
		fmt.Fprintf(&out, "\nstatic __device__ inline void %s(int block, float* mem, "+
			"const sg_step& s%s) {\n%s}\n", p.name, g.params(p.args), p.text)
	}
	out.WriteByte('\n')
	byLevel := map[int][]*part{}
	last := 0
	for _, p := range parts {
		byLevel[p.level] = append(byLevel[p.level], p)
		last = max(last, p.level)
	}
	var launches []wire.Launch
	for level := range last + 1 {
		if list := byLevel[level]; len(list) > 0 {
			launches = append(launches, g.kernelOf(&out, fmt.Sprintf("level_%d", level), list))
		}
	}
	out.WriteByte('\n')
	g.motion(&out)
	g.job.Text = out.String()
	g.job.Lists = g.lists(launches)
}

// levels numbers the parts: a part comes after those that write what it reads, and after those that
// read or write what it writes.
func levels(parts []*part) {
	for i, p := range parts {
		for _, q := range parts[:i] {
			if conflict(p, q) {
				p.level = max(p.level, q.level+1)
			}
		}
	}
}

func conflict(p, q *part) bool {
	for _, a := range p.args {
		for _, b := range q.args {
			if a.Buffer == b.Buffer && (a.Writes || b.Writes) && !disjoint(a.Buffer) {
				return true
			}
		}
	}
	return false
}

// disjoint reports whether parts write to a buffer each its own entries, and none reads it.
func disjoint(buffer int) bool { return buffer == Force }

// params prints the parameters of a device function.
func (g *generator) params(args []wire.Arg) string {
	var out strings.Builder
	for _, a := range args {
		fmt.Fprintf(&out, ", %s b%d", g.pointer(a), a.Buffer)
	}
	return out.String()
}

// pointer is the type of an argument.
func (g *generator) pointer(a wire.Arg) string {
	elem := "float"
	switch a.Buffer {
	case RowOrder:
		elem = "int"
	case Steps, Cursor, Bad, Jumps:
		panic("cuda: a part reads the ring")
	}
	for _, p := range g.place {
		if p.buffer == a.Buffer && p.double {
			elem = "double"
		}
	}
	if a.Writes {
		return elem + "*"
	}
	return "const " + elem + "*"
}

// leastShared is the shared memory of a block, in numbers: two for each thread.
const leastShared = 512

// kernelOf prints the kernel that is several parts, each with blocks of its own.
func (g *generator) kernelOf(out *strings.Builder, name string, list []*part) wire.Launch {
	args := []wire.Arg{{Buffer: Steps}, {Buffer: Cursor}}
	blocks, shared := 0, leastShared
	for _, p := range list {
		for _, a := range p.args {
			i := slices.IndexFunc(args, func(b wire.Arg) bool { return b.Buffer == a.Buffer })
			if i < 0 {
				args = append(args, a)
			} else if a.Writes {
				args[i].Writes = true
			}
		}
		blocks += p.blocks
		shared = max(shared, p.shared)
	}
	bounds := "256"
	if shared > leastShared { // products keep much in registers, and three blocks are to fit
		bounds = "256, 3"
	}
	fmt.Fprintf(out, "extern \"C\" __global__ void __launch_bounds__(%s) %s(const sg_step* b0, "+
		"const int* b1%s) {\n  __shared__ float4 mem4[%d];\n  float* mem = (float*)mem4;\n"+
		"  const sg_step& s = b0[b1[0]];\n  int block = blockIdx.x;\n", bounds, name, g.params(args[2:]),
		(shared+3)/4)
	for i, p := range list {
		names := "block, mem, s"
		for _, a := range p.args {
			names += fmt.Sprintf(", b%d", a.Buffer)
		}
		if i < len(list)-1 {
			fmt.Fprintf(out, "  if (block < %d) {\n    %s(%s);\n    return;\n  }\n  block -= %d;\n",
				p.blocks, p.name, names, p.blocks)
			continue
		}
		fmt.Fprintf(out, "  %s(%s);\n", p.name, names)
	}
	out.WriteString("}\n")
	return wire.Launch{Kernel: name, Blocks: blocks, Args: args}
}
