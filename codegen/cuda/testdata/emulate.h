// Runs CUDA C on a processor: blocks one after another, the threads of a block as fibers that take
// turns at __syncthreads. A launch calls run(blocks) with body set to a call of a kernel.
#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>

#define __device__
#define __global__
#define __shared__ static
#define __launch_bounds__(...)

struct emu_dim { unsigned x; };
static emu_dim threadIdx, blockIdx, gridDim;

struct alignas(16) float4 { float x, y, z, w; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
struct alignas(16) ulonglong2 { unsigned long long x, y; };

template <class A, class B> static A emu_bits(B b) {
  A a;
  memcpy(&a, &b, sizeof a);
  return a;
}
static double __longlong_as_double(long long x) { return emu_bits<double>(x); }
static unsigned __float_as_uint(float x) { return emu_bits<unsigned>(x); }
static float __uint_as_float(unsigned x) { return emu_bits<float>(x); }
static int min(int a, int b) { return a < b ? a : b; }
static int atomicAdd(int* p, int x) {
  int old = *p;
  *p += x;
  return old;
}
static int atomicMin(int* p, int x) {
  int old = *p;
  if (x < old) *p = x;
  return old;
}
static float emu_fma(float x, float y, float z) { return (float)((double)x * y + z); }
#define fmaf emu_fma

namespace emu {
const int threads = 256, stack = 64 << 10;
struct fiber {
  ucontext_t context;
  jmp_buf at;
  bool started, done;
};
static fiber fibers[threads];
static jmp_buf scheduler;
static int current;
static void (*body)();
static bool forward;

static void work() {
  for (;;) {
    body();
    fibers[current].done = true;
    if (_setjmp(fibers[current].at) == 0) _longjmp(scheduler, 1);
  }
}

static void block() {
  for (auto& f : fibers) f.done = false;
  for (bool left = true; left;) {
    left = false;
    forward = !forward;  // who comes first changes from one barrier to the next
    for (int volatile i = 0; i < threads; i++) {
      int t = forward ? i : threads - 1 - i;
      fiber& f = fibers[t];
      if (f.done) continue;
      current = t;
      threadIdx.x = t;
      if (_setjmp(scheduler) == 0) {
        if (f.started) _longjmp(f.at, 1);
        f.started = true;
        getcontext(&f.context);
        f.context.uc_stack.ss_sp = malloc(stack);
        f.context.uc_stack.ss_size = stack;
        makecontext(&f.context, work, 0);
        setcontext(&f.context);
      }
      left = left || !fibers[current].done;
    }
  }
}

static void run(int blocks) {
  gridDim.x = blocks;
  for (int b = 0; b < blocks; b++) {
    blockIdx.x = b;
    block();
  }
}
}  // namespace emu

static void __attribute__((noinline)) __syncthreads() {
  int me = emu::current;
  if (_setjmp(emu::fibers[me].at) == 0) _longjmp(emu::scheduler, 1);
}

// Copies to shared memory that go on by themselves are made when they are waited for, and not before:
// so whoever does not wait reads what was there.
namespace emu {
struct copy {
  float* to;
  const float* from;
  int numbers, read, group;
};
static copy copies[threads][256];
static int copying[threads], group[threads];
static void later(float* to, const float* from, int numbers, int read) {
  if (copying[current] == 256) abort();
  copies[current][copying[current]++] = {to, from, numbers, read, group[current]};
}
static void arrive(int but) {
  int kept = 0;
  for (int i = 0; i < copying[current]; i++) {
    copy& c = copies[current][i];
    if (c.group >= group[current] - but) {
      copies[current][kept++] = c;
      continue;
    }
    for (int k = 0; k < c.numbers; k++) c.to[k] = k < c.read ? c.from[k] : 0;
  }
  copying[current] = kept;
}
}  // namespace emu
static void sg_copy4(float* to, const float* from, int bytes) { emu::later(to, from, 1, bytes / 4); }
static void sg_copy16(float* to, const float* from, int bytes) {
  if ((uintptr_t)to % 16 || bytes > 0 && (uintptr_t)from % 16) abort();
  emu::later(to, from, 4, bytes / 4);
}
static void sg_copied() { emu::group[emu::current]++; }
template <int N> static void sg_wait() { emu::arrive(N); }
