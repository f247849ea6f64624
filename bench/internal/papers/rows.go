package papers

// A Paper is one of the papers that samplers and optimisers are from.
type Paper struct {
	Name string // in a heading
	Cite string
	Rows []Row
}

// A Row is a figure of a paper, or a row of one of its tables.
type Row struct {
	Item, What   string
	Theirs, Ours string // numbers; "" where there is none
	// Page is the page below bench that has our number, with the anchor of its section, and Command
	// how it is made, as the page has it.
	Page, Command string
	// Why says why it was not made, or what of it was not.
	Why string
}

// Papers are all figures and tables of all papers.
var Papers = []Paper{thermostats, geodesics, earlier, santa, poster}

// published is why a number of another publication is not made again.
const published = "quoted by the authors from another publication"

// Commands that several rows have.
const (
	lda        = "sgppl sample bench/models/topics.sg"
	networks   = "sgppl sample fnn.sg"
	optimise   = "sgppl optimize fnn.sg"
	wellsRun   = "go run ./bench/papers doublewell doublewell_samples doublewell_santa"
	spheresRun = "go run ./bench/papers circle mixture mises"
	chainsRun  = "go run ./bench/papers steps sigmoids"
	musicRun   = "go run ./bench/papers music"
	mnistRun   = "go run ./bench/papers mnist"
	samRun     = "go run ./bench/papers sam"
	a9aRun     = "go run ./bench/papers a9a a9a_curves"
)

