package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/device/wire"
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
)

// StepBytes is the size of an entry of the ring: sg_step of prelude.cu.
const StepBytes = 120

// The lists of a job.
const (
	Head     = "head"     // what a step does before its gradient
	Gradient = "gradient" // the gradient and the normals
	Tail     = "tail"     // what a step does with them
	Whole    = "step"     // Gradient, Tail, and the Head of the next step where its flags say so
)

// A mover prints a flow of one coordinate: its position X, velocity P, thermostat Z, force G, and
// normal U, with t the name of its time. They are those of runtime/dynamics/flow in single
// precision.
var movers = map[flow.Kind]func(grain flow.Grain, t string) string{
	flow.Drift: func(_ flow.Grain, t string) string { return "X = fmaf(P, " + t + ", X);" },
	flow.Thermostat: func(_ flow.Grain, t string) string {
		return "Z = fmaf(fmaf(P, P, -s.temperature), " + t + ", Z);"
	},
	flow.Friction: func(grain flow.Grain, t string) string {
		if grain == flow.Constant {
			return "P *= " + t + ";" // exp(−Dt), see Factor
		}
		return "P *= expf(-(Z * " + t + "));"
	},
	flow.Kick: func(_ flow.Grain, t string) string {
		return "P = fmaf(G, " + t + ", fmaf(s.sd, U, P));"
	},
	flow.DampedKick: func(grain flow.Grain, t string) string {
		if grain == flow.Constant {
			return "P = (P - s.t[11] * P * " + t + ") + (G * " + t + " + s.sd * U);"
		}
		return "P = (P - Z * P * " + t + ") + (G * " + t + " + s.sd * U);"
	},
	flow.Langevin: func(_ flow.Grain, t string) string {
		return "X += G * " + t + " + s.sd * U;"
	},
}

func init() { movers[flow.FrictionAgain] = movers[flow.Friction] }

// mostFlows is how many times an entry of the ring has. The last is the friction.
const mostFlows = 11

// checkFlows refuses what no kernel does.
func (in *Input) checkFlows() error {
	if in.Grain != flow.Constant && in.Grain != flow.Coordinate {
		return refuse("a thermostat that is not one of each coordinate (%s)", in.Grain)
	}
	if !slices.Contains(in.Flows, flow.Gradient) || len(in.Flows) > mostFlows {
		return refuse("a step of %d flows", len(in.Flows))
	}
	for _, k := range in.Flows {
		if k != flow.Gradient && movers[k] == nil {
			return refuse("the flow %s", k)
		}
	}
	return nil
}

// moves reports whether the state has a velocity.
func (g *generator) moves() bool { return !slices.Contains(g.Flows, flow.Langevin) }

// flows prints the flows from one until another, with times of an entry of the ring.
func (g *generator) flows(from, to int) string {
	var out strings.Builder
	for k := from; k < to; k++ {
		fmt.Fprintf(&out, "  %s\n", movers[g.Flows[k]](g.Grain, fmt.Sprintf("s.t[%d]", k)))
	}
	return out.String()
}

// eachThread is how many coordinates a thread moves, and moved how many a block.
const (
	eachThread = 4
	moved      = eachThread * wire.Threads
)

