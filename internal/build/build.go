// Package build says what a binary was built of: its version and commit, and its modules as a
// bill of materials. All of it comes from what the go command writes into every binary.
package build

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// An Info is what a binary was built of.
type Info struct {
	Version  string // of the program
	Module   string // version of the module, where it was installed as one: "v0.2.0"; else ""
	Commit   string // of its repository; "" where the binary does not say
	Modified bool   // the files differed from those of the commit
	Time     string // of the commit, RFC 3339
	Go       string // "go1.26.0"
	System   string // "linux/amd64"
	Deps     []Dep  // modules whose packages are in the binary
}

// A Dep is a module in a binary.
type Dep struct {
	Path, Version string
	Sum           string // "h1:…", as in go.sum; "" of a directory
}

// Read returns the info of this binary, a program of the given version.
func Read(version string) Info {
	b, _ := debug.ReadBuildInfo() // nil without modules
	return Of(version, b)
}

// Of returns the info that b says, which may be nil.
func Of(version string, b *debug.BuildInfo) Info {
	i := Info{Version: version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	if b == nil {
		return i
	}
	if b.GoVersion != "" {
		i.Go = b.GoVersion
	}
	if v := b.Main.Version; v != "(devel)" {
		i.Module = v
	}
	for _, s := range b.Settings {
		switch s.Key {
		case "vcs.revision":
			i.Commit = s.Value
		case "vcs.modified":
			i.Modified = s.Value == "true"
		case "vcs.time":
			i.Time = s.Value
		}
	}
	for _, d := range b.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		i.Deps = append(i.Deps, Dep{d.Path, d.Version, d.Sum})
	}
	return i
}

// String is the lines of `sgppl version`.
func (i Info) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "sgppl %s\n", i.Version)
	if i.Module != "" && strings.TrimPrefix(i.Module, "v") != i.Version {
		fmt.Fprintf(&b, "module %s\n", i.Module)
	}
	if i.Commit != "" {
		changed := ""
		if i.Modified {
			changed = ", with changes"
		}
		at := ""
		if i.Time != "" {
			at = " of " + i.Time
		}
		fmt.Fprintf(&b, "commit %s%s%s\n", i.Commit, at, changed)
	}
	fmt.Fprintf(&b, "built by %s for %s\n", i.Go, i.System)
	return b.String()
}
