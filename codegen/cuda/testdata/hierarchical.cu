
static __device__ inline void gather_5(int block, float* mem, const sg_step& s, float* b22, const float* b21, const int* b9) {
  int i = block * 256 + threadIdx.x;
  if (i < s.n * 12) {
    int r = i / 12;
    b22[i] = b21[(size_t)b9[s.at * 300 + r] * 12 + (i - r * 12)];
  }
}

static __device__ inline void gather_8(int block, float* mem, const sg_step& s, float* b26, const float* b25, const int* b9) {
  int i = block * 256 + threadIdx.x;
  if (i < s.n * 1) {
    int r = i / 1;
    b26[i] = b25[(size_t)b9[s.at * 300 + r] * 1 + (i - r * 1)];
  }
}

static __device__ inline void gather_9(int block, float* mem, const sg_step& s, float* b28, const float* b27, const int* b9) {
  int i = block * 256 + threadIdx.x;
  if (i < s.n * 1) {
    int r = i / 1;
    b28[i] = b27[(size_t)b9[s.at * 300 + r] * 1 + (i - r * 1)];
  }
}

static __device__ inline void loop_0(int block, float* mem, const sg_step& s, const float* b3, double* b10, double* b11, double* b12, double* b13, double* b14, double* b15, double* b16, double* b17) {
  if (block == 0 && threadIdx.x == 0) {
  double v0 = sg_exp((double)b3[1]);
  b10[0] = v0;
  double v1 = (double)1.0 / v0;
  b11[0] = v1;
  double v2 = v1 * v1;
  b12[0] = v2;
  double v3 = sg_exp((double)b3[54]);
  b13[0] = v3;
  double v4 = (double)1.0 / v3;
  b14[0] = v4;
  double v5 = v4 * v4;
  b15[0] = v5;
  double v6 = (double)s.scale * v5;
  b16[0] = v6;
  double v7 = (double)s.scale * v4;
  double v8 = v4 * v7;
  b17[0] = v8;
  }
}

static __device__ inline void loop_1(int block, float* mem, const sg_step& s, const float* b3, float* b18) {
  int i = block * 256 + threadIdx.x;
  if (i < 40) {
  int i0 = i;
  float v0 = (float)b3[2 + i0] - (float)b3[0];
  b18[i0] = v0;
  }
}

static __device__ inline void sum_2(int block, float* mem, const sg_step& s, const float* b18, double* b19) {
  typedef double number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block, i = 0;
  if (o < 1) {
    auto term = [&](int a) -> number { return b18[(o * 40 + a) * 1 + i]; };
    number r = 0;
    for (int a = threadIdx.x; a < 40; a += 256) r = both(r, term(a));
    r = sg_over((number*)mem, r, both);
    if (threadIdx.x == 0) b19[0 + o * 1 + i] = r;
  }
}

static __device__ inline void dot_3(int block, float* mem, const sg_step& s, const float* b18, double* b20) {
  typedef double number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block, i = 0;
  if (o < 1) {
    auto term = [&](int a) -> number { return b18[o * 40 + a] * b18[o * 40 + a]; };
    number r = 0;
    for (int a = threadIdx.x; a < 40; a += 256) r = both(r, term(a));
    r = sg_over((number*)mem, r, both);
    if (threadIdx.x == 0) b20[0 + o * 1 + i] = r;
  }
}

static __device__ inline void loop_4(int block, float* mem, const sg_step& s, const float* b3, const double* b12, const double* b19, float* b6, const double* b11, const double* b20, const double* b10) {
  if (block == 0 && threadIdx.x == 0) {
  double v0 = (double)b3[0] * (double)(-0.04000000000000001);
  double v1 = (double)b12[0] * (double)b19[0];
  double v2 = v0 + v1;
  b6[0] = v2;
  double v3 = (double)s.jacobian - (double)40;
  double v4 = (double)b11[0] * (double)b20[0];
  double v5 = (double)b12[0] * v4;
  double v6 = v5 - (double)b10[0];
  double v7 = (double)b10[0] * v6;
  double v8 = v3 + v7;
  b6[1] = v8;
  }
}

