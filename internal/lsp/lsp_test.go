package lsp

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

const logistic = `/// A regression.
dim N, P
data x[N] : real[P]
data y[N] : bool
/// The weights.
param w[P] : real ~ normal(0, 10)
param b : real ~ normal(mu = 0, sigma = 1)
let eta = x @ w + b
for n in N { y[n] ~ bernoulli_logit(eta[n]) }
`

// TestDiagnostics: all errors are told, with codes, places and related places, and suggestions
// are actions that mend the text.
func TestDiagnostics(t *testing.T) {
	c := open(t, "dim N\ndata β[N] : reel\ndata y[N] : real\nlet b = 𝛼 + 1\ndata y[N] : real\n")
	list := c.diagnostics()
	var codes []string
	for _, d := range list {
		codes = append(codes, d.Code)
		if d.Message == "" || d.Severity != 1 || d.Source != "sgppl" {
			t.Errorf("%+v", d)
		}
	}
	if len(list) != 3 {
		t.Fatalf("codes %v, not three", codes)
	}
	if want := (textRange{position{1, 12}, position{1, 16}}); list[0].Range != want {
		t.Errorf("`reel` is at %v, not %v", list[0].Range, want)
	}
	if want := (textRange{position{3, 8}, position{3, 10}}); list[1].Range != want {
		t.Errorf("𝛼 is at %v, not at the units of UTF-16 %v", list[1].Range, want)
	}
	if r := list[2].Related; len(r) != 1 || r[0].Location.Range.Start.Line != 2 {
		t.Errorf("the first y is not related: %+v", list[2])
	}
	p := c.at("reel", 1)
	p["range"] = list[0].Range
	actions := result[[]codeAction](c, c.request("textDocument/codeAction", p))
	if len(actions) != 1 || actions[0].Title != "replace `reel` by `real`" {
		t.Fatalf("%+v", actions)
	}
	fixed := apply(c.s.docs[testURI].text, actions[0].Edit.Changes[testURI], utf16Units)
	if !strings.Contains(fixed, "data β[N] : real\n") {
		t.Errorf("%s", fixed)
	}
}

// TestUncompiled: what a right model has that this version cannot compile is told where the file
// is opened or saved, as a warning.
func TestUncompiled(t *testing.T) {
	c := open(t, "param s : positive\nparam t : positive ~ von_mises(0, s)\n")
	told := func() string {
		var out []string
		for _, d := range c.diagnostics() {
			out = append(out, d.Code+" "+strconv.Itoa(d.Severity))
		}
		return strings.Join(out, ",")
	}
	if got := told(); got != "W0902 2,E0710 2" {
		t.Errorf("opened: %q", got)
	}
	c.notify("textDocument/didChange",
		map[string]any{"textDocument": map[string]any{"uri": testURI, "version": 2},
			"contentChanges": []any{map[string]any{"range": textRange{position{2, 0},
				position{2, 0}}, "text": "\n"}}})
	if got := told(); got != "W0902 2" {
		t.Errorf("changed: %q", got)
	}
	c.notify("textDocument/didSave", c.at("", 0))
	if got := told(); got != "W0902 2,E0710 2" {
		t.Errorf("saved: %q", got)
	}
}

// TestEncoding: a client that offers UTF-8 is told columns in bytes.
func TestEncoding(t *testing.T) {
	c := open(t, "let b = 𝛼 + 1\n")
	r := c.request("initialize",
		map[string]any{"capabilities": map[string]any{
			"general": map[string]any{"positionEncodings": []string{"utf-16", "utf-8"}}}})
	if !bytes.Contains(r.Result, []byte(`"positionEncoding":"utf-8"`)) {
		t.Errorf("%s", r.Result)
	}
	if d := c.diagnostics(); len(d) != 1 ||
		d[0].Range != (textRange{position{0, 8}, position{0, 12}}) {
		t.Errorf("%+v", d)
	}
}

