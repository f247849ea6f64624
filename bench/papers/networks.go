package main

import "strings"

// mnist are the flags of the training and of the test pictures; pixels are as the file has them,
// or divided by 255 where unit is ":unit".
func (b *bench) mnist(unit string) (train, test []string) {
	pair := func(flag, set string) []string {
		return []string{flag, "x=" + b.data("mnist", set+"-images-idx3-ubyte.gz") + unit,
			flag, "y=" + b.data("mnist", set+"-labels-idx1-ubyte.gz")}
	}
	return pair("--data", "train"), pair("--held-out", "t10k")
}

var networks = []experiment{
	{"steps", []string{"scheme", "h", "seed"}, []string{"draw", "accuracy", "lpd", "alone"},
		func(b *bench) (all []run, err error) {
			for _, h := range []string{"2e-4", "1e-4", "5e-5"} {
				all = append(all, b.chains("relu2.sg", "", h, "5", []string{h}, 40, 600)...)
			}
			return all, nil
		}},
	{"sigmoids", []string{"scheme", "depth", "seed"}, []string{"draw", "accuracy", "lpd", "alone"},
		func(b *bench) (all []run, err error) {
			for _, depth := range []string{"1", "2", "3"} {
				all = append(all, b.chains("sigmoid"+depth+".sg", "", "1e-3", "10",
					[]string{depth}, 40, 600)...)
			}
			return all, nil
		}},
	{"convolutions", []string{"scheme", "h", "seed"}, []string{"draw", "accuracy", "lpd", "alone"},
		func(b *bench) (all []run, err error) {
			for _, h := range []string{"1e-4", "5e-4"} {
				all = append(all, b.chains("lenet.sg", ":unit", h, "50", []string{h}, 16, 150)...)
			}
			return all, nil
		}},
}

// chains are runs of mSGNHT by both schemes: a step size, a friction, so many draws with thin
// steps between them after as many steps of warm-up. The step is halved after half of the steps.
func (b *bench) chains(model, unit, h, friction string, key []string, draws, thin int) []run {
	var all []run
	for _, scheme := range []string{"split", "euler"} {
		for _, seed := range seeds {
			all = append(all, run{append(append([]string{scheme}, key...), seed),
				func() ([][]string, error) {
					train, test := b.mnist(unit)
					args := strings.Fields("bench/models/" + model + " --sampler msgnht --scheme " +
						scheme + " --step " + h + " --friction " + friction +
						" --step-schedule halve@0.5 --batch 100 --warmup " + decimal(thin) +
						" --draws " + decimal(draws-1) + " --thin " + decimal(thin) + " --seed " +
						seed + " --precision f32 --keep moments --sketch 0")
					return b.sampled(append(append(args, train...), test...)...)
				}})
		}
	}
	return all
}
