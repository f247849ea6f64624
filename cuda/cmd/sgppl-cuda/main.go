// Command sgppl-cuda runs steps of samplers on an NVIDIA GPU for sgppl, which finds it in its
// directory or on the PATH and talks to it over its standard input and output.
package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/sgppl/sgppl/cuda/serve"
)

const usage = `sgppl-cuda runs steps of samplers on an NVIDIA GPU for sgppl, which starts it:

  sgppl sample net.sg --data … --device cuda --precision f32 --sampler msgnht --step 2e-4

Put it beside sgppl, or on the PATH. It opens libcuda.so.1, which comes with NVIDIA's driver, and
libnvrtc.so, which comes with CUDA; $SGPPL_CUDA_LIBRARIES may name a directory that has them.

  sgppl-cuda device     says which GPU there is, or what is missing
`

func main() {
	what := ""
	if len(os.Args) == 2 {
		what = os.Args[1]
	}
	switch what {
	case "serve":
		if err := serve.Serve(os.Stdin, os.Stdout, open); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "device":
		d, err := open()
		if err != nil {
			fmt.Fprintf(os.Stderr, "sgppl-cuda: %v\n", err)
			os.Exit(5)
		}
		a := d.About()
		fmt.Printf("%s, compute capability %s, driver for CUDA %s, %d MiB of %d free\n", a.Name,
			a.Capability, a.Driver, a.Free>>20, a.Total>>20)
	case "--version":
		version := "(unknown)"
		if info, ok := debug.ReadBuildInfo(); ok {
			version = info.Main.Version
		}
		fmt.Println("sgppl-cuda", version)
	default:
		fmt.Print(usage)
		if what != "--help" {
			os.Exit(2)
		}
	}
}
