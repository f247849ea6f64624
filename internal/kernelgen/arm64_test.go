package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// encoded is an instruction that is written by its encoding, with its text.
var encoded = regexp.MustCompile(`(?m)^\tWORD \$(0x[0-9a-f]{8}) // (.+)$`)

// TestEncodings: the words of the assembly for arm64 are what GNU's assembler makes of the
// texts next to them.
func TestEncodings(t *testing.T) {
	as, err := exec.LookPath("aarch64-linux-gnu-as")
	if err != nil {
		t.Skip("aarch64-linux-gnu-as is not installed (Debian: binutils-aarch64-linux-gnu)")
	}
	t.Chdir("../..")
	words := map[string]string{}
	for path, text := range files() {
		if !strings.HasSuffix(path, "_arm64.s") {
			continue
		}
		for _, m := range encoded.FindAllSubmatch(text, -1) {
			words[string(m[2])] = string(m[1])
		}
		if n := bytes.Count(text, []byte("WORD ")); n != len(encoded.FindAll(text, -1)) {
			t.Errorf("%s: a word without its text", path)
		}
	}
	if len(words) < 100 {
		t.Fatalf("only %d encodings", len(words))
	}
	var source strings.Builder
	var texts []string
	for text := range words {
		texts = append(texts, text)
		source.WriteString(text + "\n")
	}
	dir := t.TempDir()
	in, object, out := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o"), filepath.Join(dir, "a")
	if err := os.WriteFile(in, []byte(source.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][]string{{as, "-o", object, in},
		{"aarch64-linux-gnu-objcopy", "-O", "binary", "-j", ".text", object, out}} {
		if text, err := exec.Command(c[0], c[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", c, err, text)
		}
	}
	code, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if len(code) != 4*len(texts) {
		t.Fatalf("%d bytes of code for %d instructions", len(code), len(texts))
	}
	for i, text := range texts {
		b := code[4*i:]
		want := fmt.Sprintf("0x%02x%02x%02x%02x", b[3], b[2], b[1], b[0])
		if words[text] != want {
			t.Errorf("%s is written as %s, and is %s", text, words[text], want)
		}
	}
}

// What has no form for arm64 is an error of this command that says so, not other code.
func TestNEONRefuses(t *testing.T) {
	for _, c := range [][2]string{
		{"VPSHUFB Y0, Y1, Y2", "no form for NEON"},
		{"BSWAPQ AX", "no form for arm64"},
		{"IMULQ AX, CX\n\tJNE end", "sets no flags"},
		{"VCMPPD $3, Y0, Y1, Y2", "only a register with itself"},
		{"VCMPPD $7, Y0, Y1, Y2", "no such predicate"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, c[1]) {
					t.Errorf("%q: %s", c[0], got)
				}
			}()
			toNEON("TEXT ·f(SB), NOSPLIT, $0-0\n\t" + c[0] + "\n\tRET\n")
		}()
	}
}
