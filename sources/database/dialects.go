package database

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the driver
)

// A dialect is what differs between databases.
type dialect struct {
	open     func(s Source) (*sql.DB, error)
	tables   string // lists them
	columns  string // lists those of all tables
	key      func(r *reader, table string) (string, error)
	quoted   func(name string) string
	whole    bool // names have no schema before a dot
	shuffles bool // rows without an order may come in another one
	readOnly bool // transactions can be
	explain  func(err error) said
	denied   func(err error) bool // a user or a password is wrong
	form     string               // how a table is named
	password string               // where it may stand besides
}

// said is what an error of a database says.
type said struct {
	message string
	notes   []string
	at      int    // the character of the query, from 1; 0 where it is not said
	word    string // of the query, that it is about
	table   string // that is not there
	column  string
}

var dialects = map[string]*dialect{
	"sqlite": {
		open: openSQLite,
		tables: "select name from sqlite_master where type in ('table', 'view') " +
			"and name not like 'sqlite_%' order by name",
		columns: "select distinct c.name from sqlite_master t, pragma_table_info(t.name) c " +
			"where t.type in ('table', 'view') order by c.name",
		key: keyOfSQLite, quoted: doubleQuoted, whole: true, explain: explainSQLite,
		denied: func(error) bool { return false }, form: "sqlite:FILE:TABLE",
	},
	"postgres": {
		open: openPostgres,
		tables: "select case when table_schema = current_schema() then table_name " +
			"else table_schema || '.' || table_name end from information_schema.tables " +
			"where table_schema not in ('pg_catalog', 'information_schema') order by 1",
		columns: "select distinct column_name::text from information_schema.columns " +
			"where table_schema not in ('pg_catalog', 'information_schema') order by 1",
		key: keyOfPostgres, quoted: doubleQuoted, shuffles: true, readOnly: true,
		explain: explainPostgres, denied: deniedPostgres, form: "postgres://…?table=NAME",
		password: "in PGPASSWORD or in ~/.pgpass",
	},
	"mysql": {
		open: openMySQL,
		tables: "select table_name from information_schema.tables " +
			"where table_schema = database() order by 1",
		columns: "select distinct column_name from information_schema.columns " +
			"where table_schema = database() order by 1",
		key: keyOfMySQL, shuffles: true, readOnly: true, explain: explainMySQL,
		quoted: func(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" },
		denied: func(err error) bool {
			var e *mysql.MySQLError
			return errors.As(err, &e) && e.Number == 1045
		},
		form: "mysql://…?table=NAME", password: "or in MYSQL_PWD",
	},
}

func doubleQuoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func openSQLite(s Source) (*sql.DB, error) {
	path := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(s.Address)
	return sql.Open("sqlite",
		"file:"+path+"?mode=ro&_pragma=query_only(1)&_pragma=busy_timeout(10000)")
}

// keyOfSQLite is the key of a table, or the numbers of its rows.
func keyOfSQLite(r *reader, table string) (string, error) {
	key, err := r.names("select name from pragma_table_info(?) where pk > 0 order by pk", table)
	if err != nil || len(key) > 0 {
		return r.list(key), err
	}
	tables, err := r.names("select name from sqlite_master where type = 'table' and name = ?", table)
	if err != nil || len(tables) == 0 {
		return "", err // a view
	}
	return "rowid", nil
}

// list quotes names, with commas between them.
func (r *reader) list(names []string) string {
	var out []string
	for _, name := range names {
		out = append(out, r.d.quoted(name))
	}
	return strings.Join(out, ", ")
}

var sqliteSays = regexp.MustCompile(`^(?:SQL logic error: )?(.*?)(?: \(\d+\))?$`)

func explainSQLite(err error) said {
	text := sqliteSays.FindStringSubmatch(err.Error())[1]
	s := said{message: text}
	switch {
	case strings.HasPrefix(text, "no such table: "):
		s.table = strings.TrimPrefix(text, "no such table: ")
		s.word = s.table
	case strings.HasPrefix(text, "no such column: "):
		s.word = strings.TrimPrefix(text, "no such column: ")
		s.column = s.word[strings.LastIndexByte(s.word, '.')+1:]
	case strings.HasPrefix(text, `near "`):
		s.word, _, _ = strings.Cut(strings.TrimPrefix(text, `near "`), `"`)
	case strings.Contains(text, "attempt to write a readonly"):
		s.notes = []string{"the database is opened for reading alone"}
	}
	return s
}

func openPostgres(s Source) (*sql.DB, error) {
	address := s.Address
	if word, is := s.Hidden["sslpassword"]; is {
		sign := "?"
		if strings.Contains(address, "?") {
			sign = "&"
		}
		address += sign + "sslpassword=" + url.QueryEscape(word)
	}
	c, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	if word, is := s.Hidden["password"]; is {
		c.Password = word
	}
	c.RuntimeParams["default_transaction_read_only"] = "on"
	if c.RuntimeParams["application_name"] == "" {
		c.RuntimeParams["application_name"] = "sgppl"
	}
	return stdlib.OpenDB(*c), nil
}

func keyOfPostgres(r *reader, table string) (string, error) {
	key, err := r.names(`select a.attname::text from pg_index i
		join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
		where i.indrelid = $1::regclass and i.indisprimary
		order by array_position(i.indkey::int[], a.attnum::int)`, r.regclass(table))
	return r.list(key), err
}

// regclass is a name as PostgreSQL reads it.
func (r *reader) regclass(table string) string {
	var parts []string
	for p := range strings.SplitSeq(table, ".") {
		parts = append(parts, r.d.quoted(p))
	}
	return strings.Join(parts, ".")
}

var (
	pgRelation = regexp.MustCompile(`relation "([^"]+)" does not exist`)
	pgColumn   = regexp.MustCompile(`column "?([^" ]+)"? does not exist`)
)

func explainPostgres(err error) said {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return said{}
	}
	s := said{message: fmt.Sprintf("%s (SQLSTATE %s)", e.Message, e.Code), at: int(e.Position)}
	for _, note := range []string{e.Detail, e.Hint} {
		if note != "" {
			s.notes = append(s.notes, note)
		}
	}
	if m := pgRelation.FindStringSubmatch(e.Message); m != nil {
		s.table = m[1]
	} else if m := pgColumn.FindStringSubmatch(e.Message); m != nil && e.Hint == "" {
		s.column = m[1][strings.LastIndexByte(m[1], '.')+1:]
	}
	return s
}

