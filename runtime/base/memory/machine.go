package memory

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Machine is how much memory the process can have: that of the machine, or less
// where a control group or a limit of the process says so; 0 where neither is
// known.
func Machine() int64 {
	least := int64(math.MaxInt64)
	for _, n := range []int64{physical(), process(), groups("/")} {
		if n > 0 {
			least = min(least, n)
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}

// groups is the least limit of the control groups that the process is in, of
// version 1 and 2; 0 without one. root is where the file systems begin.
func groups(root string) int64 {
	text, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return 0
	}
	least := int64(math.MaxInt64)
	for line := range strings.Lines(string(text)) {
		// number:controllers:path; version 2 has number 0 and no controllers
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		base, file := "sys/fs/cgroup", "memory.max"
		switch {
		case parts[0] == "0" && parts[1] == "":
		case hasWord(parts[1], "memory"):
			base, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		// A limit holds for all groups below. In a container the path may be that of
		// the host, and the group is then the root of what is mounted.
		for dir := filepath.Join("/", parts[2]); ; dir = filepath.Dir(dir) {
			if n := number(filepath.Join(root, base, dir, file)); n > 0 {
				least = min(least, n)
			}
			if dir == "/" || dir == "." {
				break
			}
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}

// hasWord reports whether a list with commas has a word.
func hasWord(list, word string) bool {
	for w := range strings.SplitSeq(list, ",") {
		if w == word {
			return true
		}
	}
	return false
}

// number reads a file with a number of bytes; 0 where there is none, as of "max".
func number(path string) int64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	if err != nil || n > 1<<60 { // version 1 writes a huge number for none
		return 0
	}
	return n
}

// meminfo is the memory of a Linux machine by its file; 0 where it does not say.
func meminfo(path string) int64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		rest, is := strings.CutPrefix(line, "MemTotal:")
		if !is {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest),
			"kB")), 10, 64)
		if err != nil || n < 0 || n > 1<<50 {
			return 0
		}
		return n << 10
	}
	return 0
}
