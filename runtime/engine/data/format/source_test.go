package format_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
)

// TestSourceOf: specs of databases, with columns behind them, and what is none.
func TestSourceOf(t *testing.T) {
	t.Chdir(t.TempDir())
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"c.db", "a:b.sqlite", "x.csv"} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		text, kind, address, table, query, field string
	}{
		{"sqlite:c.db", "sqlite", "c.db", "", "", ""},
		{"sqlite:c.db:t", "sqlite", "c.db", "t", "", ""},
		{"sqlite:c.db:t:age,x*", "sqlite", "c.db", "t", "", "age,x*"},
		{"sqlite:a:b.sqlite:t", "sqlite", "a:b.sqlite", "t", "", ""},
		{"sqlite:none.db:t", "sqlite", "none.db", "t", "", ""},
		{"sqlite:c.db?table=t", "sqlite", "c.db", "t", "", ""},
		{"c.db:t:age", "sqlite", "c.db", "t", "", "age"},
		{"c.db?query=select '12:30'", "sqlite", "c.db", "", "select '12:30'", ""},
		{"sqlite:c.db?query=select a & b from t where x = '?';:a", "sqlite", "c.db", "",
			"select a & b from t where x = '?'", "a"},
		{"sqlite:c.db?query=@q.sql", "sqlite", "c.db", "", "@q.sql", ""},
		{`sqlite:C:\d\c.db:t`, "sqlite", `C:\d\c.db`, "t", "", ""},
		{"postgres://a@h:5432/d?sslmode=disable&query=select x::int from t", "postgres",
			"postgres://a@h:5432/d?sslmode=disable", "", "select x::int from t", ""},
		{"postgresql://h/d?table=s.t:x", "postgres", "postgresql://h/d", "s.t", "", "x"},
		{"mariadb://h/d?query=select 1", "mysql", "mariadb://h/d", "", "select 1", ""},
	} {
		s, field, is := format.SourceOf(c.text)
		want := format.Source{Kind: c.kind, Address: c.address, Table: c.table, Query: c.query}
		if !is || s != want || field != c.field {
			t.Errorf("%s: %+v, %q, %v", c.text, s, field, is)
		}
		again, _, _ := format.SourceOf(s.Spec())
		if again != s {
			t.Errorf("%s: %s is %+v", c.text, s.Spec(), again)
		}
	}
	for _, text := range []string{"c.db", "x.csv", "x.csv:t", "none.db:t", "x:y",
		"http://h/x.csv", ""} {
		if s, _, is := format.SourceOf(text); is {
			t.Errorf("%s is %+v", text, s)
		}
	}
	for text, want := range map[string]string{
		"sqlite:c.db:t":            "sqlite:" + filepath.Join(dir, "c.db") + ":t",
		"c.db:t":                   "sqlite:" + filepath.Join(dir, "c.db") + ":t",
		"postgres://h/d?table=t":   "postgres://h/d?table=t",
		"mysql://h/d?query=@q.sql": "mysql://h/d?query=@" + filepath.Join(dir, "q.sql"),
		"x.csv":                    filepath.Join(dir, "x.csv"),
	} {
		if got := format.AbsolutePath(text); got != want {
			t.Errorf("%s is %s, expected %s", text, got, want)
		}
	}
}
