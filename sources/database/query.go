// Package database reads tables and queries of databases by database/sql.
package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sgppl/sgppl/sources/table"
)

// A Source is a table or a query of a database.
type Source struct {
	Kind    string // sqlite, postgres or mysql
	Address string // a path, or a URL without passwords
	Table   string
	Query   string
	Hidden  map[string]string // parameters that the URL does not have, such as password
}

// connecting is how long a database may take to answer.
const connecting = 30 * time.Second

// Read writes the rows of a source, or, with head, its columns alone. Its errors are
// *table.Failure, except for those of the writer.
func Read(ctx context.Context, s Source, head bool, w *table.Writer) error {
	d := dialects[s.Kind]
	if d == nil {
		return &table.Failure{Message: "databases of " + s.Kind + " are not known"}
	}
	db, err := d.open(s)
	if err != nil {
		return failed("the database cannot be reached", s, err)
	}
	defer db.Close()
	wait, cancel := context.WithTimeout(ctx, connecting)
	defer cancel()
	if err := db.PingContext(wait); err != nil {
		f := failed("the database cannot be reached", s, err)
		if errors.Is(err, context.DeadlineExceeded) {
			f.Message = fmt.Sprintf("the database does not answer within %.0f s", connecting.Seconds())
		}
		if d.denied(err) {
			f.Notes = append(f.Notes, "the password stands in the URL, "+d.password+
				"; it is neither shown nor stored with a run")
		}
		return f
	}
	r := &reader{Source: s, d: d, db: db, ctx: ctx, w: w}
	return r.read(head)
}

// failed is a failure of a database, without passwords.
func failed(what string, s Source, err error) *table.Failure {
	words := strings.Join(strings.Fields(err.Error()), " ")
	for _, word := range s.Hidden {
		if len(word) > 2 {
			words = strings.ReplaceAll(words, word, "***")
		}
	}
	return &table.Failure{Message: what + ": " + words}
}

// A reader reads a source whose database is open.
type reader struct {
	Source
	d   *dialect
	db  *sql.DB
	ctx context.Context
	w   *table.Writer
}

