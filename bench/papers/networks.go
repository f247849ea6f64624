package main

import (
	"slices"
	"strconv"
	"strings"
)

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
			for _, depth := range []string{"1", "3", "2"} { // the deepest says most
				all = append(all, b.chains("sigmoid"+depth+".sg", "", "1e-3", "10",
					[]string{depth}, 40, 600)...)
			}
			return all, nil
		}},
	{"mnist", []string{"network", "algorithm", "seed"}, []string{"step", "train", "lpd", "accuracy",
		"last", "average", "iterates"}, mnistPoints},
	{"convolutions", []string{"scheme", "h", "seed"}, []string{"draw", "accuracy", "lpd", "alone"},
		func(b *bench) (all []run, err error) {
			for _, h := range []string{"1e-4", "5e-4"} {
				all = append(all, b.chains("lenet.sg", ":unit", h, "50", []string{h}, 12, 150)...)
			}
			slices.SortStableFunc(all, func(x, y run) int { // all settings of a seed first
				return strings.Compare(x.key[2], y.key[2])
			})
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

// A way to fit a network to MNIST: flags of optimize, or of sample where it is one of its samplers.
type way struct {
	name, flags string
	sampled     bool
}

// ways are those of table 1 of Chen et al. (2016), for 12,000 steps. Learning rates are the
// paper's; those of Santa are explained in bench/networks.md.
var ways = []way{
	{"santa-e", "--algorithm santa-e" + santaFlags + " --friction 100 --anneal-gamma 0.4 " +
		"--burnin 7200", false},
	{"santa-refine", "--algorithm santa-refine" + santaFlags + " --friction 100", false},
	// 0.5 on the mean gradient of 60,000 rows
	{"sgld", "--sampler sgld --step 8.333333e-6", true},
	{"santa", "--algorithm santa" + santaFlags + " --friction 100 --anneal-gamma 0.4 --burnin 7200",
		false},
	{"adam", "--algorithm adam --step 1e-3", false},
	{"rmsprop", "--algorithm rmsprop --step 5e-4", false},
	{"sgdm", "--algorithm sgdm --step 0.1", false},
	{"sgd", "--algorithm sgd --step 0.5", false},
}

const santaFlags = " --step 1.83e-5 --xi0 1100 --decay 0.1 --lambda 1e-4"

// mnistPoints are networks 784-400-400-10 after 20 epochs: a row a look each epoch, with the log
// density, the prior's too, over the number of rows, and the scores of the test pictures. The last
// row has the test errors, in percent, of the last iterate, of the average of the last 40 % of the
// steps, and of the predictions of 48 iterates of these.
func mnistPoints(b *bench) (all []run, err error) {
	for _, w := range ways {
		for _, seed := range seeds {
			all = append(all, run{[]string{"400-400", w.name, seed}, func() ([][]string, error) {
				train, test := b.mnist(":unit")
				args := append(strings.Fields("bench/models/network_sparse.sg --batch 100 "+
					"--precision f32 --seed "+seed+" "+w.flags), train...)
				if w.sampled {
					return b.langevin(append(args, test...))
				}
				return b.pointsOf(args, test)
			}})
		}
	}
	return all, nil
}

// langevin is a run of a sampler of as many steps as the optimisers have, and 48 draws of the last
// 40 % of these.
func (b *bench) langevin(args []string) ([][]string, error) {
	rows, err := b.sampled(append(args, "--warmup", "7200", "--draws", "48", "--thin", "100",
		"--keep", "moments", "--sketch", "0")...)
	if err != nil || rows[len(rows)-1][1] == "diverged" {
		return [][]string{{"12000", "", "", "diverged", "", "", ""}}, err
	}
	last := rows[len(rows)-1]
	return [][]string{{"12000", "", last[2], last[1], percent(last[3]), "", percent(last[1])}}, nil
}

// percent is the error of an accuracy, in percent.
func percent(accuracy string) string {
	x, err := strconv.ParseFloat(accuracy, 64)
	if err != nil {
		return accuracy
	}
	return number(100*(1-x), 3)
}

// pointsOf runs an optimiser with a look each epoch at the test pictures, which choose nothing
// that is reported.
func (b *bench) pointsOf(args, test []string) ([][]string, error) {
	dir := b.dir()
	args = append(args, "--steps", "12000", "--check-every", "600", "--trace", "--average", "0.4",
		"--iterates", "48", "--out", dir, "--threads", "1", "--progress", "none")
	var scored []string
	for i := 0; i < len(test); i += 2 {
		args = append(args, "--validate", test[i+1])
		scored = append(scored, "--data", test[i+1])
	}
	if _, err := b.call(append([]string{"optimize"}, args...)...); err != nil {
		return nil, err
	}
	rows, err := looks(dir, 60000, "step", "lp", "held_out", "accuracy")
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i] = append(rows[i], "", "", "")
	}
	last := rows[len(rows)-1]
	for i, point := range []string{"last", "average", "iterates"} {
		score, err := b.scored(dir, point, scored...)
		if err != nil {
			return nil, err
		}
		last[4+i] = number(100*(1-score["accuracy"]), 3)
	}
	return rows, nil
}
