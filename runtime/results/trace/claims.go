package trace

import (
	"fmt"
	"path/filepath"
	"strings"
)

// trusted is the number of bytes of an array up to which the sizes in the metadata are not checked.
// Larger arrays must have files of that size.
const trusted = 1 << 24

// mostNumbers bounds the size of an array, so that products of axes do not
// overflow.
const mostNumbers = 1 << 50

// mostChains bounds the chains of a store: each has a file of every array.
const mostChains = 1 << 17

// plausible checks the sizes in the metadata against the sizes of the files. Reads allocate memory
// by these sizes, and damaged metadata may have any.
func (s *Store) plausible() error {
	if s.chains > mostChains {
		return fmt.Errorf("%s: %w: it has %d chains by the metadata", s.dir, ErrCorrupt, s.chains)
	}
	for _, v := range s.vars {
		if err := s.claims(v); err != nil {
			return fmt.Errorf("%s: %w: %s/%s %w", s.dir, ErrCorrupt, v.Group, v.Name, err)
		}
	}
	return nil
}

func (s *Store) claims(v Variable) error {
	if v.Group == "" || v.Name == "" || strings.ContainsAny(v.Name, `/\`) {
		return fmt.Errorf("is no name of an array in a group")
	}
	numbers := 1.0
	for _, n := range v.Shape {
		numbers *= float64(n)
	}
	whole := numbers
	if !v.Static || v.PerChain {
		whole *= float64(s.chains)
	}
	if !v.Static {
		whole *= float64(max(s.draws, 1))
	}
	if whole > mostNumbers {
		return fmt.Errorf("has %.3g numbers by the metadata, which no disk holds", whole)
	}
	if whole*float64(v.DType.size()) <= trusted {
		return nil
	}
	want := whole * float64(v.DType.size())
	if !v.Static {
		draws, err := s.Common()
		if err != nil {
			return err
		}
		if draws == 0 {
			return s.axesHeld(v)
		}
		want = numbers * float64(v.DType.size()) * float64(s.Chains()) * float64(draws)
	}
	if want <= trusted {
		return nil
	}
	have, err := s.stored(v)
	if err == nil && have < want {
		err = fmt.Errorf("has %.0f bytes by the metadata, and its files have %.0f", want, have)
	}
	return err
}

// axesHeld checks the lengths of the axes of an array without draws against the sizes of their
// coordinates' files.
func (s *Store) axesHeld(v Variable) error {
	for i, n := range v.Shape {
		if 8*float64(n) <= trusted || i >= len(v.Dims) {
			continue
		}
		have, err := s.stored(Variable{Group: v.Group, Name: v.Dims[i]})
		if err == nil && have < 4*float64(n) { // a coordinate has eight bytes an entry, or a text
			err = fmt.Errorf("has an axis %s of %d entries by the metadata, and its coordinate %.0f bytes",
				v.Dims[i], n, have)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stored returns the size in bytes of all chunks of an array.
func (s *Store) stored(v Variable) (bytes float64, err error) {
	list, err := s.fs.ReadDir(filepath.Join(s.dir, v.Group, v.Name))
	if err != nil {
		return 0, err
	}
	for _, f := range list {
		if strings.HasPrefix(f.Name(), ".") {
			continue // metadata
		}
		if info, err := f.Info(); err == nil && info.Mode().IsRegular() {
			bytes += float64(info.Size())
		}
	}
	return bytes, nil
}
