package trace

import (
	"bufio"
	"fmt"
	"slices"
)

// Choose restricts all later reads of the store to the given chains, in this order. Methods that
// take or return chain numbers, such as Written, Read and ReadDraws, then count these chains from
// 0, and the exports contain only them. Number converts to the number in the run. The store must
// not be written to afterwards.
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

// Most returns the number n of draws per chain for which the chains with at least n draws, each cut
// to n, have the most draws in total. draws has the number of draws of each chain. Of two such n it
// returns the smaller, which keeps more chains.
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

// Number returns the number in the run of chain k of the chains that are read.
func (s *Store) Number(k int) int {
	if s.chosen == nil {
		return k
	}
	return s.chosen[k]
}

// Numbers returns the numbers in the run of all chains that are read.
func (s *Store) Numbers() []int {
	out := make([]int, s.Chains())
	for k := range out {
		out[k] = s.Number(k)
	}
	return out
}

// exportChosen writes the chosen chains as a new store, each cut to the number of draws that all of
// them have. The coordinate chain has their numbers in the run.
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

// NumberChains sets the coordinate chain of every group of a store that was just made. The default
// is 0, 1, ….
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

// exportChains writes a file for each chain. The name of the file ends in the chain's number.
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