static __device__ inline void gemv_6(int block, float* mem, const sg_step& s, const float* b22, const float* b3, float* b23) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int at = block * 256 + threadIdx.x;
  if (at < s.n * 1) {
    int o = at / 1, i = at - o * 1;
    auto term = [&](int a) -> number { return b22[o * 12 + a] * (b3 + 42)[a]; };
    number r = 0;
    for (int a = 0; a < 12; a++) r = both(r, term(a));
    b23[0 + o * 1 + i] = r;
  }
}

static __device__ inline void count_rows_7(int block, float* mem, const sg_step& s, double* b24) {
  if (block == 0 && threadIdx.x == 0) b24[0] = s.n;
}

static __device__ inline void loop_8(int block, float* mem, const sg_step& s, const float* b3, const float* b26, const float* b23, const float* b28, float* b29, const double* b16, float* b30) {
  int i = block * 256 + threadIdx.x;
  if (i < s.n) {
  int i0 = i;
  float v0 = (float)b3[2 + sg_index((float)b26[i0])];
  float v1 = v0 + (float)b23[i0];
  float v2 = (float)b28[i0] - v1;
  b29[i0] = v2;
  float v3 = (float)b16[0] * v2;
  b30[i0] = v3;
  }
}

static __device__ inline void scatter_11(int block, float* mem, const sg_step& s, const float* b30, const float* b26, float* b31) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block, i = 0;
  if (o < 40) {
    int o0 = o;
    auto term = [&](int a) -> number { return [&]() -> float { int a0 = a; return sg_index((float)b26[a0]) == o0 ? (float)b30[a0] : 0.0f; }(); };
    number r = 0;
    for (int a = threadIdx.x; a < s.n; a += 256) r = both(r, term(a));
    r = sg_over((number*)mem, r, both);
    if (threadIdx.x == 0) b31[0 + o * 1 + i] = r;
  }
}

static __device__ inline void gemvT_12(int block, float* mem, const sg_step& s, const float* b22, const float* b29, float* b32) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block / 1, i = block % 1 * 32 + threadIdx.x % 32;
  int lane = threadIdx.x / 32;
  number* all = (number*)mem;
  if (o < 1) {
    auto term = [&](int a) -> number { return b22[(o * s.n + a) * 12 + i] * b29[o * s.n + a]; };
    number r = 0;
    if (i < 12)
      for (int a = lane; a < s.n; a += 8) r = both(r, term(a));
    all[threadIdx.x] = r;
    __syncthreads();
    r = all[threadIdx.x % 32];
    for (int k = 1; k < 8; k++) r = both(r, all[k * 32 + threadIdx.x % 32]);
    if (lane == 0 && i < 12) b32[0 + o * 12 + i] = r;
  }
}

static __device__ inline void dot_13(int block, float* mem, const sg_step& s, const float* b29, double* b33) {
  typedef double number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block, i = 0;
  if (o < 1) {
    auto term = [&](int a) -> number { return b29[o * s.n + a] * b29[o * s.n + a]; };
    number r = 0;
    for (int a = threadIdx.x; a < s.n; a += 256) r = both(r, term(a));
    r = sg_over((number*)mem, r, both);
    if (threadIdx.x == 0) b33[0 + o * 1 + i] = r;
  }
}

static __device__ inline void loop_14(int block, float* mem, const sg_step& s, const double* b12, const float* b18, const float* b31, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 40) {
  int i0 = i;
  float v0 = (float)b12[0] * (float)b18[i0];
  float v1 = (float)b31[i0] - v0;
  b6[2 + i0] = v1;
  }
}

static __device__ inline void loop_15(int block, float* mem, const sg_step& s, const double* b17, const float* b32, const float* b3, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 12) {
  int i0 = i;
  float v0 = (float)b17[0] * (float)b32[i0];
  float v1 = v0 - (float)b3[42 + i0];
  b6[42 + i0] = v1;
  }
}

