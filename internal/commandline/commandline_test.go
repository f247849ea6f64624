package commandline_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/commandline"
)

// On is the value of a switch that reads itself.
type On struct {
	Given bool
	Text  string
}

func (o *On) Decode(text string, given bool) error {
	if text == "wrong" {
		return fmt.Errorf("no %s", text)
	}
	o.Given, o.Text = true, text
	return nil
}

type shared struct {
	Level int `default:"${level}" help:"How much (default ${default})." group:"More"`
}

type paint struct {
	Model string   `arg:"" help:"What is painted."`
	More  []string `arg:"" optional:"" name:"extra"`
	Data  []string `sep:"none" placeholder:"SPEC" help:"Data."`
	Codes []string `help:"Codes."`
	Set   map[string]float64
	Wide  *int          `placeholder:"W"`
	Time  time.Duration `help:"Costs $$3."`
	Kind  string        `default:"auto" enum:"auto,native" help:"Kinds."`
	Force bool          `short:"f" xor:"to"`
	Dry   bool          `short:"d" xor:"to"`
	Out   string        `required:"" short:"o" aliases:"output"`
	Rate  float64       `aliases:"speed"`
	Page  On
	Seed  uint64
	State *struct{} `flag:"-"`
	shared
}

func (*paint) Help() string { return "Paints.\n\n  paint m --out x" }

type pass struct {
	Args []string `arg:"" optional:"" passthrough:""`
}

type program struct {
	Paint paint `cmd:"" help:"Paint a model."`
	Pass  pass  `cmd:""`

	MaxMemory string `placeholder:"SIZE" help:"Memory."`
	Version   bool
	Config    string
}

func read(t *testing.T, line string, files ...commandline.Resolver) (
	cli program, said string, err error,
) {
	t.Helper()
	var out strings.Builder
	p := &commandline.Program{Name: "prog", About: "Paints.", Globals: &cli, Out: &out, Width: 60,
		Vars: commandline.Vars{"level": "3"}, Exit: func(int) { panic("left") }}
	p.At = map[string]func(*commandline.Context, *commandline.Flag) error{
		"version": func(*commandline.Context, *commandline.Flag) error { panic("left") },
		"config": func(ctx *commandline.Context, f *commandline.Flag) error {
			if ctx.Text(f) != "file" {
				return fmt.Errorf("no file %s", ctx.Text(f))
			}
			for _, r := range files {
				ctx.AddResolver(r)
			}
			return nil
		},
	}
	p.Make()
	defer func() {
		said = out.String()
		if r := recover(); r != nil && r != "left" {
			panic(r)
		}
	}()
	_, err = p.Parse(strings.Fields(line))
	return cli, "", err
}

// TestValues: every form of a flag and of an argument has its value.
func TestValues(t *testing.T) {
	wide := 7
	for line, want := range map[string]paint{
		"paint m --out x": {Model: "m", Out: "x"},
		"paint m a b -ox --data 1,2 --data=3 --codes a,b --codes c": {Model: "m", Out: "x",
			More: []string{"a", "b"}, Data: []string{"1,2", "3"}, Codes: []string{"a", "b", "c"}},
		`paint m -o x --codes a\,b,c`: {Model: "m", Out: "x", Codes: []string{"a,b", "c"}},
		"paint --output - -f m":       {Model: "m", Out: "-", Force: true},
		"paint m -fo x --set a=1;b=2 --set c=-3": {Model: "m", Out: "x", Force: true,
			Set: map[string]float64{"a": 1, "b": 2, "c": -3}},
		"paint m -o x --wide 7 --time 2m --rate=-1.5 --seed 0x10": {Model: "m", Out: "x", Wide: &wide,
			Time: 2 * time.Minute, Rate: -1.5, Seed: 16},
		"paint m -o x --dry=no --kind native --page": {Model: "m", Out: "x", Kind: "native",
			Page: On{Given: true}},
		"paint m -o x --page=8 --speed 2 --speed 3": {Model: "m", Out: "x", Page: On{true, "8"}, Rate: 3},
		"paint -o x -- m --wide":                    {Model: "m", Out: "x", More: []string{"--wide"}},
	} {
		got, _, err := read(t, line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
		}
		want.Level = 3
		if want.Kind == "" {
			want.Kind = "auto"
		}
		if !reflect.DeepEqual(got.Paint, want) {
			t.Errorf("%s\ngot  %+v\nwant %+v", line, got.Paint, want)
		}
	}
	got, _, err := read(t, "pass --what -x y --max-memory 3")
	if want := []string{"--what", "-x", "y", "--max-memory", "3"}; err != nil ||
		!reflect.DeepEqual(got.Pass.Args, want) {
		t.Errorf("passed on %q, %v; want %q", got.Pass.Args, err, want)
	}
}