// TestChanges: edits of parts, in both encodings and of every line end, give the text that they
// describe.
func TestChanges(t *testing.T) {
	c := open(t, "let a = 1\r\nlet 𝛼 = 2\n")
	change := func(from, to position, text string) {
		c.notify("textDocument/didChange", map[string]any{
			"textDocument":   map[string]any{"uri": testURI, "version": 2},
			"contentChanges": []any{map[string]any{"range": textRange{from, to}, "text": text}}})
	}
	change(position{1, 9}, position{1, 10}, "37")
	change(position{0, 8}, position{0, 99}, "𝛽")
	change(position{1, 4}, position{1, 6}, "b")
	if got, want := c.s.docs[testURI].text, "let a = 𝛽\r\nlet b = 37\n"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

func TestHover(t *testing.T) {
	c := open(t, logistic)
	for _, tt := range []struct {
		mark  string
		shift int
		want  []string
	}{
		{"w[P]", 0, []string{"param w : real[P] ~ normal(0, 10)", "The weights."}},
		{"eta[n]", 0, []string{"let eta : real[N]", "changes with the unknowns"}},
		{"@ w", 0, []string{"x @ w : real[N]"}},
		{"normal(0", 2, []string{"normal(mu : real, sigma : positive) on real",
			"standard deviation"}},
		{"bool", 1, []string{"false or true"}},
		{"n] ~", 0, []string{"index n in 0:N"}},
	} {
		h := result[*hoverResult](c, c.request("textDocument/hover", c.at(tt.mark, tt.shift)))
		for _, want := range tt.want {
			if h == nil || !strings.Contains(h.Contents.Value, want) {
				t.Errorf("hover at %q lacks %q: %+v", tt.mark, want, h)
			}
		}
	}
}

func TestNavigation(t *testing.T) {
	c := open(t, logistic)
	at := result[location](c, c.request("textDocument/definition", c.at("eta[n]", 1)))
	if at.Range.Start != (position{7, 4}) {
		t.Errorf("eta is declared at %+v", at)
	}
	p := c.at("w[P]", 0)
	p["context"] = map[string]any{"includeDeclaration": true}
	if refs := result[[]location](c, c.request("textDocument/references", p)); len(refs) != 2 {
		t.Errorf("w: %+v", refs)
	}
	if at := c.request("textDocument/definition",
		c.at("bernoulli_logit", 1)); string(at.Result) != "null" {
		t.Errorf("a distribution of the library is defined at %s", at.Result)
	}
}

// TestRename: a name changes wherever it stands, and nowhere else; a name that would mean something
// else, or that is taken, is refused.
func TestRename(t *testing.T) {
	text := "fn f(a : real, b : real) -> real { a + b }\ndim N\ndata y[N] : real\n" +
		"param a : real ~ normal(0, 1)\n" +
		"let t = sum(f(a = y[i], b = a) for i in N)\nfactor -t\n"
	c := open(t, text)
	rename := func(mark string, to string) *message {
		p := c.at(mark, 0)
		p["newName"] = to
		return c.request("textDocument/rename", p)
	}
	for _, tt := range []struct{ mark, to, want string }{
		{"a : real,", "left", strings.NewReplacer("(a : real,", "(left : real,", "{ a +",
			"{ left +", "(a = y", "(left = y").Replace(text)},
		{"a : real ~", "slope",
			strings.NewReplacer("param a", "param slope", "b = a)", "b = slope)").Replace(text)},
		{"N\n", "Rows", strings.NewReplacer("dim N", "dim Rows", "y[N]", "y[Rows]", "in N",
			"in Rows").Replace(text)},
		{"f(a :", "g", strings.NewReplacer("fn f(", "fn g(", "sum(f(", "sum(g(").Replace(text)},
	} {
		e := result[workspaceEdit](c, rename(tt.mark, tt.to))
		if got := apply(text, e.Changes[testURI], utf16Units); got != tt.want {
			t.Errorf("%s to %s:\n%s", tt.mark, tt.to, got)
		}
	}
	for _, tt := range []struct{ mark, to string }{
		{"a : real ~", "y"}, {"a : real ~", "i"}, {"a : real,", "b"}, {"a : real ~", "for"},
		{"a : real ~", "2x"},
		{"a : real ~", "x y"}, {"a : real ~", ""}, {"N\n", "y"}, {"normal", "gauss"},
		{"f(a :", "sum"},
	} {
		if m := rename(tt.mark, tt.to); m.Error == nil || m.Error.Code != requestFailed {
			t.Errorf("%s to %q was not refused: %s", tt.mark, tt.to, m.Result)
		}
	}
}

// TestCompletion: names in scope, and what fits the place; a broken text keeps its names.
func TestCompletion(t *testing.T) {
	for _, tt := range []struct {
		text, mark string
		has, lacks []string
	}{
		{logistic, "eta[n]", []string{"w", "n", "eta", "exp", "if"}, []string{"normal_", "real"}},
		{logistic, "bernoulli_logit", []string{"normal", "poisson", "mixture"},
			[]string{"w", "exp", "for"}},
		{logistic, "real[P]", []string{"real", "simplex", "sparse"}, []string{"w", "normal"}},
		{logistic, "x @", []string{"w", "b"}, []string{"n"}},
		{logistic + "let z = normal.logpdf(1, 0, 1)\n", "logpdf", []string{"logpdf", "cdf"},
			[]string{"w"}},
		{logistic + "let z = (x @ w) + ", "", []string{"eta", "w"}, []string{"n"}},
		{logistic, "let eta", []string{"param", "for", "let"}, nil},
	} {
		c := open(t, tt.text)
		mark, shift := tt.mark, 0
		if mark == "" {
			mark, shift = tt.text, len(tt.text)
		}
		list := result[completionList](c, c.request("textDocument/completion", c.at(mark, shift)))
		var labels []string
		for _, it := range list.Items {
			labels = append(labels, it.Label)
		}
		for _, w := range tt.has {
			if !slices.Contains(labels, w) {
				t.Errorf("at %q: no %s", tt.mark, w)
			}
		}
		for _, w := range tt.lacks {
			if slices.Contains(labels, w) {
				t.Errorf("at %q: %s", tt.mark, w)
			}
		}
	}
}

// TestCompletionOfBroken: where the declaration itself is broken, its last good name is offered.
func TestCompletionOfBroken(t *testing.T) {
	c := open(t, logistic)
	c.diagnostics()
	i := strings.Index(logistic, "param w[P]")
	at := newLineTable(logistic, utf16Units).position(i + len("param w["))
	c.notify("textDocument/didChange",
		map[string]any{"textDocument": map[string]any{"uri": testURI, "version": 2},
			"contentChanges": []any{map[string]any{"range": textRange{at, at}, "text": "(("}}})
	list := result[completionList](c, c.request("textDocument/completion", c.at("eta[n]", 0)))
	if !slices.ContainsFunc(list.Items, func(it completionItem) bool { return it.Label == "w" }) {
		t.Error("w is lost while its declaration is broken")
	}
}

func TestSignature(t *testing.T) {
	c := open(t, logistic+"let z = normal.logpdf(b, exp(0), 1)\n")
	for _, tt := range []struct {
		mark      string
		shift     int
		label     string
		parameter int
	}{
		{"0, 10)", 0, "normal(mu : real, sigma : positive)", 0},
		{"0, 10)", 4, "normal(mu : real, sigma : positive)", 1},
		{"b, exp", 3, "normal.logpdf(x, mu : real, sigma : positive)", 1},
		{"exp(0", 4, "exp(x : real)", 0},
		{"eta[n])", 4, "bernoulli_logit(alpha : real)", 0},
	} {
		s := result[*signatureResult](c,
			c.request("textDocument/signatureHelp", c.at(tt.mark, tt.shift)))
		if s == nil || !strings.HasPrefix(s.Signatures[0].Label, tt.label) ||
			s.Parameter != tt.parameter {
			t.Errorf("at %q: %+v", tt.mark, s)
		}
	}
	if s := c.request("textDocument/signatureHelp", c.at("data x", 3)); string(s.Result) != "null" {
		t.Errorf("%s", s.Result)
	}
}

// TestFormat: the edits make of each file of the repository what `sgppl fmt` prints.
func TestFormat(t *testing.T) {
	files := models(t)
	files["crlf"] = "dim   N\r\ndata x[N]:real\r\n\r\nlet  a=1\r\n"
	for path, text := range files {
		f := source.New("m.sg", text)
		a := &analysis{file: f, lines: newLineTable(text, utf16Units)}
		edits, err := a.format()
		tree, diags := parser.Parse(f)
		if diags.Errors() {
			if err == nil {
				t.Errorf("%s has syntax errors and was formatted", path)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
		} else if got := apply(text, edits.([]textEdit), utf16Units); got != ast.Print(tree) {
			t.Errorf("%s:\n%s", path, got)
		}
	}
}

func TestInlaysAndOutline(t *testing.T) {
	c := open(t, logistic)
	p := c.at("", 0)
	p["range"] = textRange{position{0, 0}, position{99, 0}}
	hints := result[[]inlayHint](c, c.request("textDocument/inlayHint", p))
	if len(hints) != 1 || hints[0].Label != " : real[N]" || hints[0].Position != (position{7, 7}) {
		t.Errorf("%+v", hints)
	}
	var names []string
	for _, s := range result[[]documentSymbol](c, c.request("textDocument/documentSymbol", p)) {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, ","); got != "N,P,x,y,w,b,eta,for n in N" {
		t.Error(got)
	}
}

// TestServe: a whole conversation over a stream, and what ends it.
func TestServe(t *testing.T) {
	frame := func(bodies ...string) string {
		var b strings.Builder
		for _, body := range bodies {
			b.WriteString("Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body)
		}
		return b.String()
	}
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`
	for _, tt := range []struct {
		in   string
		want error
		out  string
	}{
		{frame(hello, `{"id":2,"method":"shutdown"}`, `{"method":"exit"}`), nil, `"result":null`},
		{frame(hello, `{"method":"exit"}`), ErrNoShutdown, "positionEncoding"},
		{frame(hello), ErrNoShutdown, "positionEncoding"},
		{frame(`{"id":1,"method":"textDocument/hover"}`, hello, `{"id":2,"method":"shutdown"}`),
			nil, "-32002"},
		{frame(hello, `{"id":"a","method":"no/such"}`, `{"id":2,"method":"shutdown"}`), nil,
			"-32601"},
		{frame(`[`), nil, "-32700"},
		{frame(hello, `{"id":3,"method":"textDocument/hover","params":[3]}`,
			`{"id":2,"method":"shutdown"}`), nil, "-32602"},
		{"", nil, ""},
	} {
		var out bytes.Buffer
		if err := Serve(strings.NewReader(tt.in), &out); !errors.Is(err, tt.want) ||
			!strings.Contains(out.String(), tt.out) {
			t.Errorf("%q: %v, %s", tt.in, err, out.String())
		}
	}
	for _, broken := range []string{"Content-Length: 9\r\n\r\n{", "Content-Length: x\r\n\r\n",
		"nonsense\r\n\r\n", "\r\n", "Content-Length: 99999999999\r\n\r\n"} {
		if err := Serve(strings.NewReader(broken), io.Discard); err == nil {
			t.Errorf("%q was read", broken)
		}
	}
}
