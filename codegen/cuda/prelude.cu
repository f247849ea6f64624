// Printed by sgppl. Numbers without axes are double, all others float.

typedef unsigned long long u64;
typedef unsigned int u32;

// What a step of a sampler needs to know. The ring has one for every step that was sent.
struct sg_step {
  int n;        // rows of the minibatch
  int flags;    // 1: the next step begins where this one ends
  int at;       // which of the ring this is
  int number;   // of the step in its chain
  double scale, jacobian;
  u64 seed[4];  // of the normals
  float temperature, sd;
  float t[12];   // of every flow, its time or its factor
};

#define SG_BOTH(name, single, twice)                                  \
  static __device__ inline float name(float x) { return single(x); } \
  static __device__ inline double name(double x) { return twice(x); }

SG_BOTH(sg_exp, expf, exp)
SG_BOTH(sg_expm1, expm1f, expm1)
SG_BOTH(sg_log, logf, log)
SG_BOTH(sg_log1p, log1pf, log1p)
SG_BOTH(sg_sqrt, sqrtf, sqrt)
SG_BOTH(sg_abs, fabsf, fabs)
SG_BOTH(sg_floor, floorf, floor)
SG_BOTH(sg_ceil, ceilf, ceil)
SG_BOTH(sg_round, rintf, rint)
SG_BOTH(sg_tanh, tanhf, tanh)
SG_BOTH(sg_sinh, sinhf, sinh)
SG_BOTH(sg_cosh, coshf, cosh)
SG_BOTH(sg_sin, sinf, sin)
SG_BOTH(sg_cos, cosf, cos)
SG_BOTH(sg_tan, tanf, tan)
SG_BOTH(sg_asin, asinf, asin)
SG_BOTH(sg_acos, acosf, acos)
SG_BOTH(sg_atan, atanf, atan)
SG_BOTH(sg_erf, erff, erf)
SG_BOTH(sg_erfc, erfcf, erfc)

static __device__ inline float sg_pow(float x, float y) { return powf(x, y); }
static __device__ inline double sg_pow(double x, double y) { return pow(x, y); }
static __device__ inline float sg_atan2(float y, float x) { return atan2f(y, x); }
static __device__ inline double sg_atan2(double y, double x) { return atan2(y, x); }

static __device__ inline double sg_inf() { return __longlong_as_double(0x7ff0000000000000ll); }
static __device__ inline double sg_nan() { return __longlong_as_double(0x7ff8000000000000ll); }

template <class T> static __device__ inline T sg_sign(T x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
template <class T> static __device__ inline T sg_min(T x, T y) {
  return x <= y || x != x ? x : y;
}
template <class T> static __device__ inline T sg_max(T x, T y) {
  return x >= y || x != x ? x : y;
}
template <class T> static __device__ inline T sg_mul0(T x, T y) { return x == 0 ? 0 : x * y; }
template <class T> static __device__ inline T sg_relu(T x) { return x > 0 ? x : 0; }
template <class T> static __device__ inline T sg_sigmoid(T x) {
  T e = sg_exp(-sg_abs(x));
  return (x < 0 ? e : 1) / (1 + e);
}
template <class T> static __device__ inline T sg_softplus(T x) {
  return (x > 0 ? x : x != x ? x : 0) + sg_log1p(sg_exp(-sg_abs(x)));
}
// log(1 - exp(x)) for x <= 0 (Maechler 2012).
template <class T> static __device__ inline T sg_log1mexp(T x) {
  return x > (T)-0.693147 ? sg_log(-sg_expm1(x)) : sg_log1p(-sg_exp(x));
}
template <class T> static __device__ inline T sg_logit(T p) { return sg_log(p) - sg_log1p(-p); }
static __device__ inline double sg_lgamma(double x) { return lgamma(x); }
static __device__ inline float sg_lgamma(float x) { return (float)lgamma((double)x); }
// By recurrence to 12 and the asymptotic series (Abramowitz and Stegun 1964, 6.3.5 and 6.3.18), with
// reflection (6.3.7).
static __device__ inline double sg_digamma(double x) {
  double r = 0;
  if (x < 0.5) {
    if (x == floor(x)) return sg_nan();
    const double pi = 3.14159265358979323846;
    r = -pi / tan(pi * x);
    x = 1 - x;
  }
  while (x < 12) {
    r -= 1 / x;
    x += 1;
  }
  double f = 1 / (x * x);
  return r + log(x) - 0.5 / x -
         f * (1.0 / 12 - f * (1.0 / 120 - f * (1.0 / 252 - f * (1.0 / 240 - f * (1.0 / 132)))));
}
static __device__ inline float sg_digamma(float x) { return (float)sg_digamma((double)x); }

static __device__ inline int sg_index(float x) { return (int)rintf(x); }
static __device__ inline int sg_index(double x) { return (int)rint(x); }
static __device__ inline int sg_clamp(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

// Sums and largest numbers over the threads of a block: a tree of fixed shape.
template <class T, class F> static __device__ inline T sg_over(T* mem, T x, F both) {
  mem[threadIdx.x] = x;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) mem[threadIdx.x] = both(mem[threadIdx.x], mem[threadIdx.x + half]);
    __syncthreads();
  }
  T all = mem[0];
  __syncthreads();
  return all;
}