// TestErrors: what is wrong is said with the flag, and with what was probably meant.
func TestErrors(t *testing.T) {
	for line, want := range map[string]string{
		"":                              `expected one of "paint", "pass"`,
		"pain":                          `unexpected argument pain, did you mean one of "paint", "pass"?`,
		"pas":                           `unexpected argument pas, did you mean "pass"?`,
		"quite":                         "unexpected argument quite",
		"paint":                         "missing flags: --out=STRING",
		"paint -o x":                    `expected "<model>"`,
		"paint m -o x --widf 3":         `unknown flag --widf, did you mean "--wide"?`,
		"paint m -o x --s 3":            `unknown flag --s, did you mean one of "-h", "--set", "-f", "-d", "-o", "--speed", "--seed"?`,
		"paint m -o x -z":               `unknown flag -z, did you mean one of "-h", "-f", "-d", "-o"?`,
		"paint m -o":                    `--out: expected string value but got "EOL" (<EOL>)`,
		"paint m -o x --data":           `--data: missing value, expecting "<arg>"`,
		"paint m -o x --codes":          `--codes: missing value, expecting "<arg>,..."`,
		"paint m -o x --set":            `--set: missing value, expecting "<key>=<value>;..."`,
		"paint m -o x --set a":          `--set: expected "<key>=<value>" but got "a"`,
		"paint m -o x --set a=b":        `--set: invalid map value "b"`,
		"paint m -o x --wide --data 3":  `--wide: expected int value but got "--data" (long flag); perhaps try --wide="--data"?`,
		"paint m -o x --wide 1.5":       `--wide: expected a valid 64 bit int but got "1.5"`,
		"paint m -o x --seed -1":        `--seed: expected uint value but got "-1" (short flag); perhaps try --seed="-1"?`,
		"paint m -o x --rate x":         `--rate: expected a float but got "x" (string)`,
		"paint m -o x --time 3":         `--time: expected duration but got "3": time: missing unit in duration "3"`,
		"paint m -o x --dry=x":          `--dry: bool value must be true, 1, yes, false, 0 or no but got "x"`,
		"paint m -o x --kind gpu":       `--kind must be one of "auto","native" but got "gpu"`,
		"paint m -o x -fd":              "--force and --dry can't be used together",
		"paint m -o x --page=wrong":     "--page: no wrong",
		"paint m -o x --config nowhere": "no file nowhere",
	} {
		if _, _, err := read(t, line); err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", line, err, want)
		}
	}
}

// A file has texts for flags.
type file map[string][]string

func (f file) Check(*commandline.Node) error {
	if f["bad"] != nil {
		return fmt.Errorf("bad file")
	}
	return nil
}

func (f file) Resolve(_ *commandline.Context, flag *commandline.Flag) ([]string, bool, error) {
	if flag.Name == "kind" && f["kind"] != nil && f["kind"][0] == "x" {
		return nil, false, fmt.Errorf("no x")
	}
	return f[flag.Name], f[flag.Name] != nil, nil
}

// TestFiles: files have what the command line does not, later ones before earlier ones.
func TestFiles(t *testing.T) {
	got, _, err := read(t, "paint m --config file --rate 2", file{"out": {"a"}, "rate": {"9"},
		"codes": {"x,y", "z"}}, file{"out": {"b"}})
	want := paint{Model: "m", Out: "b", Rate: 2, Codes: []string{"x,y", "z"}, Kind: "auto",
		shared: shared{3}}
	if err != nil || !reflect.DeepEqual(got.Paint, want) {
		t.Errorf("%v, got %+v", err, got.Paint)
	}
	for _, c := range []struct {
		file file
		want string
	}{
		{file{"rate": {"x"}}, `--rate: expected a float but got "x" (string)`},
		{file{"kind": {"x"}}, "--kind: no x"},
		{file{"kind": {"y"}}, `--kind must be one of "auto","native" but got "y"`},
		{file{"bad": {""}}, "bad file"},
	} {
		if _, _, err := read(t, "paint m -o x --config file", c.file); err == nil ||
			err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestHelp: help has every command, argument and flag, in columns that fit the width.
func TestHelp(t *testing.T) {
	_, got, _ := read(t, "paint --help")
	want := "Usage: prog paint --out=STRING <model> [<extra> ...] [flags]\n\nPaint a model.\n\n" +
		"Paints.\n\n    paint m --out x\n\nArguments:\n  <model>          What is painted.\n" +
		"  [<extra> ...]\n\nFlags:\n  -h, --help                 Show context-sensitive help.\n"
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s", got)
	}
	for _, part := range []string{"-o, --out=STRING", "      --codes=CODES,...", "--set=KEY=VALUE;...",
		`--kind="auto"`, "Costs $3.", "More\n  --level=3    How much (default 3).\n", "--page\n"} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
	for line := range strings.Lines(got) {
		if len(line) > 61 {
			t.Errorf("longer than 60: %q", line)
		}
	}
	_, got, _ = read(t, "-h")
	if !strings.Contains(got, "Usage: prog <command> [flags]\n\nPaints.\n\nCommands:\n  paint") ||
		!strings.Contains(got, `Run "prog <command> --help"`) {
		t.Errorf("got\n%s", got)
	}
}
