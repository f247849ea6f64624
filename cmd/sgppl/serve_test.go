package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
)

// ask sends requests to `sgppl serve --stdio`, and returns its answers.
func ask(t *testing.T, requests ...string) []map[string]any {
	t.Helper()
	code, out, said := inProcess(t, strings.Join(requests, "\n")+"\n", "serve", "--stdio")
	if code != session.ExitDone || said != "" {
		t.Fatalf("status %d\n%s", code, said)
	}
	var all []map[string]any
	for line := range strings.Lines(out) {
		var a map[string]any
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, a)
	}
	if len(all) != len(requests) {
		t.Fatalf("%d answers to %d requests", len(all), len(requests))
	}
	return all
}

// TestServe: the density of the eight schools is that of its formula, the gradient is its
// slope, and values go to the state and back.
func TestServe(t *testing.T) {
	models := filepath.Join("..", "..", "examples", "models")
	bind := fmt.Sprintf(`{"jsonrpc": "2.0", "id": "b", "method": "bind", "params": {"model": %q, "data": [%q]}}`,
		filepath.Join(models, "eight_schools.sg"), filepath.Join(models, "eight_schools.json"))
	at := func(h float64) string {
		return fmt.Sprintf("[%v, -0.5, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]", 2+h)
	}
	const h = 1e-4
	all := ask(t, bind,
		`{"id": 1, "method": "gradient", "params": {"model": 1, "x": `+at(0)+`}}`,
		`{"id": 2, "method": "log_density", "params": {"model": 1, "x": `+at(h)+`}}`,
		`{"id": 3, "method": "log_density", "params": {"model": 1, "x": `+at(-h)+`}}`,
		`{"id": 4, "method": "constrain", "params": {"model": 1, "x": `+at(0)+`}}`,
		`{"id": 5, "method": "log_density", "params": {"model": 1, "jacobian": false, "x": `+at(0)+`}}`,
	)
	if m := all[0]["result"].(map[string]any); all[0]["id"] != "b" || m["dim"] != 10.0 ||
		m["name"] != "eight_schools" {
		t.Errorf("bound: %v", all[0])
	}
	r := all[1]["result"].(map[string]any)
	slope := (all[2]["result"].(float64) - all[3]["result"].(float64)) / (2 * h)
	if g := r["gradient"].([]any)[0].(float64); math.Abs(g-slope) > 1e-6 {
		t.Errorf("gradient %v, slope %v", g, slope)
	}
	values := all[4]["result"].(map[string]any)
	tau := values["tau"].([]any)[0].(float64)
	without := all[5]["result"].(float64)
	if math.Abs(r["log_density"].(float64)-without-math.Log(tau)) > 1e-12 {
		t.Errorf("the Jacobian of tau = exp(x) is %v", r["log_density"].(float64)-without)
	}
	delete(values, "theta")
	text, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	back := ask(t, bind, fmt.Sprintf(`{"id": 1, "method": "unconstrain", "params": {"model": 1, "values": %s}}`, text))
	if got := fmt.Sprint(back[1]["result"]); got != "[2 -0.5 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8]" {
		t.Errorf("back: %s", got)
	}
}

// TestServeErrors: every mistake is answered with its request's id, a code, and what to do.
func TestServeErrors(t *testing.T) {
	const bind = `{"id": 1, "method": "bind", "params": {"text": "dim N\ndata y[N] : real\nparam a : real ~ normal(0, 1)\nfor n in N { y[n] ~ normal(a, 1) }\n", "data": [%q]}}`
	file := filepath.Join(t.TempDir(), "d.json")
	write(t, file, `{"y": [1, 2, 3]}`)
	good := fmt.Sprintf(bind, file)
	cases := []struct {
		request string
		code    float64
		want    string
	}{
		{`nonsense`, -32700, "not a request"},
		{`{"id": 7, "method": "gradiant"}`, -32601, "gradient"},
		{`{"id": 7, "method": "gradient", "params": {"model": 3, "x": [1]}}`, -32602,
			"a number that bind returned"},
		{`{"id": 7, "method": "gradient", "params": {"model": 1, "x": [1, 2]}}`, -32602,
			"x has 2 numbers"},
		{`{"id": 7, "method": "gradient", "params": {"model": 1, "x": [1], "rows": [3]}}`, -32602,
			"rows 0 to 2"},
		{`{"id": 7, "method": "unconstrain", "params": {"model": 1, "values": {}}}`, -32602, "lacks a"},
		{`{"id": 7, "method": "unconstrain", "params": {"model": 1, "values": {"a": [1], "b": [1]}}}`,
			-32602, "has no b"},
		{`{"id": 7, "method": "bind", "params": {"text": "param a : rael"}}`, session.ExitModel, "real"},
		{`{"id": 7, "method": "bind", "params": {"model": "nowhere.sg"}}`, session.ExitFiles,
			"nowhere.sg"},
		{fmt.Sprintf(strings.Replace(bind, `"id": 1`, `"id": 7`, 1), "nothing.json"), session.ExitFiles,
			"nothing.json"},
	}
	for _, c := range cases {
		a := ask(t, good, c.request)[1]
		wrong, _ := a["error"].(map[string]any)
		if wrong["code"] != c.code || !strings.Contains(fmt.Sprint(wrong["message"]), c.want) {
			t.Errorf("%s: %v", c.request, a)
		}
		if c.code != -32700 && a["id"] != 7.0 {
			t.Errorf("%s: the answer has id %v", c.request, a["id"])
		}
	}
	a := ask(t, good, `{"id": 2, "method": "log_lik", "params": {"model": 1, "x": [1], "rows": [0, 2]}}`,
		`{"id": 3, "method": "log_density", "params": {"model": 1, "x": [1e200]}}`,
		`{"id": 4, "method": "close", "params": {"model": 1}}`,
		`{"id": 5, "method": "log_density", "params": {"model": 1, "x": [1]}}`)
	if got := a[1]["result"].([]any); len(got) != 2 ||
		math.Abs(got[1].(float64)+0.5*math.Log(2*math.Pi)+2) > 1e-12 {
		t.Errorf("log_lik: %v", got)
	}
	if a[2]["result"] != "-Inf" || a[3]["result"] != true || a[4]["error"] == nil {
		t.Errorf("%v", a[2:])
	}
}

// TestServeLevels: words are levels in the order that bind asks for, and rows with gaps are
// left out if it asks for that, as by the flags of sample.
func TestServeLevels(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "d.csv")
	write(t, path, "g,y\nb,1\na,10\nb,\n")
	bind := fmt.Sprintf(`{"id": 0, "method": "bind", "params": {"text": %q, "data": [%q], `+
		`"levels": ["G=sorted"], "na": "drop"}}`, "dim N, G\ndata g[N] : index[G]\n"+
		"data y[N] : real\nparam a[G] : real ~ normal(0, 1)\n"+
		"for n in N { y[n] ~ normal(a[g[n]], 1) }\n", path)
	all := ask(t, bind, `{"id": 1, "method": "log_lik", "params": {"model": 1, "x": [10, 0]}}`)
	if m := all[0]["result"].(map[string]any); m["rows"] != 2.0 || m["dim"] != 2.0 {
		t.Fatal(m)
	}
	norm := -0.5 * math.Log(2*math.Pi)
	for i, want := range []float64{norm - 0.5, norm} {
		if got := all[1]["result"].([]any)[i].(float64); math.Abs(got-want) > 1e-12 {
			t.Errorf("row %d: %v, not %v", i, got, want)
		}
	}
}
