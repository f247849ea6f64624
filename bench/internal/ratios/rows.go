package ratios

// Names of sides. The others are those of peers.
const (
	Sgppl = "sgppl"
	C     = "C"
)

// A Row of the table is a piece of work that several programs do.
type Row struct {
	Name string
	Unit Unit
	// Sides are the programs that do the work. The first is Sgppl.
	Sides []Side
	// AtMost is the target: sgppl takes at most so many times what C takes. 0: there is none.
	AtMost float64
}

// A Side is one program that does the work of a row.
type Side struct {
	Who string // Sgppl, C, or the name of a peer
	// Own names the work in the table of bench/table/own.go, for sgppl in a process of its own.
	Own string
	// Program is the source of a peer, below bench or below the directory of the peers. It prints
	// lines "FIGURE VALUE UNIT", or it answers a line "FIGURE SECONDS" with a rate where it Answers.
	Program, Figure string
	Answers         bool
	Seconds         bool // the figure is seconds a unit of work, and no rate
	// Gradient names a case of bench/gradients: its generated package for sgppl, its loop for C.
	Gradient string
	// Command is a command of sgppl of which a Measure is taken, if there is one; "DATA" in it is the
	// directory of the data of the reference material.
	Command []string
	Measure Measure
}

// A Measure is what is taken of a command.
type Measure int

// The measures of a command.
const (
	CPU     Measure = iota + 1 // seconds of processor time
	Elapsed                    // seconds from its start to its end
	Memory                     // MiB resident at the peak, of the largest process
	// First is CPU with an empty cache of builds: the first native model of an installation.
	First
	// Build is seconds of processor time of the build of the program with an empty cache, and Size
	// is MB of the program without its symbols. They have no command.
	Build
	Size
)

// A Unit is how values of a row are shown.
type Unit struct {
	Name  string
	Scale float64 // times a value, in seconds or MiB
}

// The units of rows.
var (
	Nanoseconds  = Unit{"ns", 1e9}
	Microseconds = Unit{"µs", 1e6}
	Milliseconds = Unit{"ms", 1e3}
	Seconds      = Unit{"s", 1}
	Mebibytes    = Unit{"MiB", 1}
	Megabytes    = Unit{"MB", 1}
)

func step(name string, own, c, numpy, torch string, atMost float64, unit Unit) Row {
	r := Row{Name: name, Unit: unit, AtMost: atMost, Sides: []Side{{Who: Sgppl, Own: own},
		{Who: C, Program: "c/logreg.c", Figure: c}}}
	if numpy != "" {
		r.Sides = append(r.Sides, Side{Who: "NumPy", Program: "numpy/logreg.py", Figure: numpy},
			Side{Who: "PyTorch", Program: "torch/logreg.py", Figure: torch})
	}
	return r
}

// alone is a row of gradients of a model of posteriordb beside the loop in C for it alone.
func alone(name, which string) Row {
	return Row{Name: name + ", gradient", Unit: Nanoseconds, AtMost: 2,
		Sides: []Side{{Who: Sgppl, Gradient: which}, {Who: C, Gradient: which}}}
}

func training(name, own, c, torch string, atMost float64) Row {
	r := Row{Name: name, Unit: Milliseconds, AtMost: atMost,
		Sides: []Side{{Who: Sgppl, Own: own}}}
	if c != "" {
		r.Sides = append(r.Sides, Side{Who: C, Program: "c/nets.c", Figure: c})
	}
	r.Sides = append(r.Sides, Side{Who: "PyTorch", Program: "peers/torch/steps.py", Figure: torch,
		Answers: true})
	return r
}

// double is a row of steps in double precision.
func double(name, own, c string, atMost float64, unit Unit) Row {
	return Row{Name: name, Unit: unit, AtMost: atMost, Sides: []Side{{Who: Sgppl, Own: own},
		{Who: C, Program: "table/c/logistic64.c", Figure: c}}}
}

func whole(name string, unit Unit, measure Measure, command ...string) Row {
	return Row{Name: name, Unit: unit,
		Sides: []Side{{Who: Sgppl, Command: command, Measure: measure}}}
}

