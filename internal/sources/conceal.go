package sources

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
)

// A wallet has the passwords of URLs, by the URL without them. Nothing else of the program
// knows them, so that none can come into a message, a run or a report.
type wallet struct {
	lock sync.Mutex
	by   map[string]secrets
}

// secrets are parameters of a URL that are not shown, by their names.
type secrets map[string]string

// secretNames are those parameters; password may also stand before the host.
var secretNames = []string{"password", "sslpassword"}

// passwords are those of the command lines of this process.
var passwords = &wallet{by: map[string]secrets{}}

func (w *wallet) of(address string) secrets {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.by[address]
}

func (w *wallet) keep(address string, words secrets) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.by[address] = words
}

// Conceal takes passwords out of the URLs of databases in arguments or settings, and keeps
// them for the program that reads the databases.
func Conceal(args []string) []string {
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = ConcealOne(arg)
	}
	return out
}

// schemes finds where the URL of a database begins.
var schemes = regexp.MustCompile(`\b(?:postgres|postgresql|mysql|mariadb)://`)

// ConcealOne is Conceal of one text.
func ConcealOne(text string) string {
	at := schemes.FindStringIndex(text)
	if at == nil {
		return text
	}
	head, rest := text[:at[1]], text[at[1]:]
	address, query := rest, ""
	for _, key := range []string{"?query=", "&query=", "?table=", "&table="} {
		if k := strings.Index(address, key); k >= 0 {
			address, query = rest[:k], rest[k:]
		}
	}
	words := secrets{}
	path, params := address, ""
	if k := strings.IndexByte(address, '?'); k > strings.LastIndexByte(address, '@') {
		path, params = address[:k], address[k+1:]
	}
	if k := strings.LastIndexByte(path, '@'); k >= 0 {
		if user, word, is := strings.Cut(path[:k], ":"); is {
			words["password"], path = plain(word), user+path[k:]
		}
	}
	var kept []string
	for p := range strings.SplitSeq(params, "&") {
		name, word, _ := strings.Cut(p, "=")
		if slices.Contains(secretNames, name) {
			words[name] = plain(word)
		} else if p != "" {
			kept = append(kept, p)
		}
	}
	if len(words) == 0 {
		return text
	}
	if len(kept) > 0 {
		path += "?" + strings.Join(kept, "&")
	}
	if query != "" && len(kept) == 0 {
		query = "?" + query[1:]
	}
	out := head + path + query
	if s, _, is := format.SourceOf(out[at[0]:]); is {
		passwords.keep(s.Address, words)
	}
	return out
}

// plain undoes the escapes of a URL.
func plain(word string) string {
	if text, err := url.PathUnescape(word); err == nil {
		return text
	}
	return word
}