func (r *reader) read(head bool) error {
	query := r.Query
	switch {
	case query == "":
		var err error
		if query, err = r.ofTable(); err != nil {
			return err
		}
	case r.d.shuffles && !ordered.MatchString(query):
		r.w.Note("the query has no order by: the database may give its rows in another order " +
			"next time, and then the same run has other draws")
	}
	tx, err := r.db.BeginTx(r.ctx, &sql.TxOptions{ReadOnly: r.d.readOnly})
	if err != nil {
		return failed("the database refuses to be read", r.Source, err)
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(r.ctx, query)
	if err != nil {
		return r.refused(query, err)
	}
	defer rows.Close()
	return r.copy(rows, query, head)
}

var ordered = regexp.MustCompile(`(?i)\border\s+by\b`)

// ofTable is the query of a table: in the order of its key, where it has one.
func (r *reader) ofTable() (string, error) {
	known, err := r.names(r.d.tables)
	if err != nil {
		return "", err
	}
	name := r.Table
	switch {
	case name == "" && len(known) == 1:
		name = known[0]
	case name == "" && len(known) == 0:
		return "", &table.Failure{Message: "the database has no tables"}
	case name == "":
		return "", &table.Failure{Message: "which table? The database has " +
			strings.Join(known, ", "), Notes: []string{"write " + r.d.form}}
	}
	found := ""
	for _, k := range known {
		if k == name || found == "" && strings.EqualFold(k, name) {
			found = k
		}
	}
	if found == "" {
		return "", &table.Failure{Message: "there is no table " + name, Unknown: name, Known: known}
	}
	var parts []string
	for p := range strings.SplitSeq(found, ".") {
		parts = append(parts, r.d.quoted(p))
	}
	if r.d.whole {
		parts = []string{r.d.quoted(found)}
	}
	query := "select * from " + strings.Join(parts, ".")
	key, err := r.d.key(r, found)
	if err != nil {
		return "", err
	}
	if key == "" && r.d.shuffles {
		r.w.Note(found + " has no primary key: the database may give its rows in another order " +
			"next time, and then the same run has other draws; a query can have an order by")
	}
	if key != "" {
		query += " order by " + key
	}
	return query, nil
}

// names are the texts of the first column of a query.
func (r *reader) names(query string, args ...any) ([]string, error) {
	rows, err := r.db.QueryContext(r.ctx, query, args...)
	if err != nil {
		return nil, failed("the tables of the database cannot be listed", r.Source, err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, failed("the tables of the database cannot be listed", r.Source, err)
		}
		out = append(out, name)
	}
	if err := rows.Err(); err != nil {
		return nil, failed("the tables of the database cannot be listed", r.Source, err)
	}
	return out, nil
}

// copy writes the rows.
func (r *reader) copy(rows *sql.Rows, query string, head bool) error {
	types, err := rows.ColumnTypes()
	if err != nil {
		return r.refused(query, err)
	}
	if len(types) == 0 {
		if err := rows.Err(); err != nil {
			return r.refused(query, err)
		}
		return &table.Failure{Message: "the query gives no columns: a select is expected"}
	}
	names, kinds := make([]string, len(types)), make([]string, len(types))
	for i, t := range types {
		names[i], kinds[i] = t.Name(), strings.ToUpper(t.DatabaseTypeName())
	}
	r.w.Columns(names)
	if head {
		return nil
	}
	values, at := make([]any, len(types)), make([]any, len(types))
	for i := range values {
		at[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(at...); err != nil {
			return r.refused(query, err)
		}
		for i, v := range values {
			add(r.w.Column(i), v, kinds[i])
		}
		if err := r.w.Row(); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return r.refused(query, err)
	}
	return nil
}

// refused is what a database says of a query, with its place.
func (r *reader) refused(query string, err error) error {
	f := failed("the database refuses the query", r.Source, err)
	said := r.d.explain(err)
	if said.message != "" {
		f.Message = "the database refuses the query: " + said.message
	}
	if said.at == 0 && said.word != "" {
		said.at = only(query, said.word)
	}
	if said.at > 0 && r.Query != "" {
		line, column, text := place(query, said.at)
		f.Message = strings.Replace(f.Message, "the query:",
			fmt.Sprintf("the query at line %d, column %d:", line, column), 1)
		f.Notes = append(f.Notes, "there it says: "+text)
	}
	f.Notes = append(f.Notes, said.notes...)
	list := r.d.tables
	if said.column != "" {
		f.Unknown, list = said.column, r.d.columns
	} else if f.Unknown = said.table; f.Unknown == "" {
		return f
	}
	if known, err := r.names(list); err == nil {
		f.Known = known
	}
	return f
}

// place is the line and the column of the n-th character of a text, from 1, and the line.
func place(text string, n int) (line, column int, shown string) {
	chars := []rune(text)
	before := string(chars[:min(n-1, len(chars))])
	line = strings.Count(before, "\n") + 1
	start := strings.LastIndexByte(before, '\n') + 1
	shown, _, _ = strings.Cut(text[start:], "\n")
	return line, utf8.RuneCountInString(before[start:]) + 1, strings.TrimSpace(shown)
}

// only is the place of a word in a text, counted from 1, where it comes once; else 0.
func only(text, word string) int {
	found := regexp.MustCompile(`(?i)(?:^|\W)`+regexp.QuoteMeta(word)+`(?:\W|$)`).
		FindAllStringIndex(text, 2)
	if len(found) != 1 {
		return 0
	}
	at := found[0][0] + strings.Index(strings.ToLower(text[found[0][0]:]), strings.ToLower(word))
	return utf8.RuneCountInString(text[:at]) + 1
}

// add adds an entry, of a column whose type has that name.
func add(c interface {
	Missing()
	Double(float64)
	Int(int64)
	Text(string)
	Refuse(string)
}, v any, kind string) {
	switch v := v.(type) {
	case nil:
		c.Missing()
	case bool:
		if v {
			c.Int(1)
		} else {
			c.Int(0)
		}
	case int64:
		c.Int(v)
	case int32:
		c.Int(int64(v))
	case uint64:
		if v > 1<<63-1 {
			c.Refuse("has whole numbers beyond 2^63; cast it to double")
		} else {
			c.Int(int64(v))
		}
	case float64:
		c.Double(v)
	case float32:
		c.Double(float64(v))
	case time.Time:
		if kind == "DATE" {
			c.Text(v.Format("2006-01-02"))
		} else {
			c.Text(v.UTC().Format("2006-01-02T15:04:05.999999999Z"))
		}
	case string:
		addText(c, v, kind)
	case []byte:
		if strings.Contains(kind, "BLOB") || strings.Contains(kind, "BINARY") ||
			kind == "BYTEA" || kind == "BIT" || kind == "GEOMETRY" || kind == "" {
			c.Refuse("holds bytes, no numbers and no text")
		} else {
			addText(c, string(v), kind)
		}
	default:
		c.Refuse(fmt.Sprintf("holds %s, no numbers and no text", strings.ToLower(kind)))
	}
}

// addText adds a text, which decimals come as: the nearest number, as in csv.
func addText(c interface {
	Double(float64)
	Text(string)
}, s, kind string) {
	if kind == "DECIMAL" || kind == "NUMERIC" {
		if x, err := strconv.ParseFloat(s, 64); err == nil {
			c.Double(x)
			return
		}
	}
	c.Text(s)
}
