package check_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// batchable says for each model which axes can be minibatched, and for some of
// the others a word of the reason.
var batchable = map[string]string{
	"ark": "T", "arma11": "-T:scan", "blr": "N -D:beta", "bpca": "N -D:U", "circle": "", "cnn": "N",
	"double_well": "",
	"dpfa":        "D -V:phi", "eight_schools": "-J:eta", "embedding_mixture": "N -D:mu",
	"fnn": "N", "fnn_deep": "N", "garch11": "-T:scan",
	"glm_poisson": "n", "gp_poisson": "-N:z", "gp_regr": "-N:", "gru": "S -T:row",
	"half_normal": "N", "hier_centred": "N -J:alpha",
	"hmm_dirichlet": "-T:scan -K:A", "hmm_example": "-N:scan", "kidscore": "N", "lda": "D -W:row",
	"logearn": "N", "logistic": "N -P:w",
	"logmesquite": "N", "lotka_volterra": "-N:ode", "low_dim_gauss_mix": "N", "m0": "M -T:here",
	"missing": "N", "nes": "N", "nn": "",
	"rate_2": "", "sam": "D -V:mu", "survival": "N -P:w", "truncated": "N", "vmf_mixture": "N",
	"wells_dae": "N", "zip": "N -P:w",
}

func TestBatchable(t *testing.T) {
	for _, path := range modelFiles(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".sg")
		want, ok := batchable[name]
		if !ok {
			t.Errorf("%s is not in the table", name)
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m, _ := checkText(name, string(text))
		wantBatchable(t, name, want, m)
	}
}
