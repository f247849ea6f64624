// Networks compares products of matrices with OpenBLAS and training steps of networks with PyTorch,
// on one core, in single and double precision.
//
//	bench/peers/run.sh          asks before it installs the peers from Debian
//	go run ./bench/peers/networks -rounds 9
//
// All sides take turns, a short while each, and what is shown is the median
// over the rounds with the ratio's median: what disturbs the machine disturbs
// all alike. Times are of the processor. A peer that is missing is named, and
// its column is left empty.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

var (
	rounds  = flag.Int("rounds", 9, "turns of every side")
	seconds = flag.Float64("seconds", 0.5,
		"processor time of a turn of training steps; products take a tenth of it")
	python = flag.String("python", "/usr/bin/python3",
		"the Python that has PyTorch; none to leave it out")
	cc       = flag.String("cc", "cc", "the C compiler, for OpenBLAS; none to leave it out")
	coretype = flag.String("coretype", "",
		"OPENBLAS_CORETYPE of the peers, where OpenBLAS does not know the processor")
	only = flag.String("only", "", "rows whose name contains it")
)

func main() {
	flag.Parse()
	runtime.GOMAXPROCS(1)
	if err := compare(); err != nil {
		fmt.Fprintln(os.Stderr, "networks:", err)
		os.Exit(1)
	}
}

func compare() error {
	const dir = "bench/peers"
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("run it in the root of the repository: %w", err)
	}
	blas, err := openBLAS(dir)
	if err != nil {
		fmt.Fprintf(os.Stderr, "OpenBLAS is left out: %v\n", err)
	}
	defer blas.stop()
	torch, err := pyTorch(dir)
	if err != nil {
		fmt.Fprintf(os.Stderr, "PyTorch is left out: %v\n", err)
	}
	defer torch.stop()
	fmt.Printf("%s; %s, one core each.\n", orNone(blas), orNone(torch))
	var rows []row
	for _, p := range products() {
		rows = append(rows, row{group: "GFLOP/s", name: p.name(), own: p.rate, peer: blas,
			ask: p.ask(), scale: 0.1})
	}
	nets, err := networks()
	if err != nil {
		return err
	}
	rows = append(rows, nets(torch)...)
	return table(os.Stdout, rows)
}

// openBLAS compiles and starts openblas/gemm.c.
func openBLAS(dir string) (*peer, error) {
	if *cc == "none" {
		return nil, fmt.Errorf("by -cc none")
	}
	program := filepath.Join(os.TempDir(), fmt.Sprintf("gemm-%d", os.Getpid()))
	out, err := exec.Command(*cc, "-O2", "-o", program, filepath.Join(dir, "openblas", "gemm.c"),
		"-lopenblas").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%w: %s (Debian: gcc libopenblas-dev)", err, firstLine(out))
	}
	defer os.Remove(program) // it runs on without its name
	return start(exec.Command(program))
}

// pyTorch starts torch/steps.py.
func pyTorch(dir string) (*peer, error) {
	if *python == "none" {
		return nil, fmt.Errorf("by -python none")
	}
	if out, err := exec.Command(*python, "-c", "import torch").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s (Debian: python3-torch)", err, lastLine(out))
	}
	return start(exec.Command(*python, filepath.Join(dir, "torch", "steps.py")))
}

func firstLine(text []byte) string {
	return strings.SplitN(strings.TrimSpace(string(text)), "\n", 2)[0]
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

func orNone(p *peer) string {
	if p == nil {
		return "(a peer is missing)"
	}
	return p.title
}
