
static __device__ inline void gather_1(int block, float* mem, const sg_step& s, float* b14, const float* b13, const int* b9) {
  int i = block * 256 + threadIdx.x;
  if (i < s.n * 37) {
    int r = i / 37;
    b14[i] = b13[(size_t)b9[s.at * 700 + r] * 37 + (i - r * 37)];
  }
}

static __device__ inline void gather_4(int block, float* mem, const sg_step& s, float* b18, const float* b17, const int* b9) {
  int i = block * 256 + threadIdx.x;
  if (i < s.n * 1) {
    int r = i / 1;
    b18[i] = b17[(size_t)b9[s.at * 700 + r] * 1 + (i - r * 1)];
  }
}

static __device__ inline void loop_0(int block, float* mem, const sg_step& s, const float* b3, double* b10, double* b11, double* b12) {
  if (block == 0 && threadIdx.x == 0) {
  double v0 = sg_exp((double)b3[38]);
  b10[0] = v0;
  double v1 = (double)1.0 / v0;
  b11[0] = v1;
  double v2 = (double)s.scale * v1;
  double v3 = v1 * v2;
  b12[0] = v3;
  }
}

static __device__ inline void gemv_2(int block, float* mem, const sg_step& s, const float* b14, const float* b3, float* b15) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block, i = 0;
  if (o < s.n) {
    auto term = [&](int a) -> number { return b14[o * 37 + a] * b3[a]; };
    number r = 0;
    for (int a = threadIdx.x; a < 37; a += 256) r = both(r, term(a));
    r = sg_over((number*)mem, r, both);
    if (threadIdx.x == 0) b15[0 + o * 1 + i] = r;
  }
}

static __device__ inline void count_rows_3(int block, float* mem, const sg_step& s, double* b16) {
  if (block == 0 && threadIdx.x == 0) b16[0] = s.n;
}

static __device__ inline void loop_4(int block, float* mem, const sg_step& s, const float* b3, const float* b15, const float* b18, float* b19) {
  int i = block * 256 + threadIdx.x;
  if (i < s.n) {
  int i0 = i;
  float v0 = (float)b3[37] + (float)b15[i0];
  float v1 = (float)b18[i0] - v0;
  b19[i0] = v1;
  }
}

static __device__ inline void gemvT_6(int block, float* mem, const sg_step& s, const float* b14, const float* b19, float* b20) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block / 2, i = block % 2 * 32 + threadIdx.x % 32;
  int lane = threadIdx.x / 32;
  number* all = (number*)mem;
  if (o < 1) {
    auto term = [&](int a) -> number { return b14[(o * s.n + a) * 37 + i] * b19[o * s.n + a]; };
    number r = 0;
    if (i < 37)
      for (int a = lane; a < s.n; a += 8) r = both(r, term(a));
    all[threadIdx.x] = r;
    __syncthreads();
    r = all[threadIdx.x % 32];
    for (int k = 1; k < 8; k++) r = both(r, all[k * 32 + threadIdx.x % 32]);
    if (lane == 0 && i < 37) b20[0 + o * 37 + i] = r;
  }
}

static __device__ inline void sum_7(int block, float* mem, const sg_step& s, const float* b19, double* b21) {
  typedef double number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block, i = 0;
  if (o < 1) {
    auto term = [&](int a) -> number { return b19[(o * s.n + a) * 1 + i]; };
    number r = 0;
    for (int a = threadIdx.x; a < s.n; a += 256) r = both(r, term(a));
    r = sg_over((number*)mem, r, both);
    if (threadIdx.x == 0) b21[0 + o * 1 + i] = r;
  }
}

static __device__ inline void dot_8(int block, float* mem, const sg_step& s, const float* b19, double* b22) {
  typedef double number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block, i = 0;
  if (o < 1) {
    auto term = [&](int a) -> number { return b19[o * s.n + a] * b19[o * s.n + a]; };
    number r = 0;
    for (int a = threadIdx.x; a < s.n; a += 256) r = both(r, term(a));
    r = sg_over((number*)mem, r, both);
    if (threadIdx.x == 0) b22[0 + o * 1 + i] = r;
  }
}

