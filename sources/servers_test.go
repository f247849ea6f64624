//go:build unix

package sources_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
)

const secret = "s3cret/@pass"

// as is a command that runs as a user where the test runs as root, since servers refuse that.
func as(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Dir = os.TempDir()
	if os.Getuid() == 0 {
		u, err := user.Lookup(name)
		if err != nil {
			t.Skipf("there is no user %s, and a server does not run as root", name)
		}
		uid, _ := strconv.ParseUint(u.Uid, 10, 32)
		gid, _ := strconv.ParseUint(u.Gid, 10, 32)
		c.SysProcAttr = &syscall.SysProcAttr{
			Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	return c
}

// home is a directory for the data of a server.
func home(t *testing.T, name string) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "sgppl-db")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if os.Getuid() == 0 {
		u, err := user.Lookup(name)
		if err != nil {
			t.Skipf("there is no user %s, and a server does not run as root", name)
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// serve runs a server until the test ends, and waits until its database answers.
func serve(t *testing.T, c *exec.Cmd, db *sql.DB) {
	t.Helper()
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		db.Close()
		c.Process.Signal(syscall.SIGTERM)
		c.Wait()
	})
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		err := db.Ping()
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the server does not answer: %v\n%s", err, said.String())
		}
	}
}

// asks holds a database against a.csv: same draws of a table and of a query, mistakes with
// their places, and no password in any message or file. pass names the variable that may have
// the password.
func asks(t *testing.T, dir, open, closed, pass string) {
	t.Helper()
	want := draws(t, dir, "--data", "a.csv", "--na", "drop")
	for _, what := range []string{"table=policies",
		"query=select region, day, age, loss from policies order by id"} {
		if got := draws(t, dir, "--data", open+what, "--na", "drop"); !bytes.Equal(got, want) {
			t.Errorf("%s: other draws than of a.csv", what)
		}
	}
	for what, say := range map[string][]string{
		"table=polices": {"there is no table polices", "did you mean policies?"},
		"query=select loss,\n agee from policies": {"line 2, column 2", "did you mean age?"},
		"query=select 1 from polices":             {"polices", "did you mean policies?"},
		"query=delete from policies":              {"the database refuses the query"},
	} {
		said, err := sgppl(t, dir, append([]string{"sample", "m.sg", "--data", open + what}, runs...)...)
		if err == nil {
			t.Errorf("%s: no error", what)
		}
		for _, w := range say {
			if !strings.Contains(strings.ReplaceAll(said, "Perhaps you meant to reference the "+
				`column "policies.age".`, "did you mean age?"), w) {
				t.Errorf("%s: no %q in\n%s", what, w, said)
			}
		}
		if strings.Contains(said, secret) {
			t.Errorf("the password is shown:\n%s", said)
		}
	}
	out := filepath.Join(dir, "run")
	said, err := sgppl(t, dir, append([]string{"sample", "m.sg", "--out", out, "--na", "drop",
		"--data", open + "query=select * from policies where loss > -99"}, runs...)...)
	if err != nil || !strings.Contains(said, "has no order by") || strings.Contains(said, "s3cret") {
		t.Errorf("%v\n%s", err, said)
	}
	filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if b, _ := os.ReadFile(path); bytes.Contains(b, []byte("s3cret")) {
			t.Errorf("the password is in %s", path)
		}
		return err
	})
	said, err = sgppl(t, dir, "sample", "--resume", out, "--more-draws", "5")
	if err == nil || !strings.Contains(said, "the password stands in the URL") {
		t.Errorf("without a password: %v\n%s", err, said)
	}
	t.Setenv(pass, secret)
	if said, err := sgppl(t, dir, "sample", "--resume", out, "--more-draws", "5"); err != nil {
		t.Errorf("with %s: %v\n%s", pass, err, said)
	}
	t.Setenv(pass, "other")
	said, err = sgppl(t, dir, append([]string{"sample", "m.sg", "--data", closed + "table=policies"},
		runs...)...)
	if err == nil || !strings.Contains(said, "the password stands in the URL") {
		t.Errorf("with a wrong password: %v\n%s", err, said)
	}
}

// TestPostgres: a real server, where one is installed.
func TestPostgres(t *testing.T) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) == 0 {
		t.Skip("PostgreSQL is not installed")
	}
	bin := filepath.Dir(found[len(found)-1])
	data, port := home(t, "postgres"), freePort(t)
	word := filepath.Join(data, "word")
	if err := os.WriteFile(word, []byte(secret), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := as(t, "postgres", filepath.Join(bin, "initdb"), "-D", data+"/db", "-U", "anna",
		"-A", "scram-sha-256", "--pwfile="+word, "--no-sync").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	db, err := sql.Open("pgx", fmt.Sprintf("host=127.0.0.1 port=%d user=anna "+
		"password='%s' dbname=postgres", port, secret))
	if err != nil {
		t.Fatal(err)
	}
	serve(t, as(t, "postgres", filepath.Join(bin, "postgres"), "-D", data+"/db", "-p",
		fmt.Sprint(port), "-k", data, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"), db)
	dir := prepare(t)
	fill(t, db, policies(), "create table policies(id integer primary key, region text, "+
		"age double precision, loss numeric, day date)", "$1, $2, $3, $4, $5")
	at := fmt.Sprintf("127.0.0.1:%d/postgres?", port)
	asks(t, dir, "postgres://anna:"+secret+"@"+at, "postgres://anna@"+at, "PGPASSWORD")
}

// TestMySQL: a real MariaDB, where one is installed.
func TestMySQL(t *testing.T) {
	server, err := exec.LookPath("mariadbd")
	if err != nil {
		if server = "/usr/sbin/mariadbd"; !exists(server) {
			t.Skip("MariaDB is not installed")
		}
	}
	data, port := home(t, "mysql"), freePort(t)
	if out, err := as(t, "mysql", "mariadb-install-db", "--datadir="+data+"/db",
		"--auth-root-authentication-method=normal", "--skip-test-db").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	socket := data + "/socket"
	c := mysql.NewConfig()
	c.User, c.Net, c.Addr, c.MultiStatements = "root", "unix", socket, true
	connector, err := mysql.NewConnector(c)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	serve(t, as(t, "mysql", server, "--no-defaults", "--datadir="+data+"/db", "--socket="+socket,
		fmt.Sprintf("--port=%d", port), "--bind-address=127.0.0.1"), db)
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("create database claims; use claims; create user anna@localhost " +
		"identified by '" + secret + "'; grant all on claims.* to anna@localhost; " +
		"create user anna@'127.0.0.1' identified by '" + secret +
		"'; grant all on claims.* to anna@'127.0.0.1'"); err != nil {
		t.Fatal(err)
	}
	dir := prepare(t)
	fill(t, db, policies(), "create table policies(id integer primary key, region varchar(20), "+
		"age double, loss decimal(40, 20), day date)", "?, ?, ?, ?, ?")
	at := fmt.Sprintf("127.0.0.1:%d/claims?", port)
	asks(t, dir, "mysql://anna:"+secret+"@"+at, "mysql://anna@"+at, "MYSQL_PWD")
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
