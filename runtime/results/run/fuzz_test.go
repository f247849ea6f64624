package run

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// small is a run of a few draws, in a directory of the test.
func small(f *testing.F) (string, *Record) {
	dir := filepath.Join(f.TempDir(), "r")
	c := sampler.DefaultConfig()
	c.Sampler, c.Step, c.Batch, c.Chains, c.Warmup, c.Draws, c.Thin, c.InitRadius = "msgnht", 0.05,
		4, 1, 5, 6, 1, 0
	c, err := c.Resolve(normal{})
	if err != nil {
		f.Fatal(err)
	}
	r := &Record{
		Version:   "v",
		ModelInfo: ModelInfo{Model: "normal"},
		DataInfo:  DataInfo{Blocks: []string{"x"}},
		Method:    Method{Settings: c},
		Storage:   Storage{CheckpointEvery: 0.006, Chunk: 50},
	}
	if _, err := Execute(f.Context(), normal{}, Work{Dir: dir, Version: "v"}, r, "text\n", false,
		ticks(), nil); err != nil {
		f.Fatal(err)
	}
	return dir, r
}

// FuzzRecord: a run.json is read, and gives what commands ask of it, or is an
// error with exit status 5.
func FuzzRecord(f *testing.F) {
	dir, r := small(f)
	path := filepath.Join(dir, recordName)
	r.Digests = "" // else nearly all that is tried is refused
	if err := r.write(files.OS, dir); err != nil {
		f.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b, []byte(`{"N":["a"]}`))
	f.Add([]byte(`{"status":"done","optimize":{},"chains":[{"found":{}}],"constants":{"a":[1,"NaN"]},"health":[{"value":null}]}`), []byte(
		"{"))
	f.Add([]byte(`{"status":"running","settings":{"chains":-1,"draws":-5,"blocks":{"x":{}}},"data":[{}],"held_out":{},"keep":["*"]}`), []byte(
		"[]"))
	f.Fuzz(func(t *testing.T, record, labels []byte) {
		if err := os.WriteFile(path, record, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, labelsName), labels, 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := Read(dir)
		if err != nil {
			if e, is := err.(*Error); !is || e.Exit() != exitFiles {
				t.Fatalf("%v", err)
			}
			return
		}
		Labels(dir, r)
		r.Values()
		_ = r.Outline().String()
		for _, h := range r.Health {
			_ = h.String()
		}
		ReadModel(dir, r)
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var again Record
		if err := json.Unmarshal(b, &again); err != nil {
			t.Fatalf("what was written of a record cannot be read: %v\n%s", err, b)
		}
		if c, err := json.Marshal(&again); err != nil || !bytes.Equal(b, c) {
			t.Fatalf("%v: a record is written as\n%s\nand then as\n%s", err, b, c)
		}
	})
}

// FuzzResume: a chain goes on from a checkpoint whose check sum is right, or
// says what is wrong with it.
func FuzzResume(f *testing.F) {
	dir, _ := small(f)
	path := trace.CheckpointPath(dir, 0)
	type sampled struct {
		c     sampler.Config
		state []byte // of a chain in its warm-up
	}
	var kinds []sampled
	for _, change := range []func(c *sampler.Config){
		func(c *sampler.Config) {},
		func(c *sampler.Config) {
			c.Sampler, c.Friction, c.Fisher, c.BatchOrder = "sghmc", 5, true, "replace"
		},
		func(c *sampler.Config) { c.Sampler, c.Step, c.Batch, c.Warmup = "nuts", 0, 0, 60 },
		func(c *sampler.Config) {
			c.Sampler, c.Step, c.Batch, c.Warmup, c.Metric = "gmc", 0, 0, 60, "dense"
		},
	} {
		c := sampler.DefaultConfig()
		c.Sampler, c.Step, c.Batch, c.Chains, c.Warmup, c.Draws, c.Thin, c.InitRadius = "msgnht",
			0.05, 4, 1, 5, 6, 1, 0
		change(&c)
		c, err := c.Resolve(normal{})
		if err != nil {
			f.Fatal(err)
		}
		chain, err := sampler.NewChain(normal{}, c, 0)
		if err != nil {
			f.Fatal(err)
		}
		for steps := range c.Warmup {
			if err := chain.Step(); err != nil {
				f.Fatal(err)
			}
			if steps != c.Warmup/2 && steps != c.Warmup-1 {
				continue
			}
			state, err := chain.MarshalBinary()
			if err != nil {
				f.Fatal(err)
			}
			payload := binary.LittleEndian.AppendUint64(nil, 2)
			payload = append(binary.LittleEndian.AppendUint64(payload, 1), state...)
			f.Add(uint32(checkpointVersion), payload)
			f.Add(uint32(checkpointExtras), payload)
			kinds = append(kinds, sampled{c, state})
		}
	}
	f.Fuzz(func(t *testing.T, version uint32, payload []byte) {
		if err := trace.WriteCheckpoint(files.OS, path, version, payload); err != nil {
			t.Fatal(err)
		}
		p, err := readCheckpoint(files.OS, dir, 0)
		if err != nil {
			return
		}
		for i, k := range kinds {
			if i%2 == 1 { // of the chain before
				continue
			}
			for _, b := range [][]byte{p.state, sealed(k.state, p.state)} {
				c, err := sampler.ResumeChain(normal{}, k.c, 0, b)
				if err != nil {
					continue
				}
				out := make([]float64, normal{}.OutputLen())
				for range 3 {
					if c.Step() != nil {
						break
					}
				}
				c.Constrain(out)
			}
		}
		newMoments(normal{}.Outputs(), 4, 1000).sketch.UnmarshalBinary(p.moments)
	})
}

// sealed is the checkpoint of a chain that has the label of good and the numbers
// of b, with the check sum of these.
func sealed(good, b []byte) []byte {
	const label, tail = 8 + 3*8, 4
	if len(b) < label+tail {
		return b
	}
	out := append(bytes.Clone(good[:label]), b[label:len(b)-tail]...)
	return binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
}