static __device__ inline void loop_9(int block, float* mem, const sg_step& s, const double* b12, const float* b20, const float* b3, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 37) {
  int i0 = i;
  float v0 = (float)b12[0] * (float)b20[i0];
  float v1 = v0 - (float)b3[i0];
  b6[i0] = v1;
  }
}

static __device__ inline void loop_10(int block, float* mem, const sg_step& s, const float* b3, const double* b11, const double* b21, float* b6, const double* b16, const double* b10, const double* b22) {
  if (block == 0 && threadIdx.x == 0) {
  double v0 = (double)b3[37] * (double)(-0.04000000000000001);
  double v1 = (double)b11[0] * (double)b11[0];
  double v2 = (double)s.scale * v1;
  double v3 = v2 * (double)b21[0];
  double v4 = v0 + v3;
  b6[37] = v4;
  double v5 = (double)s.scale * (double)b16[0];
  double v6 = (double)s.jacobian - v5;
  double v7 = (double)b10[0] * (double)(-0.25);
  double v8 = (double)s.scale * (double)b22[0];
  double v9 = (double)b11[0] * v8;
  double v10 = v1 * v9;
  double v11 = v7 + v10;
  double v12 = (double)b10[0] * v11;
  double v13 = v6 + v12;
  b6[38] = v13;
  }
}

extern "C" __global__ void __launch_bounds__(256) level_0(const sg_step* b0, const int* b1, float* b14, const float* b13, const int* b9, float* b18, const float* b17, const float* b3, double* b10, double* b11, double* b12, double* b16) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 102) {
    gather_1(block, mem, s, b14, b13, b9);
    return;
  }
  block -= 102;
  if (block < 3) {
    gather_4(block, mem, s, b18, b17, b9);
    return;
  }
  block -= 3;
  if (block < 1) {
    loop_0(block, mem, s, b3, b10, b11, b12);
    return;
  }
  block -= 1;
  count_rows_3(block, mem, s, b16);
}
extern "C" __global__ void __launch_bounds__(256) level_1(const sg_step* b0, const int* b1, const float* b14, const float* b3, float* b15) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  gemv_2(block, mem, s, b14, b3, b15);
}
extern "C" __global__ void __launch_bounds__(256) level_2(const sg_step* b0, const int* b1, const float* b3, const float* b15, const float* b18, float* b19) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  loop_4(block, mem, s, b3, b15, b18, b19);
}
extern "C" __global__ void __launch_bounds__(256) level_3(const sg_step* b0, const int* b1, const float* b14, const float* b19, float* b20, double* b21, double* b22) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 2) {
    gemvT_6(block, mem, s, b14, b19, b20);
    return;
  }
  block -= 2;
  if (block < 1) {
    sum_7(block, mem, s, b19, b21);
    return;
  }
  block -= 1;
  dot_8(block, mem, s, b19, b22);
}
extern "C" __global__ void __launch_bounds__(256) level_4(const sg_step* b0, const int* b1, const double* b12, const float* b20, const float* b3, float* b6, const double* b11, const double* b21, const double* b16, const double* b10, const double* b22) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 1) {
    loop_9(block, mem, s, b12, b20, b3, b6);
    return;
  }
  block -= 1;
  loop_10(block, mem, s, b3, b11, b21, b6, b16, b10, b22);
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
    if (i >= 39) break;
    X[k] = b3[i];
    P[k] = b4[i];
    Z[k] = b5[i];
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int i = first + k * 256;
    if (i >= 39) break;
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
    if (i >= 39) break;
    X[k] = b3[i];
    P[k] = b4[i];
    Z[k] = b5[i];
    G[k] = b6[i];
    U[k] = b7[i];
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int i = first + k * 256;
    if (i >= 39) break;
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
//   level_0; x of the rows; y of the rows; sigma.1; t.2; t.3; t.14
//   level_1 after level_0; t.8
//   level_2 after level_1; t.9
//   level_3 after level_2; t.10; t.12; t.15
//   level_4 after level_3; force
// tail:
//   tail; cursor; bad; x; v; xi
// step:
//   normals; noise
//   level_0; x of the rows; y of the rows; sigma.1; t.2; t.3; t.14
//   level_1 after level_0; t.8
//   level_2 after level_1; t.9
//   level_3 after level_2; t.10; t.12; t.15
//   level_4 after level_3; force
//   whole after level_4, normals; cursor; bad; x; v; xi
