package run

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/base/system"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// Bounds of a run on any disk: maxNumbers is the largest number of values in a store, and MaxChains
// the largest number of chains, since each chain has files.
const (
	maxNumbers = 1 << 40
	MaxChains  = 1 << 16
)

// Room returns an error if the store of a run would not fit on the disk of dir, or would exceed the
// bounds above. If the free space of the disk is not known, only the bounds are checked. The record
// needs Settings, resolved, Blocks and Keep.
func Room(dir string, t target.Target, r *Record) error {
	c := &r.Settings
	if c.Chains > MaxChains {
		return fail(exitUsage, setting.Text("{chains}: %d is above %d"), c.Chains, MaxChains)
	}
	numbers, bytes := storeSize(t, r)
	text := setting.Sprintf("{draws}: %d chains of %d draws are %.3g numbers and take about %s",
		c.Chains, c.Draws, numbers, sizeText(bytes))
	advice := setting.Text("fewer {draws}, a larger {thin}, {keep} GLOB, {keep} last=K, " +
		"{reservoir} R or {keep} moments")
	if numbers > maxNumbers {
		return fail(exitUsage, "%s; a store holds at most %.3g; try %s", text, float64(maxNumbers),
			advice)
	}
	if free, ok := system.FreeSpace(existing(dir)); ok && bytes > free &&
		bytes > free+replaced(dir) {
		return fail(exitUsage, "%s; %s are free at %s; try %s", text, sizeText(free), dir, advice)
	}
	return nil
}

// Fits returns an error if bytes is more than the free space on the disk of dir, or more than any
// store may have. what is the subject of the message.
func Fits(dir string, bytes float64, what string) error {
	free, ok := system.FreeSpace(existing(dir))
	if bytes > 8*maxNumbers || ok && bytes > free {
		return fail(exitUsage, "%s take about %s; %s are free at %s", what, sizeText(bytes),
			sizeText(free), dir)
	}
	return nil
}

// replaced returns the size in bytes of the stores of a run that exists in dir.
func replaced(dir string) (bytes float64) {
	for _, store := range []string{drawsName, warmupName} {
		filepath.WalkDir(filepath.Join(dir, store), func(_ string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil // files that cannot be read are not counted
			}
			if info, err := d.Info(); err == nil {
				bytes += float64(info.Size())
			}
			return nil
		})
	}
	return bytes
}

// storeSize returns the number of values in the stores of a run and their size in bytes. It
// computes in floating point, since the settings may be arbitrarily large.
func storeSize(t target.Target, r *Record) (numbers, bytes float64) {
	c := &r.Settings
	var perDraw, arrays float64
	s := &sink{cfg: c, record: r, outputs: kept(t.Outputs(), r.Keep),
		stats: statColumns(c, r.Blocks)}
	for _, v := range s.variables() {
		if arrays++; v.PerChain {
			// Ranks are half as large as a number.
			numbers += float64(float64(v.Len()) * float64(c.Chains) * float64(v.DType.Size()) / 8)
			continue
		}
		perDraw += float64(v.Len())
	}
	draws := []float64{float64(s.length())}
	if c.SaveWarmup {
		draws = append(draws, float64(c.Warmup/c.Thin))
	}
	for _, n := range draws {
		// the coordinate of two groups
		numbers += float64(n * (float64(perDraw*float64(c.Chains)) + 2))
		bytes += float64(fileBytes * arrays * float64(c.Chains))
	}
	return numbers, bytes + float64(8*numbers)
}

// fileBytes is about the least number of bytes that a file takes on a disk.
const fileBytes = 4096

// existing returns dir if it exists, and else its nearest ancestor that exists.
func existing(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return dir
		}
		dir = up
	}
}

func sizeText(bytes float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e18, "EB"}, {1e15, "PB"}, {1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}} {
		if bytes >= u.size {
			return fmt.Sprintf("%.3g %s", bytes/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.3g kB", bytes/1e3)
}