// motion prints the kernels that move the state.
func (g *generator) motion(out *strings.Builder) {
	at := slices.Index(g.Flows, flow.Gradient)
	args := "float& X, float& P, float& Z, float G, float U, const sg_step& s"
	fmt.Fprintf(out, "static __device__ inline void before(%s) {\n%s}\n", args, g.flows(0, at))
	fmt.Fprintf(out, "static __device__ inline void after(%s) {\n%s}\n\n", args,
		g.flows(at+1, len(g.Flows)))
	vectors := []struct {
		name   string
		buffer int
		is     bool
	}{{"X", X, true}, {"P", V, g.moves()}, {"Z", Xi, g.Grain == flow.Coordinate}}
	var read, write strings.Builder
	for _, v := range vectors {
		if v.is {
			fmt.Fprintf(&read, "    %s[k] = b%d[i];\n", v.name, v.buffer)
			fmt.Fprintf(&write, "    b%d[i] = %s[k];\n", v.buffer, v.name)
		} else {
			fmt.Fprintf(&read, "    %s[k] = 0;\n", v.name)
		}
	}
	// A thread moves a few coordinates, and reads all of them first.
	each := func(reads, text string) string {
		loop := fmt.Sprintf("  for (int k = 0; k < %d; k++) {\n    int i = first + k * 256;\n"+
			"    if (i >= %d) break;\n", eachThread, g.dim)
		return "#pragma unroll\n" + loop + read.String() + reads + "  }\n#pragma unroll\n" + loop +
			text + write.String() + "  }\n"
	}
	fmt.Fprintf(out, `extern "C" __global__ void head(const sg_step* b0, const int* b1, float* b3, float* b4,
                                float* b5) {
  const sg_step& s = b0[b1[0]];
  int first = blockIdx.x * %d + threadIdx.x;
  float X[%d], P[%d], Z[%d];
%s}

// The last block to end goes on to the next entry of the ring, which all have read by then.
template <bool joined>
static __device__ inline void moved(const sg_step* b0, int* b1, int* b2, float* b3, float* b4,
                                    float* b5, const float* b6, const float* b7) {
  __shared__ int at;
  if (threadIdx.x == 0) at = b1[0];
  __syncthreads();
  const sg_step s = b0[at];
  const bool on = joined && s.flags & 1;
  const sg_step next = b0[on ? at + 1 : at];
  int first = blockIdx.x * %d + threadIdx.x;
  float X[%d], P[%d], Z[%d], G[%d], U[%d];
%s  __syncthreads();
  if (threadIdx.x == 0 && atomicAdd(b1 + 1, 1) == (int)gridDim.x - 1) {
    b1[1] = 0;
    b1[0] = at + 1;
  }
}
`, moved, eachThread, eachThread, eachThread, each("", "    before(X[k], P[k], Z[k], 0, 0, s);\n"),
		moved, eachThread, eachThread, eachThread, eachThread, eachThread,
		each("    G[k] = b6[i];\n    U[k] = b7[i];\n",
			"    after(X[k], P[k], Z[k], G[k], U[k], s);\n"+
				"    float sum = X[k] + P[k] + Z[k];\n"+
				"    if (sum - sum != 0) atomicMin(b2, s.number);\n"+
				"    if (on) before(X[k], P[k], Z[k], 0, 0, next);\n"))
	for _, k := range []struct{ name, joined string }{{"tail", "false"}, {"whole", "true"}} {
		fmt.Fprintf(out, `extern "C" __global__ void %s(const sg_step* b0, int* b1, int* b2, float* b3,
                                float* b4, float* b5, const float* b6, const float* b7) {
  moved<%s>(b0, b1, b2, b3, b4, b5, b6, b7);
}
`, k.name, k.joined)
	}
	fmt.Fprintf(out, `
extern "C" __global__ void __launch_bounds__(256) normals(const sg_step* b0, const int* b1,
                                                          const u64* b8, float* b7) {
  __shared__ ulonglong2 mem[8 * 32 + 8];
  sg_normals(blockIdx.x, (float*)mem, b0[b1[0]].seed, b8, b7);
}
`)
}

// launches of the kernels of motion.
func (g *generator) lists(gradient []wire.Launch) []wire.List {
	read := func(b int) wire.Arg { return wire.Arg{Buffer: b} }
	both := func(b int) wire.Arg { return wire.Arg{Buffer: b, Writes: true} }
	state := []wire.Arg{both(X), both(V), both(Xi)}
	ends := slices.Concat([]wire.Arg{read(Steps), both(Cursor), both(Bad)}, state,
		[]wire.Arg{read(Force), read(Noise)})
	blocks := (g.dim + moved - 1) / moved
	normals := wire.Launch{Kernel: "normals", Blocks: noiseBlocks(g.dim),
		Args: []wire.Arg{read(Steps), read(Cursor), read(Jumps), both(Noise)}}
	gradient = append([]wire.Launch{normals}, gradient...)
	end := func(kernel string) wire.Launch {
		return wire.Launch{Kernel: kernel, Blocks: blocks, Args: ends}
	}
	return []wire.List{
		{Name: Head, Launches: []wire.Launch{{Kernel: "head", Blocks: blocks,
			Args: append([]wire.Arg{read(Steps), read(Cursor)}, state...)}}},
		{Name: Gradient, Launches: gradient},
		{Name: Tail, Launches: []wire.Launch{end("tail")}},
		{Name: Whole, Launches: append(slices.Clone(gradient), end("whole"))},
	}
}
