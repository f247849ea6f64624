package main

import "testing"

// Every format that hostile bytes may come in has a target.
func TestFind(t *testing.T) {
	targets, err := find("../..")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, x := range targets {
		if names[x.name] {
			t.Errorf("two targets are called %s", x.name)
		}
		names[x.name] = true
	}
	for _, want := range []string{"FuzzParse", "FuzzJSON", "FuzzCSV", "FuzzLibsvm", "FuzzNpy",
		"FuzzNpz", "FuzzIDX", "FuzzLDAC", "FuzzDocword", "FuzzGzip", "FuzzBzip2", "FuzzParquet",
		"FuzzZarr", "FuzzRecord", "FuzzIndex", "FuzzIndexNumbers", "FuzzCheckpoint", "FuzzResume",
		"FuzzSpool", "FuzzJob", "FuzzAnswer", "FuzzEvent"} {
		if !names[want] {
			t.Errorf("no target %s", want)
		}
	}
}

func TestFigures(t *testing.T) {
	execs, interesting := figures([]byte("fuzz: elapsed: 3s, execs: 25435 (8475/sec), new " +
		"interesting: 69 (total: 77)\nfuzz: elapsed: 6s, execs: 30000 (0/sec), new interesting: " +
		"70 (total: 78)\nPASS\n"))
	if execs != "30000" || interesting != "78" {
		t.Error(execs, interesting)
	}
}
