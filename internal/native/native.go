// Package native builds generated packages into binaries of their own. What
// the build needs travels with the compiler: the sources of the runtime, which
// import nothing but the standard library, so no source tree, no module cache
// and no network are used.
package native

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/runtime/base/printable"
)

const module = "github.com/sgppl/sgppl"

// A Builder keeps binaries, and the sources they are made of, in a directory.
// Several builders may share it, in several processes.
type Builder struct {
	Cache string   // the directory; see DefaultCache
	Env   []string // the environment of the go command, PATH included
	// Wrong is told what is wrong with an engine or with sources in the cache, which are
	// not used and are made again; nil for nobody.
	Wrong func(error)

	building sync.Mutex // one build at a time: the go command uses all processors

	lock  sync.Mutex
	sound map[string]found // binaries that were whole, by their path
}

// DefaultCache is the directory of a user's builds.
func DefaultCache() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "sgppl"), nil
}

// A Source is a generated package and the program around it.
type Source struct {
	Package string            // its directory
	Files   map[string][]byte // by file name
	// Main writes the main file, given the import path of the package.
	Main func(importPath string) string
	Of   string // the text of the model that the package was generated from; see Builder.Known
}

// Model is the source of a program that samples a model, given the files of
// its generated package.
func Model(files map[string][]byte) Source {
	return Source{Package: "model", Files: files, Main: Program}
}

// A ToolchainError says that no usable Go toolchain was found: the VM can be
// used in its place.
type ToolchainError struct{ Reason string }

func (e *ToolchainError) Error() string { return "no Go toolchain: " + e.Reason }

// Exit is the status of the program that this error ends.
func (e *ToolchainError) Exit() int { return 5 }

// A BuildError says that generated code does not build, which is a mistake of
// the compiler, or that the disk or the toolchain failed.
type BuildError struct {
	Dir    string // the sources, which are kept
	Output string // of the go command
	Err    error
}

func (e *BuildError) Error() string {
	return printable.Sprintf("the generated package does not build: %v\n%s\n"+
		"This is a mistake of sgppl, or of the Go installation. The sources are in %s", e.Err,
		printable.Lines(strings.TrimSpace(e.Output)), e.Dir)
}

// Printable says that Error escapes names, as printable.Error asks.
func (e *BuildError) Printable() {}

func (e *BuildError) Unwrap() error { return e.Err }

// Exit is the status of the program that this error ends.
func (e *BuildError) Exit() int { return 5 }

// Build returns the path of an executable for the source, built now or before.
func (b *Builder) Build(ctx context.Context, s Source) (string, error) {
	key, path := b.Key(s), b.path(s)
	b.building.Lock()
	defer b.building.Unlock()
	if err := ctx.Err(); err != nil { // while another build was waited for
		return "", err
	}
	if err := b.private(); err != nil {
		return "", err
	}
	switch there, err := b.inspect(path); {
	case err != nil:
		b.wrong(fmt.Errorf("an engine is not used, and is built again: %w", err))
	case there:
		b.know(s.Of)
		return path, nil
	}
	goCommand, err := b.find()
	if err != nil {
		return "", err
	}
	root, err := b.tree()
	if err != nil {
		return "", b.unusable(err)
	}
	dir := filepath.Join(root, "native", key)
	if err := b.place(dir, s, key); err != nil {
		return "", b.unusable(err)
	}
	if err := b.compile(ctx, goCommand, root, dir, path); err != nil {
		return path, err
	}
	b.know(s.Of)
	return path, nil
}

// Usable reports whether there is a go command to build with; else a *ToolchainError.
func (b *Builder) Usable() error {
	_, err := b.find()
	return err
}

// Cached reports whether Build would return at once.
func (b *Builder) Cached(s Source) bool {
	there, err := b.inspect(b.path(s))
	return there && err == nil
}

