package disk

import (
	"os"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/system"
)

// Unfinished returns the name that a temporary file of this package was to get and the
// process that made it, 0 where its name does not tell; is says whether the name is
// that of a temporary file.
func Unfinished(name string) (of string, process int, is bool) {
	at := strings.LastIndex(name, TempMark)
	if at <= 0 {
		return "", 0, false
	}
	of, rest := name[:at], name[at+len(TempMark):]
	if rest == "" {
		return of, 0, true // of Begin
	}
	maker, number, cut := strings.Cut(rest, "-")
	process, ok := Number(maker)
	if _, counts := Number(number); !ok || !cut || !counts {
		return "", 0, false
	}
	return of, process, true // of WriteFile or Stream
}

// Number reads digits and nothing else.
func Number(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && strconv.Itoa(n) == text && n >= 0
}

// Ended reports whether no process other than this one has the number. Unfinished files of a
// process that has ended will never be finished.
func Ended(process int) bool { return process == os.Getpid() || !system.Exists(process) }
