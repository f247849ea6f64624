package main

import (
	"path/filepath"
	"strconv"
	"strings"
)

var music = []experiment{
	{"music", []string{"set", "algorithm", "seed"}, []string{"epoch", "train", "valid", "test best",
		"test last", "test average"}, musicPoints},
}

// A collection of music: the name of its file, its pieces and the frames of its training,
// validation and test pieces, and of how many epochs runs are.
type collection struct {
	name, file           string
	pieces               int
	frames, valid, tests float64
	validPieces          float64
	epochs               int
}

var collections = []collection{
	{"JSB chorales", "JSB_Chorales", 229, 13807, 4602, 4725, 76, 60},
	{"Nottingham", "Nottingham", 694, 176561, 45513, 44463, 173, 8},
	{"MuseData", "MuseData", 524, 245202, 82755, 64339, 135, 6},
	{"Piano-midi", "Piano_midi", 87, 75911, 8540, 19036, 12, 14},
}

// musicFlags are the settings of an algorithm on a collection: SGD and SGD-M have the paper's
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

// musicPoints are runs with one piece a step and a look each epoch: negative log likelihoods of a
// frame. Those of the best, the last and the averaged point on the test pieces are in the last row.
func musicPoints(b *bench) (all []run, err error) {
	one := func(c *collection, algorithm string) {
		for _, seed := range seeds {
			all = append(all, run{[]string{c.name, algorithm, seed}, func() ([][]string, error) {
				return b.pieces(c, algorithm, seed)
			}})
		}
	}
	for i := range collections {
		one(&collections[i], "sgd")
		one(&collections[i], "sgdm")
	}
	for _, algorithm := range []string{"santa", "adam", "rmsprop"} {
		one(&collections[3], algorithm)
	}
	for _, algorithm := range []string{"santa", "adam", "rmsprop"} {
		one(&collections[1], algorithm)
		one(&collections[2], algorithm)
	}
	return all, nil
}

func (b *bench) pieces(c *collection, algorithm, seed string) ([][]string, error) {
	dir, file := b.dir(), b.data("music", c.file+".json.gz")
	args := strings.Fields("optimize bench/models/polyphony.sg --batch 1 --clip 5 --precision f32 " +
		"--threads 1 --progress none --trace --seed " + seed + " --epochs " + decimal(c.epochs) +
		" --algorithm " + algorithm + " " + c.flags(algorithm))
	args = append(args, "--data", "x="+file+":train", "--validate", "x="+file+":valid", "--out",
		filepath.Clean(dir))
	if _, err := b.call(args...); err != nil {
		return nil, err
	}
	looked, err := looks(dir, c.frames, "step", "lp", "held_out")
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for i, l := range looked {
		rows = append(rows, []string{decimal(i + 1), negative(l[1], 1),
			negative(l[2], c.validPieces/c.valid), "", "", ""})
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

// negative is a number with the other sign, times a factor.
func negative(text string, factor float64) string {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return number(-x*factor, 5)
}
