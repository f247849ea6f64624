package main

import (
	"path/filepath"
	"strconv"
	"strings"

	sgppl "github.com/sgppl/sgppl/runtime/results/run"
)

var music = []experiment{
	{"music", []string{"set", "algorithm", "seed"}, []string{"epoch", "train", "valid", "test best",
		"test last", "test average"}, musicPoints},
}

// A collection of music: the name of its file, its training pieces, the frames of its training and
// test pieces, and how many frames a validation piece has on average; of how many epochs runs are,
// and whether they have a trace.
type collection struct {
	name, file    string
	pieces        int
	frames, tests float64
	validFrames   float64
	epochs        int
	traced        bool
}

var collections = []collection{
	{"Nottingham", "Nottingham", 694, 176561, 44463, 45513. / 173, 3, false},
	{"MuseData", "MuseData", 524, 245202, 64339, 82755. / 135, 1, false},
	{"JSB chorales", "JSB_Chorales", 229, 13807, 4725, 4602. / 76, 20, true},
	{"Piano-midi", "Piano_midi", 87, 75911, 19036, 8540. / 12, 6, true},
}

// flags are the settings of an algorithm on a collection: SGD and SGD-M have the paper's
// learning rate; the others are those of bench/music.md, for Nottingham and MuseData those of
// Piano-midi, with Santa's h and ξ by the number of pieces.
func (c *collection) flags(algorithm string) string {
	steps := c.epochs * c.pieces
	switch algorithm {
	case "adam":
		return "--step 6e-3 --step-schedule cyclic:1"
	case "rmsprop":
		return "--step 3e-3"
	case "santa":
		h := map[string]string{"Piano-midi": "3.39e-3", "Nottingham": "1.2e-3",
			"MuseData": "1.38e-3"}[c.name]
		xi := map[string]string{"Piano-midi": "147", "Nottingham": "417", "MuseData": "362"}[c.name]
		return "--anneal-a 1e4 --anneal-gamma 0.5 --friction 23 --lambda 1e-6 --v0 0 --decay 0.95 " +
			"--step " + h + " --xi0 " + xi + " --burnin " + decimal(steps*15/100)
	}
	return "--step 1e-3"
}

// A musicRun is an algorithm on a collection, by its place in collections.
type musicRun struct {
	set       int
	algorithm string
}

// musicOrder has all runs, in parts of which each is made seed by seed: what table 2 lacks, figure
// 3, and the rest. Those of Santa, Adam and RMSprop on the chorales are in bench/music.md.
var musicOrder = [][]musicRun{
	{{0, "sgdm"}, {0, "sgd"}, {1, "sgd"}, {1, "sgdm"}, {1, "santa"}},
	{{3, "santa"}, {3, "rmsprop"}, {3, "adam"}, {3, "sgdm"}, {3, "sgd"}},
	{{2, "sgdm"}, {2, "sgd"}},
	{{0, "rmsprop"}, {1, "rmsprop"}, {0, "adam"}, {1, "adam"}, {0, "santa"}},
}

// musicPoints are runs with one piece a step and a look each epoch: negative log likelihoods of a
// frame. Those of the best, the last and the averaged point on the test pieces are in the last row.
func musicPoints(b *bench) (all []run, err error) {
	for _, part := range musicOrder {
		for _, seed := range seeds {
			for _, pair := range part {
				c, algorithm := &collections[pair.set], pair.algorithm
				all = append(all, run{[]string{c.name, algorithm, seed}, func() ([][]string, error) {
					return b.pieces(c, algorithm, seed)
				}})
			}
		}
	}
	return all, nil
}

func (b *bench) pieces(c *collection, algorithm, seed string) ([][]string, error) {
	dir, file := b.dir(), b.data("music", c.file+".json.gz")
	args := strings.Fields("optimize bench/models/polyphony.sg --batch 1 --clip 5 --precision f32 " +
		"--threads 1 --progress none --seed " + seed + " --epochs " + decimal(c.epochs) +
		" --algorithm " + algorithm + " " + c.flags(algorithm))
	args = append(args, "--data", "x="+file+":train", "--validate", "x="+file+":valid", "--out",
		filepath.Clean(dir))
	if c.traced {
		args = append(args, "--trace")
	}
	if _, err := b.call(args...); err != nil {
		return nil, err
	}
	rows, err := c.epochsOf(dir)
	if err != nil {
		return nil, err
	}
	last := rows[len(rows)-1]
	for i, point := range []string{"best", "last", "average"} {
		score, err := b.scored(dir, point, "--data", "x="+file+":test")
		if err != nil {
			return nil, err
		}
		last[3+i] = number(-score["lpd_mean"]*score["rows"]/c.tests, 5)
	}
	return rows, nil
}

// epochsOf are the epochs of a run with the negative log likelihoods of a training and of a
// validation frame; of a run without a trace there is one row, of its best epoch.
func (c *collection) epochsOf(dir string) (rows [][]string, err error) {
	if !c.traced {
		r, err := sgppl.Read(dir)
		if err != nil {
			return nil, err
		}
		f := r.Chains[0].Found
		return [][]string{{decimal(int(f.Step) / c.pieces), "",
			number(-float64(f.Best.HeldOut)/c.validFrames, 5), "", "", ""}}, nil
	}
	looked, err := looks(dir, c.frames, "step", "lp", "held_out")
	for i, l := range looked {
		rows = append(rows, []string{decimal(i + 1), negative(l[1], 1),
			negative(l[2], 1/c.validFrames), "", "", ""})
	}
	return rows, err
}

// negative is a number with the other sign, times a factor.
func negative(text string, factor float64) string {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return number(-x*factor, 5)
}
