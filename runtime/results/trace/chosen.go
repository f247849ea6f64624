package trace

import (
	"bufio"
	"fmt"
	"slices"
)

// Choose has all later reads of the store see these chains alone, in the order
// given: chain 0 of Chains, Written, Common, Read, ReadDraws and the exports is
// the first of them. Number gives the number by which the run knows it. A store
// of which chains were chosen is not written to.
func (s *Store) Choose(chains []int) error {
	for i, c := range chains {
		if c < 0 || c >= s.chains || slices.Contains(chains[:i], c) {
			return fmt.Errorf("%s has no chains %v: it has %d, each of which can be chosen once",
				s.dir, chains, s.chains)
		}
	}
	s.chosen = slices.Clone(chains)
	return s.plausible() // chains that are read now may claim more draws than all have
}

// Most is how many draws of a chain are read so that most are read in all, where
// chains have these numbers of draws and those that have fewer are left out: of two
// numbers that give as many draws together the smaller, which has more chains.
func Most(draws []int) int {
	best, most := 0, 0
	for _, n := range draws {
		chains := 0
		for _, m := range draws {
			if m >= n {
				chains++
			}
		}
		if total := n * chains; total > most || total == most && n < best {
			best, most = n, total
		}
	}
	return best
}

// Number is the number by which the run knows chain k of those that are read.
func (s *Store) Number(k int) int {
	if s.chosen == nil {
		return k
	}
	return s.chosen[k]
}

// Numbers are the numbers of all chains that are read.
func (s *Store) Numbers() []int {
	out := make([]int, s.Chains())
	for k := range out {
		out[k] = s.Number(k)
	}
	return out
}

// exportChosen writes the chains that were chosen as a new store of as many chains,
// each with the draws that all of them have. Its coordinate chain has the numbers
// by which the run knows them.
func (s *Store) exportChosen(out string) error {
	draws, err := s.Common()
	if err != nil {
		return err
	}
	vars := slices.Clone(s.vars)
	for i := range vars {
		v := &vars[i]
		v.Dims, v.Labels = slices.Clone(v.Dims), make([][]string, len(v.Shape))
		for axis, name := range v.Dims {
			if v.Labels[axis], err = s.Labels(v.Group, name); err != nil {
				return err
			}
		}
	}
	to, err := Create(out, vars, s.Chains(), draws, 0, s.Attrs())
	if err != nil {
		return err
	}
	if err := to.NumberChains(s.Numbers()); err != nil {
		return err
	}
	for _, v := range s.vars {
		if !v.Static {
			continue
		}
		a, err := s.Read(v.Group, v.Name)
		if err != nil {
			return err
		}
		if !v.PerChain {
			if err := to.WriteStatic(v.Group, v.Name, a.Data); err != nil {
				return err
			}
			continue
		}
		for c := range a.Chains {
			if err := to.WritePerChain(v.Group, v.Name, c, a.At(c, 0)); err != nil {
				return err
			}
		}
	}
	var drawn []Variable
	for _, v := range s.vars {
		if !v.Static {
			drawn = append(drawn, v)
		}
	}
	for c := range s.Chains() {
		a, err := to.Appender(c, 0)
		if err != nil {
			return err
		}
		if err := s.rows(drawn, c, draws, func(_ int,
			values [][]float64) error {
			return a.Append(values)
		}); err != nil {
			return err
		}
		if err := a.Close(); err != nil {
			return err
		}
	}
	return nil
}

// NumberChains gives the coordinate chain of every group of a store that was made
// other numbers than 0, 1, ….
func (s *Store) NumberChains(numbers []int) error {
	if len(numbers) != s.chains {
		return fmt.Errorf("%d numbers for the %d chains of %s", len(numbers), s.chains, s.dir)
	}
	values, b := make([]float64, s.chains), make([]byte, 8*s.chains)
	for k, n := range numbers {
		values[k] = float64(n)
	}
	Int64.encode(b, values)
	groups := map[string]bool{}
	for _, v := range s.vars {
		if v.Static && !v.PerChain || groups[v.Group] {
			continue
		}
		groups[v.Group] = true
		if err := s.share(piece{path: v.Group + "/chain/0", data: b}); err != nil {
			return err
		}
	}
	return nil
}

// exportChains writes a file for each chain, whose name ends in its number.
func (s *Store) exportChains(
	out string, write func(w *bufio.Writer, chain, draws int) error,
) error {
	draws, err := s.Common()
	if err != nil {
		return err
	}
	for k, path := range stanFiles(out, s.Numbers()) {
		if err := WriteStream(path, func(w *bufio.Writer) error {
			return write(w, k,
				draws)
		}); err != nil {
			return err
		}
	}
	return nil
}