// path is where the binary of a source is kept.
func (b *Builder) path(s Source) string {
	name := b.Key(s)
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(b.Cache, "bin", name)
}

// Key identifies a binary for this system by everything that it is made of.
func (b *Builder) Key(s Source) string {
	h := sha256.New()
	part := func(name string, text []byte) {
		fmt.Fprintf(h, "%s %d\n", name, len(text))
		h.Write(text)
	}
	part("version", []byte(sgppl.Version+" "+runtimeHash()+" "+runtime.GOOS+" "+runtime.GOARCH))
	part("main", []byte(s.Main(s.Package)))
	for _, name := range sortedNames(s.Files) {
		part(name, s.Files[name])
	}
	return hex.EncodeToString(h.Sum(nil))[:24]
}

// find looks for the go command in the PATH of the builder's environment.
func (b *Builder) find() (string, error) {
	for _, dir := range filepath.SplitList(b.lookup("PATH")) {
		name := filepath.Join(dir, "go")
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() &&
			(runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
			return name, nil
		}
	}
	return "", &ToolchainError{"there is no go command in PATH"}
}

func (b *Builder) lookup(name string) string {
	for i := len(b.Env) - 1; i >= 0; i-- {
		if key, value, ok := strings.Cut(b.Env[i], "="); ok && key == name {
			return value
		}
	}
	return ""
}

// environment is that of the go command: offline, and deaf to the settings
// that a user keeps for other work.
func (b *Builder) environment() []string {
	env := append(slices.Clone(b.Env),
		"GO111MODULE=on", "GOFLAGS=-mod=mod", "GOPROXY=off", "GOTOOLCHAIN=local", "GOWORK=off",
		"GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	if b.lookup("GOCACHE") == "" && b.lookup("HOME") == "" && b.lookup("XDG_CACHE_HOME") == "" &&
		b.lookup("LocalAppData") == "" {
		env = append(env, "GOCACHE="+filepath.Join(b.Cache, "go-build"))
	}
	if b.lookup("GOPATH") == "" && b.lookup("GOMODCACHE") == "" && b.lookup("HOME") == "" &&
		b.lookup("USERPROFILE") == "" {
		env = append(env, "GOMODCACHE="+filepath.Join(b.Cache, "go-mod"))
	}
	return env
}

// compile runs go build; the binary appears under its name when it is whole. When
// ctx is cancelled nothing is left but the sources, which are whole.
func (b *Builder) compile(ctx context.Context, goCommand, root, dir, path string) error {
	scratch, err := os.MkdirTemp(filepath.Dir(path), "build-")
	if err != nil {
		return b.unusable(err)
	}
	defer os.RemoveAll(scratch)
	made := filepath.Join(scratch, filepath.Base(path))
	target, err := filepath.Rel(root, dir)
	if err != nil {
		return err
	}
	// Without paths in it, what was compiled for one cache serves another too. The packages that
	// nobody else builds are compiled without tables for debuggers, which -s leaves out anyway.
	c := exec.CommandContext(ctx, goCommand, "build", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w", "-gcflags="+module+"/...=-dwarf=false", "-o", made,
		"./"+filepath.ToSlash(target))
	c.Dir, c.Env = root, b.environment()
	if b.lookup("GOTMPDIR") == "" { // what an interrupted go command leaves goes with scratch
		c.Env = append(c.Env, "GOTMPDIR="+scratch)
	}
	c.Cancel = func() error {
		if err := c.Process.Signal(os.Interrupt); err != nil {
			return c.Process.Kill() // where there are no signals
		}
		return nil
	}
	c.WaitDelay = grace
	apart(c)
	output, err := c.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && strings.Contains(string(output), "requires go >="):
		return &ToolchainError{strings.TrimSpace(string(output))}
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrPermission):
		return &ToolchainError{err.Error()}
	case err != nil:
		return &BuildError{Dir: dir, Output: string(output), Err: err}
	}
	return b.unusable(keep(made, path))
}