static __device__ inline void loop_16(int block, float* mem, const sg_step& s, const double* b24, const double* b13, const double* b33, const double* b14, const double* b15, float* b6) {
  if (block == 0 && threadIdx.x == 0) {
  double v0 = (double)s.scale * (double)b24[0];
  double v1 = (double)s.jacobian - v0;
  double v2 = (double)b13[0] * (double)b13[0];
  double v3 = v2 * (double)0.25;
  double v4 = (double)1.0 + v3;
  double v5 = (double)b13[0] / v4;
  double v6 = v5 * (double)(-1.25);
  double v7 = (double)s.scale * (double)b33[0];
  double v8 = (double)b14[0] * v7;
  double v9 = (double)b15[0] * v8;
  double v10 = v6 + v9;
  double v11 = (double)b13[0] * v10;
  double v12 = v1 + v11;
  b6[54] = v12;
  }
}

extern "C" __global__ void __launch_bounds__(256) level_0(const sg_step* b0, const int* b1, float* b22, const float* b21, const int* b9, float* b26, const float* b25, float* b28, const float* b27, const float* b3, double* b10, double* b11, double* b12, double* b13, double* b14, double* b15, double* b16, double* b17, float* b18, double* b24) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 15) {
    gather_5(block, mem, s, b22, b21, b9);
    return;
  }
  block -= 15;
  if (block < 2) {
    gather_8(block, mem, s, b26, b25, b9);
    return;
  }
  block -= 2;
  if (block < 2) {
    gather_9(block, mem, s, b28, b27, b9);
    return;
  }
  block -= 2;
  if (block < 1) {
    loop_0(block, mem, s, b3, b10, b11, b12, b13, b14, b15, b16, b17);
    return;
  }
  block -= 1;
  if (block < 1) {
    loop_1(block, mem, s, b3, b18);
    return;
  }
  block -= 1;
  count_rows_7(block, mem, s, b24);
}
extern "C" __global__ void __launch_bounds__(256) level_1(const sg_step* b0, const int* b1, const float* b18, double* b19, double* b20, const float* b22, const float* b3, float* b23) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 1) {
    sum_2(block, mem, s, b18, b19);
    return;
  }
  block -= 1;
  if (block < 1) {
    dot_3(block, mem, s, b18, b20);
    return;
  }
  block -= 1;
  gemv_6(block, mem, s, b22, b3, b23);
}
extern "C" __global__ void __launch_bounds__(256) level_2(const sg_step* b0, const int* b1, const float* b3, const double* b12, const double* b19, float* b6, const double* b11, const double* b20, const double* b10, const float* b26, const float* b23, const float* b28, float* b29, const double* b16, float* b30) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 1) {
    loop_4(block, mem, s, b3, b12, b19, b6, b11, b20, b10);
    return;
  }
  block -= 1;
  loop_8(block, mem, s, b3, b26, b23, b28, b29, b16, b30);
}
extern "C" __global__ void __launch_bounds__(256) level_3(const sg_step* b0, const int* b1, const float* b30, const float* b26, float* b31, const float* b22, const float* b29, float* b32, double* b33) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 40) {
    scatter_11(block, mem, s, b30, b26, b31);
    return;
  }
  block -= 40;
  if (block < 1) {
    gemvT_12(block, mem, s, b22, b29, b32);
    return;
  }
  block -= 1;
  dot_13(block, mem, s, b29, b33);
}
extern "C" __global__ void __launch_bounds__(256) level_4(const sg_step* b0, const int* b1, const double* b12, const float* b18, const float* b31, float* b6, const double* b17, const float* b32, const float* b3, const double* b24, const double* b13, const double* b33, const double* b14, const double* b15) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 1) {
    loop_14(block, mem, s, b12, b18, b31, b6);
    return;
  }
  block -= 1;
  if (block < 1) {
    loop_15(block, mem, s, b17, b32, b3, b6);
    return;
  }
  block -= 1;
  loop_16(block, mem, s, b24, b13, b33, b14, b15, b6);
}

static __device__ inline void before(float& X, float& P, float& Z, float G, float U, const sg_step& s) {
  X = fmaf(P, s.t[0], X);
  Z = fmaf(fmaf(P, P, -s.temperature), s.t[1], Z);
  P *= expf(-(Z * s.t[2]));
}
static __device__ inline void after(float& X, float& P, float& Z, float G, float U, const sg_step& s) {
  P = fmaf(G, s.t[4], fmaf(s.sd, U, P));
  P *= expf(-(Z * s.t[5]));
  X = fmaf(P, s.t[6], X);
  Z = fmaf(fmaf(P, P, -s.temperature), s.t[7], Z);
}

