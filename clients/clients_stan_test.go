package clients

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// everyKind is a program of Stan with params and quantities of every kind, but for those that nuts
// cannot move.
const everyKind = `data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
  array[2, 2] matrix[2, 3] am;
  array[2] vector[3] av;
  row_vector[2] rv;
  simplex[3] th;
  ordered[2] o;
  corr_matrix[3] C;
  cov_matrix[2] S;
  cholesky_factor_corr[2] L;
  sum_to_zero_vector[3] z;
  tuple(real, vector[2]) tp;
}
transformed parameters {
  real s2 = square(sigma);
  matrix[2, 3] twice = 2 * am[1, 2];
}
model {
  y ~ normal(mu, sigma);
  mu ~ normal(0, 1);
  sigma ~ exponential(1);
  for (i in 1:2) {
    av[i] ~ normal(0, 1);
    for (j in 1:2) to_vector(am[i, j]) ~ normal(0, 1);
  }
  rv ~ normal(0, 1);
  o ~ normal(0, 1);
  z ~ normal(0, 1);
  C ~ lkj_corr(2);
  S ~ wishart(4, identity_matrix(2));
  L ~ lkj_corr_cholesky(2);
  tp.1 ~ normal(0, 1);
  tp.2 ~ normal(0, 1);
}
generated quantities {
  vector[N] y_rep;
  int k = poisson_rng(3);
  real above = mu + 1;
  for (n in 1:N) y_rep[n] = normal_rng(mu, sigma);
}
`

// TestStanReaders: readers of CmdStan's files read what export --to stan-csv writes of a run of a
// program of Stan: rstan, posterior and bayesplot in R, CmdStanPy and ArviZ in Python, each where
// it is installed. The means that they have are those of the summary.
func TestStanReaders(t *testing.T) {
	sgppl, dir := command(t), t.TempDir()
	save(t, filepath.Join(dir, "kinds.stan"), []byte(everyKind))
	save(t, filepath.Join(dir, "d.json"), []byte(`{"N": 3, "y": [1, 2.5, 2]}`))
	run := func(args ...string) []byte {
		c := exec.Command(sgppl, args...)
		c.Dir = dir
		var messages bytes.Buffer
		c.Stderr = &messages
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, messages.Bytes())
		}
		return out
	}
	run("sample", "kinds.stan", "--data", "d.json", "--chains", "2", "--draws", "200", "--warmup",
		"200", "--seed", "1", "--engine", "vm", "--progress", "none", "--out", "r")
	run("generate", "r")
	files := strings.Fields(string(run("export", "r", "--to", "stan-csv", "--out", "draws.csv")))
	var said struct {
		Vars []struct {
			Name string
			Mean float64
		}
	}
	if err := json.Unmarshal(run("summary", "r", "--json"), &said); err != nil {
		t.Fatal(err)
	}
	means, names := map[string]float64{}, []string{}
	for _, v := range said.Vars {
		name := one(v.Name)
		means[name] = v.Mean
		if base, _, _ := strings.Cut(name, "["); !slices.Contains(names, base) {
			names = append(names, base)
		}
	}
	if got, want := strings.Join(names, " "), "mu sigma am av rv th o L_C L_S L z tp_1 tp_2 "+
		"C S s2 twice above y_rep k"; got != want {
		t.Errorf("the summary has %s\nand not %s", got, want)
	}
	columns(t, filepath.Join(dir, files[0]))
	for name, script := range stanReaders {
		t.Run(name, func(t *testing.T) { script.read(t, dir, files, means) })
	}
}

// columns checks the columns of a file: those of nuts, and matrices by columns, counted from 1.
func columns(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	header := ""
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			header = strings.TrimSpace(line)
			break
		}
	}
	for _, want := range []string{
		"lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,mu,sigma,",
		",C.1.1,C.2.1,C.3.1,C.1.2,C.2.2,C.3.2,C.1.3,C.2.3,C.3.3,S.1.1,S.2.1,S.1.2,S.2.2,s2,",
		",twice.1.1,twice.2.1,twice.1.2,twice.2.2,twice.1.3,twice.2.3,above,y_rep.1,y_rep.2,y_rep.3,k",
		",am.1.1.1.1,am.2.1.1.1,am.1.2.1.1,am.2.2.1.1,am.1.1.2.1,", ",tp_1,tp_2.1,tp_2.2,"} {
		if !strings.Contains(header, want) {
			t.Errorf("the columns have no %s\n%s", want, header)
		}
	}
}

