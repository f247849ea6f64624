package format_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data/format"
)

func TestReaders(t *testing.T) {
	for _, c := range []struct {
		file, text string
		want       string // "field: value" each
	}{
		{"a.json", `{"a": 1, "b": [1, 2.5], "c": [[1, 2], [3, 4], [5, 6]]}`,
			"a: [] [1]\nb: [2] [1 2.5]\nc: [3 2] [1 2 3 4 5 6]"},
		{"words.json", `{"a": ["NaN", "Inf", "-inf", "+Infinity", NaN, -Infinity, null, true, false]}`,
			"a: [9] [NaN +Inf -Inf +Inf NaN -Inf NaN 1 0]"},
		{"empty.json", `{"a": [], "b": [[], []], "c": [[]]}`,
			"a: [0] []\nb: [2 0] []\nc: [1 0] []"},
		{"none.json", ` { } `, ""},
		{"key.json", "\xef\xbb\xbf{\"\\u00e9\\\"\": 9007199254740991}",
			"é\": [] [9.007199254740991e+15]"},
		{"list.json", `[[1, 2], [3, 4]]`, ": [2 2] [1 2 3 4]"},
		{"a.csv", "a,b\n1,2\n3,4\n", "a: [2] [1 3]\nb: [2] [2 4]"},
		{"crlf.csv", "\xef\xbb\xbfa,b\r\n1,2\r\n3,4", "a: [2] [1 3]\nb: [2] [2 4]"},
		{"missing.csv", "a,b\n,NA\n-inf, 2 \nTRUE,false\n",
			"a: [3] [NaN -Inf 1]\nb: [3] [NaN 2 0]"},
		{"one.csv", "a\n1\n\n3\n", "a: [3] [1 NaN 3]"},
		{"quoted.csv", "\"a\",\"w[0,0]\",\"w[0,1]\"\n\"1\",2,\"3\"\n4,5,6\n",
			"a: [2] [1 4]\nw: [2 1 2] [2 3 5 6]"},
		{"vector.csv", "x[1],y,x[0]\n1,2,3\n4,5,6\n", "x: [2 2] [3 1 6 4]\ny: [2] [2 5]"},
		{"matrix.csv", "m.0.0,m.0.1,m.1.0,m.1.1\n1,2,3,4\n", "m: [1 2 2] [1 2 3 4]"},
		{"from1.csv", "x.1,x.2\n1,2\n", "x: [1 2] [1 2]"},
		{"gap.csv", "x.0,x.2\n1,2\n", "x.0: [1] [1]\nx.2: [1] [2]"},
		{"pandas.csv", "x,x.1\n1,2\n", "x: [1] [1]\nx.1: [1] [2]"},
		{"header.csv", "a,b\n", "a: [0] []\nb: [0] []"},
		{"a.jsonl", "{\"a\": 1, \"b\": [1, 2.5]}\n\n" +
			"{\"c\": \"NaN\", \"b\": [3, null], \"a\": true}\n{}\r\n",
			"a: [3] [1 1 NaN]\nb: [3 2] [1 2.5 3 NaN NaN NaN]\nc: [3] [NaN NaN NaN]"},
		{"lines.json", "{\"x\": -1e3}\n{\"x\": null, \"late\": [2]}\n{\"late\": null}\n",
			"x: [3] [-1000 NaN NaN]\nlate: [3 1] [NaN 2 NaN]"},
		{"german.csv", "a;b c;\"x,y\"\n1,5;-2;3\n1.5;1,5e2;,5\n",
			"a: [2] [1.5 1.5]\nb c: [2] [-2 150]\nx,y: [2] [3 0.5]"},
		{"tabs.csv", "a\tb\n1\t2\n", "a: [1] [1]\nb: [1] [2]"},
		{"little.csv", "\xff\xfea\x00,\x00\xe9\x00\n\x001\x00,\x002\x00", "a: [1] [1]\né: [1] [2]"},
		{"big.csv", "\xfe\xff\x00a\x00,\xd8\x3d\xde\x00\x00\n\x001\x00,\x002",
			"a: [1] [1]\n😀: [1] [2]"},
		{"latin.csv", "a,\xe9\n1,2\n", "a: [1] [1]\né: [1] [2]"},
		{"a.tsv", "a\tb\n1\t2\n", "a: [1] [1]\nb: [1] [2]"},
		{"a.svm", "+1 1:1 3:1\n\n-1 2:0.5 # why\n0\n",
			"label: [3] [1 -1 0]\nfeatures: [3 3] 3×3 [0 2 3 3] [0 2 1] [1 1 0.5]\n" +
				"features0: [3 4] 3×4 [0 2 3 3] [1 3 2] [1 1 0.5]"},
		{"binary.svm", "1 1:1\n1 2:1\n",
			"label: [2] [1 1]\nfeatures: [2 2] 2×2 [0 1 2] [0 1] []\n" +
				"features0: [2 3] 2×3 [0 1 2] [1 2] []"},
		{"zero.svm", "1 0:1 2:1\n",
			"label: [1] [1]\nfeatures: [1 3] 1×3 [0 2] [0 2] []\n" +
				"features0: [1 3] 1×3 [0 2] [0 2] []"},
		{"sniffed", "1.5 1:2\n",
			"label: [1] [1.5]\nfeatures: [1 1] 1×1 [0 1] [0] [2]\n" +
				"features0: [1 2] 1×2 [0 1] [1] [2]"},
		{"a.txt", "# by hand\n1 2\n\n  3\tNaN  # end\n", ": [2 2] [1 2 3 NaN]"},
		{"column.txt", "1\n2\n", ": [2] [1 2]"},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, name := range []string{c.file, c.file + ".gz"} {
				text := c.text
				if strings.HasSuffix(name, ".gz") {
					text = zipped(text)
				}
				os.WriteFile(name, []byte(text), 0o644)
				table, errs := format.ReadFile(name)
				if errs != nil {
					t.Fatal(errs[0])
				}
				if got := fields(t, table); got != c.want {
					t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
				}
				if table.Print.Bytes != int64(len(text)) {
					t.Errorf("fingerprint of %d bytes, want %d", table.Print.Bytes, len(text))
				}
			}
		})
	}
}

