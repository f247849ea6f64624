package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

var admixtures = []experiment{
	{"sam", []string{"sampler", "seed"}, []string{"draw", "score"}, samRuns},
	{"sam_wikipedia", []string{"sampler", "seed"}, []string{"draw", "score"}, samWikipedia},
}

// A corpus of directions, with the settings of Liu, Zhu & Song (2016, appendix F).
type corpus struct {
	train, test   string
	topics, words string
	set           string // values of the model
	settings      string // of the samplers
	kappa         string
}

// samSamplers are those of the paper that draw from this model.
var samSamplers = [][2]string{{"gSGNHT", "geodesic_sgnht --thermostat all"},
	{"SGGMC", "geodesic_sghmc"}}

func samRuns(b *bench) ([]run, error) {
	return b.sam(corpus{train: b.data("news20_different", "train.tfidf.libsvm.gz"),
		test: b.data("news20_different", "test.tfidf.libsvm.gz"), topics: "20", words: "5000",
		set:   "--set sigma=1e4 --set kappa0=1e4 --set kappa=3e4 --set alpha=10",
		kappa: "3e4",
		settings: "--step 2.45e-3 --friction 4.08 --batch D=50 --inner-steps 10 --warmup 0 --draws " +
			"264 --thin 10"})
}

// samWikipedia are sections of articles, of which four fifths are fitted: h is √(0.1/4380), and h D
// is 0.5.
func samWikipedia(b *bench) ([]run, error) {
	c := corpus{topics: "50", words: "7702",
		set:   "--set sigma=6e3 --set kappa0=6e3 --set kappa=2e4 --set alpha=10 --set K=50",
		kappa: "2e4",
		settings: "--step 4.78e-3 --friction 104.6 --batch D=100 --inner-steps 10 --warmup 0 --draws " +
			"120 --thin 10"}
	if _, err := b.scorer(&c, "rows", b.data("lda", "wikitext2_sections",
		"wikitext2_sections.ldac.gz"), c.words, b.work); err != nil {
		return nil, err
	}
	c.train, c.test = filepath.Join(b.work, "train.libsvm"), filepath.Join(b.work, "test.libsvm")
	return b.sam(c)
}

// scorer runs bench/peers/sam, which it builds.
func (b *bench) scorer(c *corpus, args ...string) ([]byte, error) {
	program := filepath.Join(b.work, "sam")
	if _, err := os.Stat(program); err != nil {
		build := exec.Command("go", "build", "-o", program, "./bench/peers/sam")
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%v\n%s", err, out)
		}
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "TOPICS="+c.topics, "WORDS="+c.words, "GOMAXPROCS=1")
	out, err := cmd.Output()
	if failed, is := err.(*exec.ExitError); is {
		return nil, fmt.Errorf("%v\n%s", err, failed.Stderr)
	}
	return out, err
}

// sam are runs from the authors' law of the start: the log-perplexity of the test rows by the
// average over the draws so far, every twenty draws.
func (b *bench) sam(c corpus) (all []run, err error) {
	if _, err := b.scorer(&c, append([]string{"inputs", c.train, b.work}, seeds...)...); err != nil {
		return nil, err
	}
	for _, s := range samSamplers {
		for _, seed := range seeds {
			all = append(all, run{[]string{s[0], seed}, func() ([][]string, error) {
				dir := b.dir()
				args := strings.Fields("sample bench/models/sam.sg --threads 1 --progress none --chains 1 " +
					"--seed " + seed + " --sampler " + s[1] + " " + c.set + " " + c.settings)
				args = append(args, "--data", "v="+c.train+":features", "--data",
					filepath.Join(b.work, "m.json"), "--init", filepath.Join(b.work, "init-"+seed+".json"),
					"--out", dir)
				if _, err := b.call(args...); err != nil {
					return nil, err
				}
				out, err := b.scorer(&c, "score", "-kappa", c.kappa, c.test, dir)
				if err != nil {
					return nil, err
				}
				var rows [][]string
				for line := range strings.Lines(string(out)) {
					draw, score := 0, 0.0
					if _, err := fmt.Sscanf(line, "draw %d: %g", &draw, &score); err == nil {
						rows = append(rows, []string{decimal(draw), number(score, 6)})
					}
				}
				return rows, nil
			}})
		}
	}
	return all, nil
}