// A sum in N pieces, from the first on.
template <int N> static __device__ inline float sg_pieces(const float* p, int stride) {
  float all[N];
#pragma unroll
  for (int k = 0; k < N; k++) all[k] = p[k * stride];
  float sum = all[0];
#pragma unroll
  for (int k = 1; k < N; k++) sum += all[k];
  return sum;
}

// Copies to shared memory that go on while a thread does other things: of 4 bytes or of 16, of which
// the first are read and the rest are 0. All are there after sg_wait<0>, but for those after the
// last sg_copied after sg_wait<1>; and for the other threads after __syncthreads.
#ifdef __CUDACC_RTC__
static __device__ inline void sg_copy4(float* to, const float* from, int bytes) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(
                   (u32)__cvta_generic_to_shared(to)), "l"(from), "r"(bytes));
}
static __device__ inline void sg_copy16(float* to, const float* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                   (u32)__cvta_generic_to_shared(to)), "l"(from), "r"(bytes));
}
static __device__ inline void sg_copied() { asm volatile("cp.async.commit_group;" ::); }
template <int N> static __device__ inline void sg_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}
#endif

static __device__ inline int sg_bytes(int left) { return left <= 0 ? 0 : left >= 4 ? 16 : 4 * left; }

// Copies a tile of a matrix to shared memory: T rows r and KC terms q, of entries
// x[r * XR + q * XK], one of these strides 1. With the terms contiguous it is stored by rows, else
// by terms; in lines that are 4 numbers longer than their entries, for the banks. V says that four
// contiguous numbers may be copied at once.
template <int T, int KC, int XR, int XK, bool V>
static __device__ inline void sg_fetch(float* to, const float* x, int rows, int terms) {
  const int tid = threadIdx.x;
  if (XR != 1) {
    const int line = KC + 4;
    if (V) {
#pragma unroll
      for (int e = 0; e < T * KC / 4; e += 256) {
        int at = e + tid, r = at / (KC / 4), q = at % (KC / 4) * 4;
        int bytes = r < rows ? sg_bytes(terms - q) : 0;
        sg_copy16(to + r * line + q, bytes > 0 ? x + r * XR + q : x, bytes);
      }
    } else {
#pragma unroll 4
      for (int e = 0; e < T * KC; e += 256) {
        int at = e + tid, r = at / KC, q = at % KC;
        bool in = r < rows && q < terms;
        sg_copy4(to + r * line + q, in ? x + r * XR + q * XK : x, in ? 4 : 0);
      }
    }
  } else {
    const int line = T + 4;
    if (V) {
#pragma unroll
      for (int e = 0; e < T * KC / 4; e += 256) {
        int at = e + tid, q = at / (T / 4), r = at % (T / 4) * 4;
        int bytes = q < terms ? sg_bytes(rows - r) : 0;
        sg_copy16(to + q * line + r, bytes > 0 ? x + r + q * XK : x, bytes);
      }
    } else {
#pragma unroll 4
      for (int e = 0; e < T * KC; e += 256) {
        int at = e + tid, q = at / T, r = at % T;
        bool in = r < rows && q < terms;
        sg_copy4(to + q * line + r, in ? x + r + q * XK : x, in ? 4 : 0);
      }
    }
  }
}

// The row of a tile that a thread has i-th, of four: contiguous ones where terms are stored one
// after another, else with a distance, for the banks.
template <int T, int XR> static __device__ inline int sg_row(int t, int i) {
  return XR != 1 ? t + T / 4 * i : 4 * t + i;
}