func fields(t *testing.T, table *format.Table) string {
	t.Helper()
	names := table.Fields
	if table.One() != nil {
		names = []string{""}
	}
	var out []string
	for _, f := range names {
		v, errs := table.Field(f)
		if errs != nil {
			t.Fatal(errs[0])
		}
		out = append(out, f+": "+show(v))
	}
	return strings.Join(out, "\n")
}

// bzip2OfA is `printf 'a\n1\n2\n' | bzip2`.
const bzip2OfA = "425a6839314159265359c6f735bd000002c900001030002000200021" +
	"9a68334d1cb78bb9229c2848637b9ade80"

func TestBzip2(t *testing.T) {
	raw, _ := hex.DecodeString(bzip2OfA)
	table, errs := format.ReadAs("a.csv.bz2", "", bytes.NewReader(raw))
	if errs != nil {
		t.Fatal(errs[0])
	}
	if got := fields(t, table); got != "a: [2] [1 2]" {
		t.Error(got)
	}
}

// TestNpy reads [[1, 2, 3], [4, 5, 6]] in every entry type, byte order, order
// of axes and version.
func TestNpy(t *testing.T) {
	for code := range format.NpyTypes {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			for _, fortran := range []bool{false, true} {
				for version := byte(1); version <= 3; version++ {
					text, want := npyOf(code, order, fortran, version)
					table, errs := format.ReadNpy("v.npy", strings.NewReader(text))
					if errs != nil {
						t.Fatalf("%s: %v", code, errs[0])
					}
					if got := show(table.One()); got != want {
						t.Errorf("%s %v fortran %v: got %s, want %s", code, order, fortran, got, want)
					}
				}
			}
		}
	}
}

func npyOf(
	code string, order binary.AppendByteOrder, fortran bool, version byte,
) (text, want string) {
	list := []float64{1, 2, 3, 4, 5, 6}
	want = "[2 3] [1 2 3 4 5 6]"
	if code[0] == 'i' || code[0] == 'f' {
		list[0], want = -1, "[2 3] [-1 2 3 4 5 6]"
	}
	if code == "b1" {
		want = "[2 3] [1 1 1 1 1 1]"
	}
	word, by := "False", []int{0, 1, 2, 3, 4, 5}
	if fortran {
		word, by = "True", []int{0, 3, 1, 4, 2, 5}
	}
	var body []byte
	for _, i := range by {
		x := list[i]
		switch code {
		case "f8":
			body = order.AppendUint64(body, math.Float64bits(x))
		case "f4":
			body = order.AppendUint32(body, math.Float32bits(float32(x)))
		case "i1", "u1", "b1":
			body = append(body, byte(int8(x)))
		case "i2", "u2":
			body = order.AppendUint16(body, uint16(int16(x)))
		case "i4", "u4":
			body = order.AppendUint32(body, uint32(int32(x)))
		default:
			body = order.AppendUint64(body, uint64(int64(x)))
		}
	}
	sign := "<"
	if order.String() == "BigEndian" {
		sign = ">"
	}
	dict := fmt.Sprintf("{'descr': '%s%s', 'fortran_order': %s, 'shape': (2, 3), }\n", sign, code,
		word)
	head := []byte{0x93, 'N', 'U', 'M', 'P', 'Y', version, 0}
	if version == 1 {
		head = binary.LittleEndian.AppendUint16(head, uint16(len(dict)))
	} else {
		head = binary.LittleEndian.AppendUint32(head, uint32(len(dict)))
	}
	return string(head) + dict + string(body), want
}

func TestNpz(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"a.npy", "notes.txt", "b.npy"} {
		w, _ := z.Create(name)
		text, _ := npyOf("f4", binary.LittleEndian, false, 1)
		w.Write([]byte(text))
	}
	z.Close()
	table, errs := format.ReadNpz("d.npz", &b)
	if errs != nil {
		t.Fatal(errs[0])
	}
	if got, want := fields(t, table),
		"a: [2 3] [-1 2 3 4 5 6]\nb: [2 3] [-1 2 3 4 5 6]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestRowMajor holds the reordering against the definition in three axes.
func TestRowMajor(t *testing.T) {
	shape := []int{2, 3, 4}
	v := make([]float64, 24)
	for i := range 2 {
		for j := range 3 {
			for k := range 4 {
				v[i+2*(j+3*k)] = float64((i*3+j)*4 + k)
			}
		}
	}
	for i, x := range format.RowMajor(v, shape) {
		if x != float64(i) {
			t.Fatalf("entry %d is %v", i, x)
		}
	}
}

// TestLongLines crosses the reader's buffer in every way.
func TestLongLines(t *testing.T) {
	for _, n := range []int{1, 1 << 17, 1<<18 - 2, 1<<18 - 1, 1 << 18, 1<<18 + 1, 1 << 19} {
		text := strings.Repeat("7", n) + "\n" + strings.Repeat("8", n)
		in := format.NewLineReader(strings.NewReader(text))
		for _, want := range []byte("78") {
			line, err := in.Next()
			if err != nil || len(line) != n || line[0] != want || line[n-1] != want {
				t.Fatalf("line of %d: %d bytes, %v", n, len(line), err)
			}
		}
		if _, err := in.Next(); err == nil {
			t.Error("a third line")
		}
	}
}
