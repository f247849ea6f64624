package formula

import (
	"fmt"
	"strings"

	engine "github.com/sgppl/sgppl/runtime/engine/data"
)

// Fit is the command that fits the model to a file of data. path is the file of the model; "" is
// one that has yet to be written. na is that of the command.
func (m *Model) Fit(data, path, na string) string {
	if path == "" {
		path = "model.sg"
	}
	fit := fmt.Sprintf("sgppl sample %s --data %s", quoteArg(path), quoteArg(data))
	for _, b := range m.Bind {
		fit += " --data " + quoteArg(b[0]+"="+data+":"+b[1])
	}
	if na != "" {
		fit += " --na " + quoteArg(na)
	}
	for _, l := range m.Levels {
		fit += " --levels " + quoteArg(l.Dim+"="+engine.LevelList(l.Words))
	}
	return fit
}

// quoteArg quotes an argument for a shell, where it needs quotes.
func quoteArg(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("_-./:=,+@", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