// Four rows and four terms of a tile.
template <int T, int KC, int XR>
static __device__ inline void sg_square(const float* x, int t, int q, float to[4][4]) {
#pragma unroll
  for (int i = 0; i < 4; i++) {
    if (XR != 1) {
      float4 v = *(const float4*)(x + sg_row<T, XR>(t, i) * (KC + 4) + q);
      to[i][0] = v.x, to[i][1] = v.y, to[i][2] = v.z, to[i][3] = v.w;
    } else {
      float4 v = *(const float4*)(x + (q + i) * (T + 4) + 4 * t);
      to[0][i] = v.x, to[1][i] = v.y, to[2][i] = v.z, to[3][i] = v.w;
    }
  }
}

// A tile of TM x TN entries of a product of matrices, by a block. A thread has 4 x 4 of them; where
// the tile has fewer than 256 such squares, groups of threads divide the terms among them, and their
// parts are added up in their order. A(m, k) is a[m * AM + k * AK], B(k, n) is b[k * BK + n * BN];
// of each matrix one of the strides is 1. ST is how many pieces of KC terms are in shared memory.
template <int TM, int TN, int KC, int ST, int AM, int AK, int BK, int BN, bool VA, bool VB, class P>
static __device__ inline void sg_product(float* mem, const float* a, const float* b, int m0, int n0,
                                         int M, int N, int k0, int k1, P put) {
  const int squares = (TM / 4) * (TN / 4), groups = 256 / squares;
  const int sizeA = AM != 1 ? TM * (KC + 4) : KC * (TM + 4);
  const int sizeB = BN != 1 ? TN * (KC + 4) : KC * (TN + 4);
  const int tid = threadIdx.x, group = tid / squares, in = tid % squares;
  const int ty = in / (TN / 4), tx = in % (TN / 4);
  float c[4][4];
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) c[i][j] = 0;
  auto fetch = [&](int k, int which) {
    float* to = mem + which * (sizeA + sizeB);
    sg_fetch<TM, KC, AM, AK, VA>(to, a + m0 * AM + k * AK, M - m0, k1 - k);
    sg_fetch<TN, KC, BN, BK, VB>(to + sizeA, b + n0 * BN + k * BK, N - n0, k1 - k);
    sg_copied();
  };
  if (k0 < k1) fetch(k0, 0);
  int which = 0;
  for (int k = k0; k < k1; k += KC) {
    if (ST > 1 && k + KC < k1) {
      fetch(k + KC, which ^ 1);
      sg_wait<1>();
    } else {
      sg_wait<0>();
    }
    __syncthreads();
    const float *as = mem + which * (sizeA + sizeB), *bs = as + sizeA;
    const int end = min(KC, k1 - k);
#pragma unroll 2
    for (int q = 4 * group; q < end; q += 4 * groups) {
      float x[4][4], y[4][4];
      sg_square<TM, KC, AM>(as, ty, q, x);
      sg_square<TN, KC, BN>(bs, tx, q, y);
#pragma unroll
      for (int r = 0; r < 4; r++)
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
          for (int j = 0; j < 4; j++) c[i][j] = fmaf(x[i][r], y[j][r], c[i][j]);
    }
    __syncthreads();
    if (ST > 1)
      which ^= 1;
    else if (k + KC < k1)
      fetch(k + KC, 0);
  }
  if (groups == 1) {
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
      for (int j = 0; j < 4; j++) {
        int m = m0 + sg_row<TM, AM>(ty, i), n = n0 + sg_row<TN, BN>(tx, j);
        if (m < M && n < N) put(m, n, c[i][j]);
      }
    return;
  }
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
      mem[group * TM * TN + sg_row<TM, AM>(ty, i) * TN + sg_row<TN, BN>(tx, j)] = c[i][j];
  __syncthreads();
  for (int at = tid; at < TM * TN; at += 256) {
    float sum = mem[at];
#pragma unroll
    for (int q = 1; q < groups; q++) sum += mem[q * TM * TN + at];
    int m = m0 + at / TN, n = n0 + at % TN;
    if (m < M && n < N) put(m, n, sum);
  }
}