extern "C" __global__ void head(const sg_step* b0, const int* b1, float* b3, float* b4,
                                float* b5) {
  const sg_step& s = b0[b1[0]];
  int first = blockIdx.x * 1024 + threadIdx.x;
  float X[4], P[4], Z[4];
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int i = first + k * 256;
    if (i >= 55) break;
    X[k] = b3[i];
    P[k] = b4[i];
    Z[k] = b5[i];
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int i = first + k * 256;
    if (i >= 55) break;
    before(X[k], P[k], Z[k], 0, 0, s);
    b3[i] = X[k];
    b4[i] = P[k];
    b5[i] = Z[k];
  }
}

// The last block to end goes on to the next entry of the ring, which all have read by then.
template <bool joined>
static __device__ inline void moved(const sg_step* b0, int* b1, int* b2, float* b3, float* b4,
                                    float* b5, const float* b6, const float* b7) {
  __shared__ int at;
  if (threadIdx.x == 0) at = b1[0];
  __syncthreads();
  const sg_step s = b0[at];
  const bool on = joined && s.flags & 1;
  const sg_step next = b0[on ? at + 1 : at];
  int first = blockIdx.x * 1024 + threadIdx.x;
  float X[4], P[4], Z[4], G[4], U[4];
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int i = first + k * 256;
    if (i >= 55) break;
    X[k] = b3[i];
    P[k] = b4[i];
    Z[k] = b5[i];
    G[k] = b6[i];
    U[k] = b7[i];
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int i = first + k * 256;
    if (i >= 55) break;
    after(X[k], P[k], Z[k], G[k], U[k], s);
    float sum = X[k] + P[k] + Z[k];
    if (sum - sum != 0) atomicMin(b2, s.number);
    if (on) before(X[k], P[k], Z[k], 0, 0, next);
    b3[i] = X[k];
    b4[i] = P[k];
    b5[i] = Z[k];
  }
  __syncthreads();
  if (threadIdx.x == 0 && atomicAdd(b1 + 1, 1) == (int)gridDim.x - 1) {
    b1[1] = 0;
    b1[0] = at + 1;
  }
}
extern "C" __global__ void tail(const sg_step* b0, int* b1, int* b2, float* b3,
                                float* b4, float* b5, const float* b6, const float* b7) {
  moved<false>(b0, b1, b2, b3, b4, b5, b6, b7);
}
extern "C" __global__ void whole(const sg_step* b0, int* b1, int* b2, float* b3,
                                float* b4, float* b5, const float* b6, const float* b7) {
  moved<true>(b0, b1, b2, b3, b4, b5, b6, b7);
}

extern "C" __global__ void __launch_bounds__(256) normals(const sg_step* b0, const int* b1,
                                                          const u64* b8, float* b7) {
  __shared__ ulonglong2 mem[8 * 32 + 8];
  sg_normals(blockIdx.x, (float*)mem, b0[b1[0]].seed, b8, b7);
}

// head:
//   head; x; v; xi
// gradient:
//   normals; noise
//   level_0; x of the rows; g of the rows; y of the rows; tau.2; t.3; t.4; sigma.12; t.13; t.14; t.15; t.25; t.6; t.28
//   level_1 after level_0; t.7; t.9; t.20
//   level_2 after level_1; force; t.21; t.22
//   level_3 after level_2; t.23; t.26; t.29
//   level_4 after level_3; force
// tail:
//   tail; cursor; bad; x; v; xi
// step:
//   normals; noise
//   level_0; x of the rows; g of the rows; y of the rows; tau.2; t.3; t.4; sigma.12; t.13; t.14; t.15; t.25; t.6; t.28
//   level_1 after level_0; t.7; t.9; t.20
//   level_2 after level_1; force; t.21; t.22
//   level_3 after level_2; t.23; t.26; t.29
//   level_4 after level_3; force
//   whole after level_4, normals; cursor; bad; x; v; xi
