
static __device__ inline void gather_0(int block, float* mem, const sg_step& s, float* b11, const float* b10, const int* b9) {
  int i = block * 256 + threadIdx.x;
  if (i < s.n * 60) {
    int r = i / 60;
    b11[i] = b10[(size_t)b9[s.at * 1000 + r] * 60 + (i - r * 60)];
  }
}

static __device__ inline void gather_2(int block, float* mem, const sg_step& s, float* b14, const float* b13, const int* b9) {
  int i = block * 256 + threadIdx.x;
  if (i < s.n * 1) {
    int r = i / 1;
    b14[i] = b13[(size_t)b9[s.at * 1000 + r] * 1 + (i - r * 1)];
  }
}

static __device__ inline void gemv_1(int block, float* mem, const sg_step& s, const float* b11, const float* b3, float* b12) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block, i = 0;
  if (o < s.n) {
    auto term = [&](int a) -> number { return b11[o * 60 + a] * b3[a]; };
    number r = 0;
    for (int a = threadIdx.x; a < 60; a += 256) r = both(r, term(a));
    r = sg_over((number*)mem, r, both);
    if (threadIdx.x == 0) b12[0 + o * 1 + i] = r;
  }
}

static __device__ inline void loop_2(int block, float* mem, const sg_step& s, const float* b3, const float* b12, const float* b14, float* b15) {
  int i = block * 256 + threadIdx.x;
  if (i < s.n) {
  int i0 = i;
  float v0 = (float)b3[60] + (float)b12[i0];
  float v1 = sg_sigmoid(v0);
  float v2 = (float)b14[i0] - v1;
  b15[i0] = v2;
  }
}

static __device__ inline void gemvT_4(int block, float* mem, const sg_step& s, const float* b11, const float* b15, float* b16) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block / 2, i = block % 2 * 32 + threadIdx.x % 32;
  int lane = threadIdx.x / 32;
  number* all = (number*)mem;
  if (o < 1) {
    auto term = [&](int a) -> number { return b11[(o * s.n + a) * 60 + i] * b15[o * s.n + a]; };
    number r = 0;
    if (i < 60)
      for (int a = lane; a < s.n; a += 8) r = both(r, term(a));
    all[threadIdx.x] = r;
    __syncthreads();
    r = all[threadIdx.x % 32];
    for (int k = 1; k < 8; k++) r = both(r, all[k * 32 + threadIdx.x % 32]);
    if (lane == 0 && i < 60) b16[0 + o * 60 + i] = r;
  }
}

static __device__ inline void sum_5(int block, float* mem, const sg_step& s, const float* b15, double* b17) {
  typedef double number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block, i = 0;
  if (o < 1) {
    auto term = [&](int a) -> number { return b15[(o * s.n + a) * 1 + i]; };
    number r = 0;
    for (int a = threadIdx.x; a < s.n; a += 256) r = both(r, term(a));
    r = sg_over((number*)mem, r, both);
    if (threadIdx.x == 0) b17[0 + o * 1 + i] = r;
  }
}

static __device__ inline void loop_6(int block, float* mem, const sg_step& s, const float* b3, const float* b16, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 60) {
  int i0 = i;
  float v0 = (float)b3[i0] * (float)(-0.1);
  float v1 = (float)s.scale * (float)b16[i0];
  float v2 = v0 + v1;
  b6[i0] = v2;
  }
}

static __device__ inline void loop_7(int block, float* mem, const sg_step& s, const float* b3, const double* b17, float* b6) {
  if (block == 0 && threadIdx.x == 0) {
  double v0 = (double)b3[60] * (double)(-0.1);
  double v1 = (double)s.scale * (double)b17[0];
  double v2 = v0 + v1;
  b6[60] = v2;
  }
}

extern "C" __global__ void __launch_bounds__(256) level_0(const sg_step* b0, const int* b1, float* b11, const float* b10, const int* b9, float* b14, const float* b13) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 235) {
    gather_0(block, mem, s, b11, b10, b9);
    return;
  }
  block -= 235;
  gather_2(block, mem, s, b14, b13, b9);
}
extern "C" __global__ void __launch_bounds__(256) level_1(const sg_step* b0, const int* b1, const float* b11, const float* b3, float* b12) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  gemv_1(block, mem, s, b11, b3, b12);
}
extern "C" __global__ void __launch_bounds__(256) level_2(const sg_step* b0, const int* b1, const float* b3, const float* b12, const float* b14, float* b15) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  loop_2(block, mem, s, b3, b12, b14, b15);
}
extern "C" __global__ void __launch_bounds__(256) level_3(const sg_step* b0, const int* b1, const float* b11, const float* b15, float* b16, double* b17) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 2) {
    gemvT_4(block, mem, s, b11, b15, b16);
    return;
  }
  block -= 2;
  sum_5(block, mem, s, b15, b17);
}
extern "C" __global__ void __launch_bounds__(256) level_4(const sg_step* b0, const int* b1, const float* b3, const float* b16, float* b6, const double* b17) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 1) {
    loop_6(block, mem, s, b3, b16, b6);
    return;
  }
  block -= 1;
  loop_7(block, mem, s, b3, b17, b6);
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
    if (i >= 61) break;
    X[k] = b3[i];
    P[k] = b4[i];
    Z[k] = b5[i];
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int i = first + k * 256;
    if (i >= 61) break;
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
    if (i >= 61) break;
    X[k] = b3[i];
    P[k] = b4[i];
    Z[k] = b5[i];
    G[k] = b6[i];
    U[k] = b7[i];
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int i = first + k * 256;
    if (i >= 61) break;
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
//   level_0; x of the rows; y of the rows
//   level_1 after level_0; t.4
//   level_2 after level_1; t.5
//   level_3 after level_2; t.6; t.8
//   level_4 after level_3; force
// tail:
//   tail; cursor; bad; x; v; xi
// step:
//   normals; noise
//   level_0; x of the rows; y of the rows
//   level_1 after level_0; t.4
//   level_2 after level_1; t.5
//   level_3 after level_2; t.6; t.8
//   level_4 after level_3; force
//   whole after level_4, normals; cursor; bad; x; v; xi