// The normals of a step, those of runtime/math/rng in single precision: eight generators
// xoroshiro128++ side by side, of which a thread jumps to the words that it needs.
static __device__ inline u64 sg_mix(u64 z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}
static __device__ inline u64 sg_rotl(u64 x, int k) { return x << k | x >> (64 - k); }
static __device__ inline u64 sg_next(u64& s0, u64& s1) {
  u64 out = sg_rotl(s0 + s1, 17) + s0;
  s1 ^= s0;
  s0 = sg_rotl(s0, 49) ^ s1 ^ s1 << 21;
  s1 = sg_rotl(s1, 28);
  return out;
}
static __device__ inline void sg_pair(u32 a, u32 b, float& c, float& d) {
  u32 u = __float_as_uint((float)(int)(a >> 1 | 1)) - 0x3f3504f3u;
  float k = (float)(31 - ((int)u >> 23));
  float f = __uint_as_float((u & 0x7fffffu) + 0x3f3504f3u) - 1.0f;
  float s = f / (-2.0f - f), z = s * s;
  float l = fmaf(z, fmaf(z, 0x1.2ee61p-1f, 0x1.997c3p-1f), 0x1.55555cp+0f);
  float r = sqrtf(fmaf(k, 0x1.62e42fefa39efp+0f, s * fmaf(z, l, 4.0f)));
  float t = (float)(int)b * 0x1p-32f, y = t * t;
  float cs = fmaf(y, fmaf(y, fmaf(y, -0x1.4e5e06p-6f, 0x1.03af58p-2f), -0x1.3bd392p+0f), 1.0f);
  float sn = t * fmaf(y, fmaf(y, fmaf(y, -0x1.2d9b4p-8f, 0x1.465ec4p-4f), -0x1.4abbbap-1f),
                      0x1.921fb6p+0f);
  u32 co = __float_as_uint(cs) ^ b << 31, si = __float_as_uint(sn);
  u32 swap = (co ^ si) & (0u - (b >> 1 & 1u));
  c = r * __uint_as_float(co ^ swap);
  d = r * __uint_as_float(si ^ swap);
}

// Normals [block * 4096, ...) of n. jumps has, for each of 32 groups of four rounds, a matrix over
// GF(2) of 128 columns that advances a generator to its first word, and then such a matrix for each
// block.
static __device__ inline void sg_normals(int block, float* mem, const u64* seed, const u64* jumps,
                                         float* out) {
  u64* parts = (u64*)mem;       // [8 lanes][32 threads][2]
  u64* begin = parts + 8 * 64;  // [8 lanes][2]
  const int tid = threadIdx.x;
  {
    int lane = tid / 32, w = tid % 32;
    u64 s0 = sg_mix(seed[0] + (u64)(lane + 1) * (seed[2] | 1));
    u64 s1 = sg_mix(seed[1] + (u64)(lane + 1) * (seed[3] | 1));
    const u64* m = jumps + (size_t)(32 + block) * 256;
    u64 a = 0, b = 0;
    for (int i = 0; i < 4; i++) {
      int bit = w * 4 + i;
      u64 on = 0 - ((bit < 64 ? s0 >> bit : s1 >> (bit - 64)) & 1);
      a ^= on & m[2 * bit];
      b ^= on & m[2 * bit + 1];
    }
    parts[2 * tid] = a;
    parts[2 * tid + 1] = b;
  }
  __syncthreads();
  if (tid < 16) {
    u64 x = 0;
    for (int w = 0; w < 32; w++) x ^= parts[(tid / 2 * 32 + w) * 2 + tid % 2];
    begin[tid] = x;
  }
  __syncthreads();
  int lane = tid % 8, group = tid / 8;
  const u32* from = (const u32*)(begin + 2 * lane);
  const uint4* m = (const uint4*)jumps + (size_t)group * 128;
  u32 w0 = 0, w1 = 0, w2 = 0, w3 = 0;
  for (int word = 0; word < 4; word++) {
    u32 w = from[word];
#pragma unroll
    for (int bit = 0; bit < 32; bit++) {
      uint4 column = m[word * 32 + bit];
      u32 on = 0u - (w >> bit & 1u);
      w0 ^= on & column.x;
      w1 ^= on & column.y;
      w2 ^= on & column.z;
      w3 ^= on & column.w;
    }
  }
  u64 a = (u64)w1 << 32 | w0, b = (u64)w3 << 32 | w2;
  float* to = out + (size_t)block * 4096 + group * 128 + 2 * lane;
#pragma unroll
  for (int round = 0; round < 4; round++, to += 32) {
    u64 x = sg_next(a, b), y = sg_next(a, b);
    sg_pair((u32)x, (u32)y, to[0], to[16]);
    sg_pair((u32)(x >> 32), (u32)(y >> 32), to[1], to[17]);
  }
}
