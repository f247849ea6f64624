package lsp

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"
)

// TestProtocolClient: the client library of the protocol's authors, started by node, reads inlay
// hints and semantic tokens. It finds the library where NODE_PATH says.
func TestProtocolClient(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: the server is not tested with the client of the " +
			"protocol's library")
	}
	if exec.Command(node, "-e", "require('vscode-languageserver-protocol/node')").Run() != nil {
		t.Skip("NODE_PATH has no vscode-languageserver-protocol: the server is not tested with its " +
			"client")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "testdata/client.js", exe, logistic)
	cmd.Env = append(os.Environ(), "SGPPL_TEST_SERVER=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var got struct {
		Hints []inlayHint
		Words [][]string
		Exit  int
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	if h := got.Hints; len(h) != 1 || h[0].Label != " : real[N]" ||
		h[0].Position != (position{7, 7}) {
		t.Errorf("hints %+v", h)
	}
	want := map[string]string{"dim": "keyword", "w": "variable", "x": "property",
		"bernoulli_logit": "class", "10": "number"}
	seen := map[string]string{}
	for _, w := range got.Words {
		seen[w[0]] = w[1]
	}
	for word, kind := range want {
		if seen[word] != kind {
			t.Errorf("%s is %q, not %s", word, seen[word], kind)
		}
	}
	if got.Exit != 0 {
		t.Errorf("the server left with %d", got.Exit)
	}
}