func deniedPostgres(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && strings.HasPrefix(e.Code, "28") ||
		strings.Contains(err.Error(), "password")
}

func openMySQL(s Source) (*sql.DB, error) {
	u, err := url.Parse(s.Address)
	if err != nil {
		return nil, err
	}
	c := mysql.NewConfig()
	c.User, c.Net, c.Addr = u.User.Username(), "tcp", u.Host
	if u.Port() == "" {
		c.Addr = u.Hostname() + ":3306"
	}
	c.DBName = strings.TrimPrefix(u.Path, "/")
	c.Passwd = os.Getenv("MYSQL_PWD")
	if word, is := s.Hidden["password"]; is {
		c.Passwd = word
	}
	for name, values := range u.Query() {
		switch value := values[0]; name {
		case "tls":
			c.TLSConfig = value
		case "socket":
			c.Net, c.Addr = "unix", value
		default:
			return nil, fmt.Errorf("the parameter %s is not known: there are tls and socket", name)
		}
	}
	c.ParseTime, c.Timeout = true, connecting
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

func keyOfMySQL(r *reader, table string) (string, error) {
	key, err := r.names("select column_name from information_schema.key_column_usage "+
		"where table_schema = database() and table_name = ? and constraint_name = 'PRIMARY' "+
		"order by ordinal_position", table)
	return r.list(key), err
}

var (
	mysqlQuoted = regexp.MustCompile(`'([^']+)'`)
	mysqlNear   = regexp.MustCompile(`near '([^'\s]+)`)
)

func explainMySQL(err error) said {
	var e *mysql.MySQLError
	if !errors.As(err, &e) {
		return said{}
	}
	s := said{message: fmt.Sprintf("%s (error %d)", e.Message, e.Number)}
	if m := mysqlQuoted.FindStringSubmatch(e.Message); m != nil {
		last := m[1][strings.LastIndexByte(m[1], '.')+1:]
		switch e.Number {
		case 1146:
			s.table, s.word = last, last
		case 1054:
			s.column, s.word = last, last
		}
	}
	if m := mysqlNear.FindStringSubmatch(e.Message); m != nil && e.Number == 1064 {
		s.word = m[1]
	}
	return s
}