var thermostats = Paper{
	Name: "High-order stochastic gradient thermostats",
	Cite: "Li, Chen, Fan and Carin (2016), High-order stochastic gradient thermostats for Bayesian " +
		"learning of deep models, AAAI.",
	Rows: []Row{
		{Item: "Figure 1", What: "double well, KL divergence by step size, S and E",
			Theirs: "0.466, 0.601 (h = 0.2)", Ours: "0.283, 0.678", Page: "doublewell.md#step-sizes",
			Command: wellsRun},
		{Item: "Figure 2", What: "double well, samples and thermostats at h = 0.001 and 0.2",
			Ours: "ξ 1.055, 1.129 (h = 0.2, 10⁶ steps)", Page: "doublewell.md#samples",
			Command: wellsRun},
		{Item: "Figure 3", What: "LDA on abstracts, test perplexity along the run, h of 0.01, 0.0025 " +
			"and 0.0005", Ours: "842.7, 955.6, 1414.5 (mSGNHT-S, ends)", Page: "topics.md#what-came-out",
			Command: lda, Why: "the ends of the curves alone, on another corpus: theirs was not found"},
		{Item: "Figure 4", What: "MNIST, ReLU, depths 2, 3 and 4, S and E",
			Ours:    "S 96.68, E 97.06 (depth 4, seed 1)",
			Page:    "networks.md#depth-4-3-and-2--100-s-and-e",
			Command: "sgppl sample deep.sg", Why: "the ends of the curves alone"},
		{Item: "Figure 5", What: "DPFA 128-64-32 on Wikipedia, h of 1e-4 and 1e-5, S and E",
			Ours: "815.3 (newsgroups), 689.4 (sections of Wikipedia)", Page: "deep.md#what-came-out",
			Command: "sgppl sample bench/models/deep.sg",
			Why: "1,250 minibatches of 50 on corpora that can be had, in place of 10 million articles " +
				"of which no copy was found; 10 inner steps, as 50 came to the same (819.9 and 818.6 on " +
				"newsgroups, seed 1) and take 11 minutes of a processor a run"},
		{Item: "Figure 6", What: "a9a, test error and training log likelihood by h and D",
			Ours: "−0.33, −0.36 to −0.50 (mSGNHT-S, SGHMC, h = 3e-3)",
			Page: "a9a.md#learning-curves", Command: a9aRun,
			Why: "the paper's h and D are not in its text"},
		{Item: "Figure 7", What: "MNIST, 100-100 ReLU, step sizes",
			Ours: "S 96.88, 97.00, 96.81; E 97.04, 96.85, 96.78 (h = 2e-4)", Page: sigmoidPage,
			Command: chainsRun, Why: "the training curves are not drawn"},
		{Item: "Figure 8", What: "MNIST, sigmoids, depths 1, 2 and 3",
			Theirs: "S 97.36, E 96.86 % (depth 3)",
			Ours:   "S 97.52, 97.32, 97.53; E 97.53, 97.50, 97.57 (depth 3)", Page: sigmoidPage,
			Command: chainsRun, Why: "the training curves are not drawn"},
		{Item: "Figure 9", What: "MNIST, convolutional network, two step sizes",
			Ours: "S 98.38, 98.83; E 98.35, 98.87 (h = 1e-4, 5e-4, seed 1)", Page: convolutionsPage,
			Command: "go run ./bench/papers convolutions",
			Why: "3 epochs in place of 40, one seed: a run takes a minute and a half of a processor that " +
				"others used too; the command goes on with seeds 2 and 3"},
		{Item: "Table 1", What: "LDA: mSGNHT-S", Theirs: "939.67", Ours: "842.7",
			Page: "topics.md#what-came-out", Command: lda, Why: otherCorpus},
		{Item: "Table 1", What: "LDA: mSGNHT-E", Theirs: "960.56", Ours: "850.4",
			Page: "topics.md#what-came-out", Command: lda, Why: otherCorpus},
		{Item: "Table 1", What: "LDA: SGHMC-S", Theirs: "1004.73", Ours: "848.5",
			Page: "topics.md#what-came-out", Command: lda, Why: otherCorpus},
		{Item: "Table 1", What: "LDA: SGHMC-E", Theirs: "1017.51", Ours: "855.4",
			Page: "topics.md#what-came-out", Command: lda, Why: otherCorpus},
		{Item: "Table 1", What: "LDA: SGRLD", Theirs: "1154.68", Ours: "817.1",
			Page: "topics.md#what-came-out", Command: "sgppl sample bench/models/topics_expanded.sg",
			Why: otherCorpus},
		{Item: "Table 1", What: "LDA: Gibbs", Theirs: "907.84", Ours: "737.3, 736.5, 733.5",
			Page:    "topics.md#what-came-out",
			Command: "sgppl sample bench/models/topics_expanded.sg --data w=$C:skip=4%5 --sampler gibbs",
			Why:     otherCorpus},
		{Item: "Table 2", What: "a9a: mSGNHT-S", Theirs: "84.95 %", Ours: "85.15",
			Page: "a9a.md#accuracy", Command: a9aRun},
		{Item: "Table 2", What: "a9a: mSGNHT-E", Theirs: "84.72 %", Ours: "85.15",
			Page: "a9a.md#accuracy", Command: a9aRun},
		{Item: "Table 2", What: "a9a: SGHMC-S", Theirs: "84.56 %", Ours: "85.15",
			Page: "a9a.md#accuracy", Command: a9aRun},
		{Item: "Table 2", What: "a9a: SGHMC-E", Theirs: "84.51 %", Ours: "85.16",
			Page: "a9a.md#accuracy", Command: a9aRun},
		{Item: "Table 2", What: "a9a: DSVI", Theirs: "84.80 %", Why: published +
			"; our mean-field method, `sgppl approximate --method advi`, refuses its draws here: Pareto k " +
			"2.2 (seed 1)"},
		{Item: "Table 2", What: "a9a: HFSGVI", Theirs: "84.84 %", Why: published +
			"; sgppl has no variational method of second order"},
		{Item: "Table 3", What: "MNIST, 400-400: mSGNHT-S", Theirs: "98.25 %",
			Ours: "98.15, 98.00, 98.00", Page: "networks.md#msgnht-s-784-400-400-10", Command: networks},
		{Item: "Table 3", What: "MNIST, 400-400: mSGNHT-E", Theirs: "98.20 %",
			Why: "not run: S had the machine's time, and at smaller networks the two do not differ " +
				"(figures 4, 7 and 8)"},
		{Item: "Table 3", What: "MNIST, 400-400: Bayes by backprop", Theirs: "98.18 %",
			Why: published},
		{Item: "Table 3", What: "MNIST, 400-400: SGD", Theirs: "98.17 %",
			Ours: "1.57 (error)", Page: "networks.md#santa-and-the-baselines-784-400-400-10",
			Command: optimise, Why: "theirs is " + published},
	},
}

// shortMusic is why rows of the table of music are not the paper's.
const shortMusic = "the paper's 100 epochs take ten to fifteen minutes of a processor a run; " +
	"ours are 1 to 20 epochs, and those that are not on the page were not run"

// otherCorpus says that numbers of different corpora stand side by side.
const otherCorpus = "the 765 abstracts of 2007–2011 were not found; ours is on those of 2013–2015"

