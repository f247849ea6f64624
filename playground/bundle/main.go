// Command bundle makes one file of each of the playground's programs: the page's and the
// worker's, with the packages of npm that they import. It needs npm. With -engine it builds
// the engine instead, packed, for a release that carries it; with -npm it writes the npm
// package into packaging/out/npm. Both run in any directory of the module.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/sgppl/sgppl/playground"
)

func main() {
	make := bundle
	if len(os.Args) > 1 {
		make = map[string]func() error{"-engine": engine, "-npm": npm}[os.Args[1]]
	}
	if make == nil {
		fmt.Fprintln(os.Stderr, "bundle: the flags are -engine and -npm")
		os.Exit(2)
	}
	if err := make(); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

// grammarScript writes the parser of a Lezer grammar.
const grammarScript = `
import { buildParserFile } from "@lezer/generator";
import { readFileSync, writeFileSync } from "node:fs";
const [grammar, out] = process.argv.slice(2);
const { parser, terms } = buildParserFile(readFileSync(grammar, "utf8"), { fileName: grammar });
writeFileSync(out, parser.replaceAll(/from "\.\/[^"]*terms[^"]*"/g, 'from "./terms.js"'));
writeFileSync(out.replace(/parser\.js$/, "terms.js"), terms);
`

// bundle runs in the directory of package playground.
func bundle() error {
	work, err := os.MkdirTemp("", "playground")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join("page", name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(work, name), text, 0o666); err != nil {
			return err
		}
	}
	if err := command(work, "npm", "ci", "--silent", "--ignore-scripts", "--no-audit",
		"--no-fund"); err != nil {
		return err
	}
	script := filepath.Join(work, "grammar.mjs")
	if err := os.WriteFile(script, []byte(grammarScript), 0o666); err != nil {
		return err
	}
	grammar, err := filepath.Abs(filepath.Join("..", "editors", "lezer", "sgppl.grammar"))
	if err != nil {
		return err
	}
	parser := filepath.Join(work, "parser.js")
	if err := command(work, "node", script, grammar, parser); err != nil {
		return err
	}
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{"page/app.js", "page/worker.js"}, Outdir: "dist", Write: true,
		Bundle: true, Format: api.FormatIIFE, Target: api.ES2022,
		LegalComments:    api.LegalCommentsEndOfFile,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		NodePaths: []string{filepath.Join(work, "node_modules")},
		Alias:     map[string]string{"sgppl-grammar": parser},
		LogLevel:  api.LogLevelWarning,
	})
	if len(result.Errors) > 0 {
		return fmt.Errorf("%d errors", len(result.Errors))
	}
	sum, err := playground.Sources(os.DirFS(".."))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join("dist", "sources.sha256"), []byte(sum+"\n"), 0o666)
}

// build builds the engine of this working tree, and returns the directory of that.
func build() (*playground.Engine, string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return nil, "", err
	}
	root := strings.TrimSpace(string(out))
	e, err := playground.Build(context.Background(), root)
	return e, root, err
}

// npm writes the npm package, from which `npm pack` makes a file.
func npm() error {
	e, root, err := build()
	if err != nil {
		return err
	}
	files, err := e.Package(os.DirFS(root))
	if err != nil {
		return err
	}
	out := filepath.Join(root, "packaging", "out", "npm")
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(out, name), text, 0o666); err != nil {
			return err
		}
	}
	fmt.Println(out)
	return nil
}

// engine writes the engine of this working tree, and says how large it is.
func engine() error {
	e, root, err := build()
	if err != nil {
		return err
	}
	packed, err := e.Pack()
	if err != nil {
		return err
	}
	fmt.Printf("engine.wasm: %d bytes, packed %d\n", len(e.Wasm), len(packed))
	dist := filepath.Join(root, "playground", "dist")
	if err := os.WriteFile(filepath.Join(dist, "engine.wasm.br"), packed, 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dist, "wasm_exec.js"), e.Exec, 0o666)
}

func command(dir, name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Dir, c.Stdout, c.Stderr = dir, os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
