//go:build amd64 && !purego

package cpu

//go:noescape
func cpuid(leaf, subleaf uint32) (a, b, c, d uint32)

//go:noescape
func xgetbv() (a, d uint32)

// detect lists the levels that can run, each of which contains those before it. It asks
// the processor what it can do, and the operating system whether it saves the registers
// that go with it. Source: Intel 64 and IA-32
// Architectures Software Developer's Manual, volume 1, sections 14.3 and 15.2;
// volume 2, CPUID.
func detect() []Level {
	all := []Level{Portable, AVX2, AVX512}
	const (
		fma     = 1 << 12 // leaf 1, ECX
		osxsave = 1 << 27
		avx     = 1 << 28

		avx2     = 1 << 5 // leaf 7, EBX
		bmi2     = 1 << 8
		avx512f  = 1 << 16
		avx512dq = 1 << 17
		avx512bw = 1 << 30
		avx512vl = 1 << 31

		ymmState = 6    // XMM and YMM
		zmmState = 0xe6 // and masks, upper halves, upper registers
	)
	leaves, _, _, _ := cpuid(0, 0)
	if leaves < 7 {
		return all[:1]
	}
	_, _, c, _ := cpuid(1, 0)
	if c&(fma|osxsave|avx) != fma|osxsave|avx {
		return all[:1]
	}
	saved, _ := xgetbv()
	_, b, _, _ := cpuid(7, 0)
	if saved&ymmState != ymmState || b&(avx2|bmi2) != avx2|bmi2 {
		return all[:1]
	}
	const need = avx512f | avx512dq | avx512bw | avx512vl
	if saved&zmmState != zmmState || b&need != need {
		return all[:2]
	}
	return all
}