var geodesics = Paper{
	Name: "Stochastic gradient geodesic MCMC",
	Cite: "Liu, Zhu and Song (2016), Stochastic gradient geodesic MCMC methods, NIPS.",
	Rows: []Row{
		{Item: "Figure 1", What: "a manifold, its coordinates and its embedding",
			Why: "an illustration without numbers"},
		{Item: "Figure 2", What: "the graph of the spherical admixture model",
			Why: "an illustration without numbers; the model is bench/models/sam.sg"},
		{Item: "Figure 3", What: "two modes on the circle with noise of variance 1000",
			Ours: "TV 0.021, 0.030, 0.034 (SGGMC)", Page: "spheres.md#two-modes-on-the-circle",
			Command: spheresRun, Why: "the paper has no h, D and steps a draw"},
		{Item: "Figure 4", What: "posterior of a mixture of two von Mises–Fisher laws",
			Ours: "TV of v₁ 0.010, 0.018, 0.018 (SGGMC, Fisher)",
			Page: "spheres.md#a-mixture-of-von-misesfisher-laws", Command: spheresRun,
			Why: "on points of our own; the paper's are not given"},
		{Item: "Figure 5a", What: "log-perplexity on 20News-different: gSGNHT, minibatches",
			Theirs: "3605 (their program, 606 s)", Ours: "3436, 3530, 3486",
			Page: "sam.md#measured-with-010-dev", Command: samRun},
		{Item: "Figure 5a", What: "SGGMC, minibatches", Theirs: "4619 (their program, 605 s)",
			Ours: "4719, 4878, 4854", Page: "sam.md#measured-with-010-dev", Command: samRun},
		{Item: "Figure 5a", What: "gSGNHT and SGGMC, full passes",
			Why: "a step takes 1.7 s, so that 264 draws of three seeds take 22 minutes a sampler"},
		{Item: "Figure 5a", What: "GMC with an approximate test, GMC with blocks by Gibbs",
			Why: "gmc wants a density on all rows, and this model has latent values of rows, of which " +
				"sgppl draws θ but does not integrate it out; --sampler gibbs has no law for θ there"},
		{Item: "Figure 5a", What: "VI and StoVI", Why: "sgppl has no variational method for models " +
			"on spheres with latent values of rows"},
		{Item: "Figure 5b", What: "log-perplexity on 150,000 articles of Wikipedia: gSGNHT, SGGMC",
			Ours:    "-14961, -14968, -14951; -14824, -14757, -14848",
			Command: "go run ./bench/papers sam_wikipedia", Page: "sam.md#sections-of-wikipedia",
			Why: "on 5,475 sections of articles, as no copy of the articles was found"},
		{Item: "Table 1", What: "properties of samplers",
			Why: "no measurements; `sgppl doc samplers` has those of ours"},
	},
}

var earlier = Paper{
	Name: "High-order stochastic gradient thermostats, an earlier version",
	Cite: "Li, Chen, Fan and Carin (2015), arXiv:1512.07662, without the appendices' figures.",
	Rows: []Row{
		{Item: "Figures 1–5", What: "as figures 1–5 above", Why: "see above"},
		{Item: "Tables 1, 2", What: "as tables 1 and 2 above", Why: "see above"},
	},
}