// one is the name of an entry as Stan counts, from 1: C[0,1] is C[1,2].
func one(name string) string {
	return regexp.MustCompile(`\d+(?:[,\]])`).ReplaceAllStringFunc(name, func(x string) string {
		n, _ := strconv.Atoi(x[:len(x)-1])
		return strconv.Itoa(n+1) + x[len(x)-1:]
	})
}

// A stanReader is a script that reads the files that are its arguments, and prints lines of a name
// and a mean. It ends with status 3 where its library is not installed.
type stanReader struct{ program, flag, script string }

var stanReaders = map[string]stanReader{
	"rstan": {"Rscript", "-e", `if (!requireNamespace("rstan", quietly = TRUE)) quit(status = 3)
r <- rstan::read_stan_csv(commandArgs(TRUE))
stopifnot(dim(r)[1:2] == c(200, 2), nrow(rstan::get_elapsed_time(r)) == 2)
stats <- colnames(rstan::get_sampler_params(r, inc_warmup = FALSE)[[1]])
stopifnot(setequal(stats, c("accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__",
  "divergent__", "energy__")))
stopifnot(dim(rstan::extract(r, "am")$am) == c(400, 2, 2, 2, 3))
m <- rstan::summary(r)$summary
for (n in setdiff(rownames(m), "lp__")) cat(n, sprintf("%.12g", m[n, "mean"]), "\n")`},
	"posterior": {"Rscript", "-e", `if (!requireNamespace("posterior", quietly = TRUE)) quit(status = 3)
chains <- lapply(commandArgs(TRUE), function(f) {
  d <- read.csv(f, comment.char = "#", check.names = FALSE)
  names(d) <- gsub("\\.(?=.*\\])", ",", sub("\\.(.*)$", "[\\1]", names(d)), perl = TRUE)
  d
})
d <- posterior::as_draws_df(posterior::bind_draws(lapply(chains, posterior::as_draws_df),
  along = "chain"))
d <- posterior::subset_draws(d, grep("__$", posterior::variables(d), value = TRUE, invert = TRUE))
stopifnot(posterior::nchains(d) == 2)
if (requireNamespace("bayesplot", quietly = TRUE)) {
  stopifnot(inherits(bayesplot::mcmc_trace(d, pars = c("mu", "C[1,2]")), "ggplot"))
} else cat("bayesplot is not installed\n", file = stderr())
s <- posterior::summarise_draws(d, "mean")
for (i in seq_len(nrow(s))) cat(s$variable[i], sprintf("%.12g", as.numeric(s$mean[i])), "\n")`},
	"cmdstanpy": {"python3", "-c", `import sys
try:
    import cmdstanpy
except ImportError:
    sys.exit(3)
fit = cmdstanpy.from_csv(sys.argv[1:])
assert fit.stan_variable("am").shape == (400, 2, 2, 2, 3)
for name in fit.column_names:
    if not name.endswith("__"):
        print(name, repr(float(fit.draws_pd(name)[name].mean())))`},
	"arviz": {"python3", "-c", `import sys
try:
    from arviz import from_cmdstan
except ImportError:  # it is not there, or a version without this reader
    sys.exit(3)
fit = from_cmdstan(sys.argv[1:])
assert fit.posterior["am"].shape == (2, 200, 2, 2, 2, 3)
import numpy
for name, x in fit.posterior.items():
    mean = x.mean(("chain", "draw")).values
    for at in numpy.ndindex(mean.shape):
        index = ",".join(str(i + 1) for i in at)
        print(name + ("[" + index + "]" if at else ""), repr(float(mean[at])))`},
}

// read runs the script, and holds its means against those of the summary.
func (r stanReader) read(t *testing.T, dir string, files []string, means map[string]float64) {
	program, err := exec.LookPath(r.program)
	if err != nil {
		t.Skipf("%s is not installed", r.program)
	}
	c := exec.Command(program, append([]string{r.flag, r.script}, files...)...)
	c.Dir = dir
	var messages bytes.Buffer
	c.Stderr = &messages
	out, err := c.Output()
	if c.ProcessState.ExitCode() == 3 {
		t.Skip("its library is not installed")
	}
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, messages.Bytes())
	}
	got := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) != 2 {
			t.Fatalf("it prints %q", line)
		}
		x, err := strconv.ParseFloat(f[1], 64)
		want, ok := means[f[0]]
		if err != nil || !ok || math.Abs(x-want) > 1e-9*(1+math.Abs(want)) {
			t.Errorf("%s: the mean is %s, and %v in the summary", f[0], f[1], want)
		}
		got[f[0]] = true
	}
	for name := range means {
		if !got[name] {
			t.Errorf("%s is not read", name)
		}
	}
}