// Rows are all rows of the table.
var Rows = []Row{
	step("a9a, mSGNHT, batch 10, f32", "a9a32 msgnht 10", "logreg_b10_msgnht_s_c_colindex",
		"logreg_b10_msgnht_s_numpy_manual", "logreg_b10_msgnht_s_torch_manual", 1.3, Nanoseconds),
	step("a9a, mSGNHT, batch 100, f32", "a9a32 msgnht 100", "logreg_b100_msgnht_s_c_colindex",
		"logreg_b100_msgnht_s_numpy_manual", "logreg_b100_msgnht_s_torch_manual", 1.3,
		Microseconds),
	step("a9a, mSGNHT, batch 1,000, f32", "a9a32 msgnht 1000", "logreg_b1000_msgnht_s_c_colindex",
		"logreg_b1000_msgnht_s_numpy_manual", "logreg_b1000_msgnht_s_torch_manual", 1.3,
		Microseconds),
	step("a9a, SGLD, batch 10, f32", "a9a32 sgld 10", "logreg_b10_sgld_c_colindex",
		"logreg_b10_sgld_numpy_manual", "logreg_b10_sgld_torch_manual", 1.3, Nanoseconds),
	double("a9a, mSGNHT, batch 10, f64", "a9a64 msgnht 10", "msgnht 10", 0.8, Nanoseconds),
	double("a9a, mSGNHT, batch 100, f64", "a9a64 msgnht 100", "msgnht 100", 1.3, Microseconds),
	double("a9a, mSGNHT, batch 1,000, f64", "a9a64 msgnht 1000", "msgnht 1000", 1.3, Microseconds),
	{Name: "a9a, gradient of all rows, f64", Unit: Microseconds, Sides: []Side{
		{Who: Sgppl, Own: "a9a64 gradient"},
		{Who: C, Program: "c/logreg64.c", Figure: "logreg_fullgrad_c_colindex_f64_1thread"},
		{Who: "SciPy", Program: "numpy/logreg.py", Figure: "logreg_fullgrad_scipy_csr_f32_1thread"}}},
	{Name: "eight schools, gradient", Unit: Nanoseconds, AtMost: 2, Sides: []Side{
		{Who: Sgppl, Own: "schools gradient"},
		{Who: C, Program: "c/hier.c", Figure: "eight_fullgrad_c_f64_1thread"}}},
	{Name: "radon-shaped, gradient by squares", Unit: Nanoseconds, Sides: []Side{
		{Who: Sgppl, Own: "radon gradient"},
		{Who: C, Program: "c/hier.c", Figure: "radon_fullgrad_c_suffstat_f64_1thread"}}},
	{Name: "radon-shaped, gradient by row", Unit: Nanoseconds, AtMost: 1.5, Sides: []Side{
		{Who: Sgppl, Own: "radon rows"},
		{Who: C, Program: "c/hier.c", Figure: "radon_fullgrad_c_direct_f64_1thread"}}},
	alone("GARCH, 200 steps", "garch11"),
	alone("hidden Markov model, 2 states, 100 steps", "hmm_example"),
	alone("mixture of 2 normals, 1,000 rows", "low_dim_gauss_mix"),
	alone("wells, 3,020 rows", "wells_dae"),
	alone("capture and recapture", "m0"),
	training("784-400-400-10, SGD, f32", "network32 sgd", "fnn_sgd_c_1thread", "network-sgd-f32",
		0),
	training("784-400-400-10, mSGNHT, f32", "network32 msgnht", "fnn_msgnht_s_c_1thread",
		"network-msgnht-f32", 0),
	training("784-400-400-10, sparse pixels, mSGNHT, f32", "pixels32 msgnht",
		"fnn_msgnht_s_c_sparse_input_1thread", "network-msgnht-f32", 0),
	training("LeNet, SGD, f32", "lenet32 sgd", "", "lenet-sgd-f32", 0),
	training("GRU, SGD, f32", "gru32 sgd", "", "gru-sgd-f32", 0),
	{Name: "LDA, 10,000 words, gradient, each word", Unit: Microseconds, Sides: []Side{
		{Who: Sgppl, Own: "topics gradient"},
		{Who: C, Program: "table/c/topics.c", Figure: "lda_gradient_c"},
		{Who: "gensim", Program: "peers/topics/online.py", Figure: "lda_gensim"}}},
	{Name: "LDA, 10,000 words, mSGNHT, each word", Unit: Microseconds, Sides: []Side{
		{Who: Sgppl, Own: "topics msgnht"}}},
	{Name: "SAM, geodesic SGHMC, iteration", Unit: Milliseconds, AtMost: 1.2, Sides: []Side{
		{Who: Sgppl, Own: "sam geodesic_sghmc"},
		{Who: C, Program: "c/sam.c", Figure: "sam_sggmc_c_gram_1thread_iteration", Seconds: true}}},
	whole("eight schools, the whole command", Milliseconds, Elapsed, "sample",
		"examples/models/eight_schools.sg", "--data", "examples/models/eight_schools.json",
		"--seed", "1"),
	whole("eight schools, memory", Mebibytes, Memory, "sample",
		"examples/models/eight_schools.sg", "--data", "examples/models/eight_schools.json",
		"--seed", "1", "--engine", "vm"),
	whole("a9a, 2,000 steps, memory", Mebibytes, Memory, "sample", "examples/models/logistic.sg",
		"--data", "x=DATA/a9a/a9a.gz:features", "--data", "y=DATA/a9a/a9a.gz:label",
		"--sampler", "msgnht", "--step", "3e-4", "--friction", "50", "--batch", "N=10", "--warmup",
		"1000", "--draws", "1000", "--chains", "1", "--seed", "1", "--engine", "native"),
	whole("784-400-400-10 on MNIST, memory", Mebibytes, Memory, onMNIST()...),
	whole("784-400-400-10 on MNIST, moments, memory", Mebibytes, Memory,
		onMNIST("--keep", "moments")...),
	whole("check of GoogLeNet", Milliseconds, CPU, "check",
		"examples/models/networks/googlenet.sg"),
	whole("eight schools, the first native model", Seconds, First, "sample",
		"examples/models/eight_schools.sg", "--data", "examples/models/eight_schools.json",
		"--seed", "1", "--engine", "native"),
	whole("go build ./cmd/sgppl, nothing in the cache", Seconds, Build),
	whole("the program, stripped", Megabytes, Size),
}

// onMNIST is the command of bench/networks.md, for 1,000 steps.
func onMNIST(more ...string) []string {
	return append([]string{"sample", "bench/models/network_sparse.sg",
		"--data", "x=DATA/mnist/train-images-idx3-ubyte.gz:unit",
		"--data", "y=DATA/mnist/train-labels-idx1-ubyte.gz",
		"--held-out", "x=DATA/mnist/t10k-images-idx3-ubyte.gz:unit",
		"--held-out", "y=DATA/mnist/t10k-labels-idx1-ubyte.gz",
		"--sampler", "msgnht", "--scheme", "split", "--step", "2e-4", "--friction", "60",
		"--batch", "100", "--warmup", "600", "--draws", "2", "--thin", "200", "--chains", "1",
		"--seed", "1", "--precision", "f32", "--engine", "native"}, more...)
}