var santa = Paper{
	Name: "Santa",
	Cite: "Chen, Carlson, Gan, Li and Carin (2016), Bridging the gap between stochastic gradient " +
		"MCMC and stochastic optimization, AISTATS.",
	Rows: []Row{
		{Item: "Figure 1", What: "double well: Santa finds the deeper mode, RMSprop does not",
			Theirs: "one run each", Ours: "all of 3 seeds", Page: "doublewell.md#santa",
			Command: wellsRun},
		{Item: "Figure 2", What: "MNIST, learning curves, 400-400 and the convolutional network",
			Ours: "1.85, 1.89 (last iterates of Santa-E and Santa-r)", Page: laterPage,
			Command: mnistRun, Why: "400-400, Santa-E and Santa-r alone; the command goes on with the " +
				"others, a minute of a processor a run"},
		{Item: "Figure 3", What: "Piano-midi, learning curves",
			Ours: "8.355, 7.769, 8.398 (Santa, RMSprop, Adam, tests of seed 1 after 6 epochs)",
			Page: musicPage, Command: musicRun, Why: "6 epochs in place of 100, with a figure"},
		{Item: "Table 1", What: "MNIST, 400-400, 800-800 and CNN: Santa",
			Theirs: "1.21, 1.16, 0.47 %", Ours: "1.30, 1.34, 0.65",
			Page: santaPage, Command: optimise, Why: shorter},
		{Item: "Table 1", What: "Santa-E", Theirs: "1.41, 1.27, 0.58 %", Ours: "1.29 (400-400)",
			Page: laterPage, Command: mnistRun, Why: onlySmall},
		{Item: "Table 1", What: "Santa-r", Theirs: "1.45, 1.40, 0.49 %", Ours: "1.31 (400-400)",
			Page: laterPage, Command: mnistRun, Why: onlySmall},
		{Item: "Table 1", What: "Adam", Theirs: "1.53, 1.47, 0.59 %", Ours: "1.53, 1.92, 0.89",
			Page: santaPage, Command: optimise, Why: shorter},
		{Item: "Table 1", What: "RMSprop", Theirs: "1.59, 1.43, 0.64 %", Ours: "1.65, 1.56, 0.68",
			Page: santaPage, Command: optimise, Why: shorter},
		{Item: "Table 1", What: "SGD-M", Theirs: "1.66, 1.72, 0.77 %", Ours: "1.58, 1.53, 0.71",
			Page: santaPage, Command: optimise, Why: shorter},
		{Item: "Table 1", What: "SGD", Theirs: "1.72, 1.47, 0.81 %", Ours: "1.57, 1.55, 0.81",
			Page: santaPage, Command: optimise, Why: shorter},
		{Item: "Table 1", What: "SGLD", Theirs: "1.64, 1.41, 0.71 %", Ours: "2.30 (400-400)",
			Page: laterPage, Command: mnistRun, Why: onlySmall},
		{Item: "Table 1", What: "Bayes by backprop", Theirs: "1.32, 1.34 %, –", Why: published},
		{Item: "Table 1", What: "SGD with dropout", Theirs: "1.51, 1.33 %, –", Ours: "1.95 (400-400)",
			Page: "networks.md#sgd-with-dropout", Command: "sgppl optimize mask.sg",
			Why: "20 epochs; the authors quote another publication"},
		{Item: "Table 1", What: "stochastic pooling, network in network, maxout",
			Theirs: "0.47, 0.47, 0.45 % (CNN)", Why: published},
		{Item: "Table 2", What: "Piano, Nottingham, MuseData, JSB: Santa",
			Theirs: "7.60, 3.39, 7.20, 8.46", Ours: "7.675, 8.441 (Piano, JSB)",
			Page: "music.md#test-pieces", Command: music,
			Why: shortMusic},
		{Item: "Table 2", What: "Santa on MuseData, 1 epoch", Theirs: "7.20",
			Ours: "9.134, 8.914, 9.022", Page: musicPage, Command: musicRun, Why: shortMusic},
		{Item: "Table 2", What: "Adam", Theirs: "8.00, 3.70, 7.56, 8.51",
			Ours: "7.917, 8.509 (Piano, JSB)", Page: "music.md#test-pieces", Command: music,
			Why: shortMusic},
		{Item: "Table 2", What: "RMSprop", Theirs: "7.70, 3.48, 7.22, 8.52",
			Ours: "7.618, 8.471 (Piano, JSB)", Page: "music.md#test-pieces", Command: music,
			Why: shortMusic},
		{Item: "Table 2", What: "SGD-M", Theirs: "8.32, 3.60, 7.69, 8.59",
			Ours: "6.771, 11.781, 11.193 (Nottingham, MuseData, Piano, seed 1)", Page: musicPage,
			Command: musicRun,
			Why:     shortMusic},
		{Item: "Table 2", What: "SGD", Theirs: "11.13, 5.26, 10.08, 10.81",
			Ours: "11.006, 26.313, 25.582 (Nottingham, MuseData, Piano, seed 1)", Page: musicPage,
			Command: musicRun, Why: shortMusic},
		{Item: "Table 2", What: "HF; SGD-M of Boulanger-Lewandowski et al.",
			Theirs: "7.66, 3.89, 7.19, 8.58; 8.37, 4.46, 8.13, 8.71", Why: published},
		{Item: "Supplement", What: "learning curves of 800-800 and of the other collections",
			Why: "the supplement was not at hand"},
		{Item: "Supplement", What: "GoogLeNet on ImageNet",
			Why: "no copy of ImageNet is at hand; the network takes steps on simulated pictures, see " +
				"networks.md"},
	},
}

const (
	sigmoidPage      = "networks.md#step-sizes-and-depth-with-sigmoids"
	convolutionsPage = "networks.md#the-convolutional-network-by-msgnht"
)

const (
	santaPage = "networks.md#santa-and-the-baselines-784-400-400-10"
	musicPage = "music.md#nottingham-and-musedata-sgd-and-sgd-m"
	laterPage = "networks.md#santa-e-santa-r-and-sgld"
	shorter   = "20, 16 and 8 epochs in place of 100"
	onlySmall = "20 epochs in place of 100; 800-800 and CNN were not run: 9 runs of 2 to 4 minutes " +
		"of a processor each"
	music = "sgppl optimize $C"
)

var poster = Paper{
	Name: "The poster of Santa",
	Cite: "Chen, Carlson, Gan, Li and Carin (2016).",
	Rows: []Row{
		{Item: "Figures, tables", What: "the double well, MNIST, music, GoogLeNet",
			Why: "those of the paper, see above"},
		{Item: "Table", What: "samplers and the optimisers that are like them",
			Why: "no measurements; `sgppl doc samplers` and `sgppl doc algorithms` have ours"},
	},
}
