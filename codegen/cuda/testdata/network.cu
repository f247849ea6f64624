
static __device__ inline void gather_0(int block, float* mem, const sg_step& s, float* b11, const float* b10, const int* b9) {
  int i = block * 256 + threadIdx.x;
  if (i < s.n * 784) {
    int r = i / 784;
    b11[i] = b10[(size_t)b9[s.at * 100 + r] * 784 + (i - r * 784)];
  }
}

static __device__ inline void gather_3(int block, float* mem, const sg_step& s, float* b15, const float* b14, const int* b9) {
  int i = block * 256 + threadIdx.x;
  if (i < s.n * 1) {
    int r = i / 1;
    b15[i] = b14[(size_t)b9[s.at * 100 + r] * 1 + (i - r * 1)];
  }
}

static __device__ inline void gemm_1(int block, float* mem, const sg_step& s, const float* b11, const float* b3, float* b12) {
  int tx = block % 13, ty = block / 13 % 4, e = block / 52;
  int z = e % 8, from = z * 100;
  e /= 8;
  sg_product<32, 32, 128, 1, 784, 1, 400, 1, true, true>(
      mem, b11 + e * 784, b3 + e * 313600, ty * 32, tx * 32, s.n, 400, from, min(784, from + 100),
      [&](int m, int n, float v) { b12[((z * 1 + e) * 100 + m) * 400 + n] = v; });
}

static __device__ inline void loop_2(int block, float* mem, const sg_step& s, double* b13) {
  if (block == 0 && threadIdx.x == 0) {
  double v0 = (double)s.scale;
  b13[0] = v0;
  }
}

static __device__ inline void scatter_4(int block, float* mem, const sg_step& s, const double* b13, const float* b15, float* b16) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int at = block * 256 + threadIdx.x;
  if (at < (s.n * 10) * 1) {
    int o = at / 1, i = at - o * 1;
    int o1 = (o) % 10;
    int o0 = (o) / 10;
    auto term = [&](int a) -> number { return [&]() -> float { return sg_index((float)b15[o0]) == o1 ? (float)b13[0] : 0.0f; }(); };
    number r = 0;
    for (int a = 0; a < 1; a++) r = both(r, term(a));
    b16[0 + o * 1 + i] = r;
  }
}

static __device__ inline void loop_5(int block, float* mem, const sg_step& s, const float* b3, const float* b12, float* b17) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 400)) {
  int i1 = (i) % 400;
  int i0 = (i) / 400;
  float v0 = (float)b3[313600 + i1] + (float)sg_pieces<8>(b12 + i1 + (i0) * 400, 40000);
  float v1 = sg_relu(v0);
  b17[i1 + (i0) * 400] = v1;
  }
}

static __device__ inline void gemm_6(int block, float* mem, const sg_step& s, const float* b17, const float* b3, float* b18) {
  int tx = block % 13, ty = block / 13 % 4, e = block / 52;
  int z = e % 4, from = z * 100;
  e /= 4;
  sg_product<32, 32, 128, 1, 400, 1, 400, 1, true, true>(
      mem, b17 + e * 400, (b3 + 314000) + e * 160000, ty * 32, tx * 32, s.n, 400, from, min(400, from + 100),
      [&](int m, int n, float v) { b18[((z * 1 + e) * 100 + m) * 400 + n] = v; });
}

static __device__ inline void loop_7(int block, float* mem, const sg_step& s, const float* b3, const float* b18, float* b19) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 400)) {
  int i1 = (i) % 400;
  int i0 = (i) / 400;
  float v0 = (float)b3[474000 + i1] + (float)sg_pieces<4>(b18 + i1 + (i0) * 400, 40000);
  float v1 = sg_relu(v0);
  b19[i1 + (i0) * 400] = v1;
  }
}

static __device__ inline void gemm_8(int block, float* mem, const sg_step& s, const float* b19, const float* b3, float* b20) {
  int tx = block % 1, ty = block / 1 % 7, e = block / 7;
  int z = e % 4, from = z * 100;
  e /= 4;
  sg_product<16, 16, 128, 1, 400, 1, 10, 1, true, false>(
      mem, b19 + e * 400, (b3 + 474400) + e * 4000, ty * 16, tx * 16, s.n, 10, from, min(400, from + 100),
      [&](int m, int n, float v) { b20[((z * 1 + e) * 100 + m) * 10 + n] = v; });
}

static __device__ inline void loop_9(int block, float* mem, const sg_step& s, const float* b3, const float* b20, float* b21) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 10)) {
  int i1 = (i) % 10;
  int i0 = (i) / 10;
  float v0 = (float)b3[478400 + i1] + (float)sg_pieces<4>(b20 + i1 + (i0) * 10, 1000);
  b21[i1 + (i0) * 10] = v0;
  }
}

static __device__ inline void log_sum_exp_10(int block, float* mem, const sg_step& s, const float* b21, float* b22) {
  typedef float number;
  auto both = [](number x, number y) -> number { return sg_max(x, y); };
  int at = block * 256 + threadIdx.x;
  if (at < s.n * 1) {
    int o = at / 1, i = at - o * 1;
    auto term = [&](int a) -> number { return b21[(o * 10 + a) * 1 + i]; };
    number r = (number)-sg_inf();
    for (int a = 0; a < 10; a++) r = both(r, term(a));
    number most = r, sum = 0;
    for (int a = 0; a < 10; a++) sum += sg_exp(term(a) - most);
    r = sg_abs(most) == (number)sg_inf() ? most : most + sg_log(sum);
    b22[0 + o * 1 + i] = r;
  }
}

static __device__ inline void loop_11(int block, float* mem, const sg_step& s, const float* b21, const float* b22, const float* b16, float* b23) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 10)) {
  int i1 = (i) % 10;
  int i0 = (i) / 10;
  float v0 = (float)((float)-sg_inf() == (float)b21[i1 + (i0) * 10]);
  float v1 = (float)b21[i1 + (i0) * 10] - (float)b22[i0];
  float v2 = sg_exp(v1);
  float v3 = (v0 != 0 ? (float)0.0 : v2);
  float v4 = (float)s.scale * v3;
  float v5 = (float)b16[i1 + (i0) * 10] - v4;
  b23[i1 + (i0) * 10] = v5;
  }
}

static __device__ inline void gemm_12(int block, float* mem, const sg_step& s, const float* b23, const float* b3, float* b24) {
  int tx = block % 13, ty = block / 13 % 4, e = block / 52;
  sg_product<32, 32, 128, 1, 10, 1, 1, 10, false, false>(
      mem, b23 + e * 10, (b3 + 474400) + e * 4000, ty * 32, tx * 32, s.n, 400, 0, 10,
      [&](int m, int n, float v) { b24[0 + e * 400 + m * 400 + n] = v; });
}

static __device__ inline void gemm_13(int block, float* mem, const sg_step& s, const float* b19, const float* b23, float* b25) {
  int tx = block % 1, ty = block / 1 % 25, e = block / 25;
  sg_product<16, 16, 128, 1, 1, 400, 10, 1, true, false>(
      mem, b19 + e * 400, b23 + e * 10, ty * 16, tx * 16, 400, 10, 0, s.n,
      [&](int m, int n, float v) { b25[0 + e * 4000 + m * 10 + n] = v; });
}

static __device__ inline void sum_14(int block, float* mem, const sg_step& s, const float* b23, float* b26) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block / 1, i = block % 1 * 32 + threadIdx.x % 32;
  int lane = threadIdx.x / 32;
  number* all = (number*)mem;
  if (o < 1) {
    auto term = [&](int a) -> number { return b23[(o * s.n + a) * 10 + i]; };
    number r = 0;
    if (i < 10)
      for (int a = lane; a < s.n; a += 8) r = both(r, term(a));
    all[threadIdx.x] = r;
    __syncthreads();
    r = all[threadIdx.x % 32];
    for (int k = 1; k < 8; k++) r = both(r, all[k * 32 + threadIdx.x % 32]);
    if (lane == 0 && i < 10) b26[0 + o * 10 + i] = r;
  }
}

static __device__ inline void loop_15(int block, float* mem, const sg_step& s, const float* b19, const float* b24, float* b27) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 400)) {
  int i1 = (i) % 400;
  int i0 = (i) / 400;
  float v0 = (float)((float)b19[i1 + (i0) * 400] > (float)0.0);
  float v1 = v0 * (float)b24[i1 + (i0) * 400];
  b27[i1 + (i0) * 400] = v1;
  }
}

static __device__ inline void gemm_16(int block, float* mem, const sg_step& s, const float* b27, const float* b3, float* b28) {
  int tx = block % 13, ty = block / 13 % 4, e = block / 52;
  int z = e % 4, from = z * 100;
  e /= 4;
  sg_product<32, 32, 128, 1, 400, 1, 1, 400, true, true>(
      mem, b27 + e * 400, (b3 + 314000) + e * 160000, ty * 32, tx * 32, s.n, 400, from, min(400, from + 100),
      [&](int m, int n, float v) { b28[((z * 1 + e) * 100 + m) * 400 + n] = v; });
}

static __device__ inline void gemm_17(int block, float* mem, const sg_step& s, const float* b17, const float* b27, float* b29) {
  int tx = block % 13, ty = block / 13 % 13, e = block / 169;
  sg_product<32, 32, 128, 1, 1, 400, 400, 1, true, true>(
      mem, b17 + e * 400, b27 + e * 400, ty * 32, tx * 32, 400, 400, 0, s.n,
      [&](int m, int n, float v) { b29[0 + e * 160000 + m * 400 + n] = v; });
}

static __device__ inline void sum_18(int block, float* mem, const sg_step& s, const float* b27, float* b30) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block / 13, i = block % 13 * 32 + threadIdx.x % 32;
  int lane = threadIdx.x / 32;
  number* all = (number*)mem;
  if (o < 1) {
    auto term = [&](int a) -> number { return b27[(o * s.n + a) * 400 + i]; };
    number r = 0;
    if (i < 400)
      for (int a = lane; a < s.n; a += 8) r = both(r, term(a));
    all[threadIdx.x] = r;
    __syncthreads();
    r = all[threadIdx.x % 32];
    for (int k = 1; k < 8; k++) r = both(r, all[k * 32 + threadIdx.x % 32]);
    if (lane == 0 && i < 400) b30[0 + o * 400 + i] = r;
  }
}

static __device__ inline void loop_19(int block, float* mem, const sg_step& s, const float* b17, const float* b28, float* b31) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 400)) {
  int i1 = (i) % 400;
  int i0 = (i) / 400;
  float v0 = (float)((float)b17[i1 + (i0) * 400] > (float)0.0);
  float v1 = v0 * (float)sg_pieces<4>(b28 + i1 + (i0) * 400, 40000);
  b31[i1 + (i0) * 400] = v1;
  }
}

static __device__ inline void gemm_20(int block, float* mem, const sg_step& s, const float* b11, const float* b31, float* b32) {
  int tx = block % 13, ty = block / 13 % 25, e = block / 325;
  sg_product<32, 32, 128, 1, 1, 784, 400, 1, true, true>(
      mem, b11 + e * 784, b31 + e * 400, ty * 32, tx * 32, 784, 400, 0, s.n,
      [&](int m, int n, float v) { b32[0 + e * 313600 + m * 400 + n] = v; });
}

static __device__ inline void sum_21(int block, float* mem, const sg_step& s, const float* b31, float* b33) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block / 13, i = block % 13 * 32 + threadIdx.x % 32;
  int lane = threadIdx.x / 32;
  number* all = (number*)mem;
  if (o < 1) {
    auto term = [&](int a) -> number { return b31[(o * s.n + a) * 400 + i]; };
    number r = 0;
    if (i < 400)
      for (int a = lane; a < s.n; a += 8) r = both(r, term(a));
    all[threadIdx.x] = r;
    __syncthreads();
    r = all[threadIdx.x % 32];
    for (int k = 1; k < 8; k++) r = both(r, all[k * 32 + threadIdx.x % 32]);
    if (lane == 0 && i < 400) b33[0 + o * 400 + i] = r;
  }
}

static __device__ inline void loop_22(int block, float* mem, const sg_step& s, const float* b32, const float* b3, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 313600) {
  int i1 = (i) % 400;
  int i0 = (i) / 400;
  float v0 = (float)b32[i1 + (i0) * 400] - (float)b3[i1 + (i0) * 400];
  b6[i1 + (i0) * 400] = v0;
  }
}

static __device__ inline void loop_23(int block, float* mem, const sg_step& s, const float* b33, const float* b3, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 400) {
  int i0 = i;
  float v0 = (float)b33[i0] - (float)b3[313600 + i0];
  b6[313600 + i0] = v0;
  }
}

static __device__ inline void loop_24(int block, float* mem, const sg_step& s, const float* b29, const float* b3, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 160000) {
  int i1 = (i) % 400;
  int i0 = (i) / 400;
  float v0 = (float)b29[i1 + (i0) * 400] - (float)b3[314000 + i1 + (i0) * 400];
  b6[314000 + i1 + (i0) * 400] = v0;
  }
}

static __device__ inline void loop_25(int block, float* mem, const sg_step& s, const float* b30, const float* b3, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 400) {
  int i0 = i;
  float v0 = (float)b30[i0] - (float)b3[474000 + i0];
  b6[474000 + i0] = v0;
  }
}

static __device__ inline void loop_26(int block, float* mem, const sg_step& s, const float* b25, const float* b3, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 4000) {
  int i1 = (i) % 10;
  int i0 = (i) / 10;
  float v0 = (float)b25[i1 + (i0) * 10] - (float)b3[474400 + i1 + (i0) * 10];
  b6[474400 + i1 + (i0) * 10] = v0;
  }
}

static __device__ inline void loop_27(int block, float* mem, const sg_step& s, const float* b26, const float* b3, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 10) {
  int i0 = i;
  float v0 = (float)b26[i0] - (float)b3[478400 + i0];
  b6[478400 + i0] = v0;
  }
}

extern "C" __global__ void __launch_bounds__(256) level_0(const sg_step* b0, const int* b1, float* b11, const float* b10, const int* b9, float* b15, const float* b14, double* b13) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 307) {
    gather_0(block, mem, s, b11, b10, b9);
    return;
  }
  block -= 307;
  if (block < 1) {
    gather_3(block, mem, s, b15, b14, b9);
    return;
  }
  block -= 1;
  loop_2(block, mem, s, b13);
}
extern "C" __global__ void __launch_bounds__(256, 3) level_1(const sg_step* b0, const int* b1, const float* b11, const float* b3, float* b12, const double* b13, const float* b15, float* b16) {
  __shared__ float4 mem4[2304];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 416) {
    gemm_1(block, mem, s, b11, b3, b12);
    return;
  }
  block -= 416;
  scatter_4(block, mem, s, b13, b15, b16);
}
extern "C" __global__ void __launch_bounds__(256) level_2(const sg_step* b0, const int* b1, const float* b3, const float* b12, float* b17) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  loop_5(block, mem, s, b3, b12, b17);
}
extern "C" __global__ void __launch_bounds__(256, 3) level_3(const sg_step* b0, const int* b1, const float* b17, const float* b3, float* b18) {
  __shared__ float4 mem4[2304];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  gemm_6(block, mem, s, b17, b3, b18);
}
extern "C" __global__ void __launch_bounds__(256) level_4(const sg_step* b0, const int* b1, const float* b3, const float* b18, float* b19) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  loop_7(block, mem, s, b3, b18, b19);
}
extern "C" __global__ void __launch_bounds__(256, 3) level_5(const sg_step* b0, const int* b1, const float* b19, const float* b3, float* b20) {
  __shared__ float4 mem4[1280];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  gemm_8(block, mem, s, b19, b3, b20);
}
extern "C" __global__ void __launch_bounds__(256) level_6(const sg_step* b0, const int* b1, const float* b3, const float* b20, float* b21) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  loop_9(block, mem, s, b3, b20, b21);
}
extern "C" __global__ void __launch_bounds__(256) level_7(const sg_step* b0, const int* b1, const float* b21, float* b22) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  log_sum_exp_10(block, mem, s, b21, b22);
}
extern "C" __global__ void __launch_bounds__(256) level_8(const sg_step* b0, const int* b1, const float* b21, const float* b22, const float* b16, float* b23) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  loop_11(block, mem, s, b21, b22, b16, b23);
}
extern "C" __global__ void __launch_bounds__(256, 3) level_9(const sg_step* b0, const int* b1, const float* b23, const float* b3, float* b24, const float* b19, float* b25, float* b26) {
  __shared__ float4 mem4[2304];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 52) {
    gemm_12(block, mem, s, b23, b3, b24);
    return;
  }
  block -= 52;
  if (block < 25) {
    gemm_13(block, mem, s, b19, b23, b25);
    return;
  }
  block -= 25;
  sum_14(block, mem, s, b23, b26);
}
extern "C" __global__ void __launch_bounds__(256) level_10(const sg_step* b0, const int* b1, const float* b19, const float* b24, float* b27, const float* b25, const float* b3, float* b6, const float* b26) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 157) {
    loop_15(block, mem, s, b19, b24, b27);
    return;
  }
  block -= 157;
  if (block < 16) {
    loop_26(block, mem, s, b25, b3, b6);
    return;
  }
  block -= 16;
  loop_27(block, mem, s, b26, b3, b6);
}
extern "C" __global__ void __launch_bounds__(256, 3) level_11(const sg_step* b0, const int* b1, const float* b27, const float* b3, float* b28, const float* b17, float* b29, float* b30) {
  __shared__ float4 mem4[2304];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 208) {
    gemm_16(block, mem, s, b27, b3, b28);
    return;
  }
  block -= 208;
  if (block < 169) {
    gemm_17(block, mem, s, b17, b27, b29);
    return;
  }
  block -= 169;
  sum_18(block, mem, s, b27, b30);
}
extern "C" __global__ void __launch_bounds__(256) level_12(const sg_step* b0, const int* b1, const float* b17, const float* b28, float* b31, const float* b29, const float* b3, float* b6, const float* b30) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 157) {
    loop_19(block, mem, s, b17, b28, b31);
    return;
  }
  block -= 157;
  if (block < 625) {
    loop_24(block, mem, s, b29, b3, b6);
    return;
  }
  block -= 625;
  loop_25(block, mem, s, b30, b3, b6);
}
extern "C" __global__ void __launch_bounds__(256, 3) level_13(const sg_step* b0, const int* b1, const float* b11, const float* b31, float* b32, float* b33) {
  __shared__ float4 mem4[2304];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 325) {
    gemm_20(block, mem, s, b11, b31, b32);
    return;
  }
  block -= 325;
  sum_21(block, mem, s, b31, b33);
}
extern "C" __global__ void __launch_bounds__(256) level_14(const sg_step* b0, const int* b1, const float* b32, const float* b3, float* b6, const float* b33) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 1225) {
    loop_22(block, mem, s, b32, b3, b6);
    return;
  }
  block -= 1225;
  loop_23(block, mem, s, b33, b3, b6);
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
    if (i >= 478410) break;
    X[k] = b3[i];
    P[k] = b4[i];
    Z[k] = b5[i];
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int i = first + k * 256;
    if (i >= 478410) break;
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
    if (i >= 478410) break;
    X[k] = b3[i];
    P[k] = b4[i];
    Z[k] = b5[i];
    G[k] = b6[i];
    U[k] = b7[i];
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int i = first + k * 256;
    if (i >= 478410) break;
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
//   level_0; x of the rows; y of the rows; scale.33
//   level_1 after level_0; part of t.3; t.10
//   level_2 after level_1; t.4
//   level_3 after level_2; part of t.7
//   level_4 after level_3; t.8
//   level_5 after level_4; part of t.13
//   level_6 after level_5; t.14
//   level_7 after level_6; t.15
//   level_8 after level_7; t.16
//   level_9 after level_8; t.17; t.29; t.31
//   level_10 after level_9; t.18; force
//   level_11 after level_10; part of t.19; t.25; t.27
//   level_12 after level_11; t.20; force
//   level_13 after level_12; t.21; t.23
//   level_14 after level_13; force
// tail:
//   tail; cursor; bad; x; v; xi
// step:
//   normals; noise
//   level_0; x of the rows; y of the rows; scale.33
//   level_1 after level_0; part of t.3; t.10
//   level_2 after level_1; t.4
//   level_3 after level_2; part of t.7
//   level_4 after level_3; t.8
//   level_5 after level_4; part of t.13
//   level_6 after level_5; t.14
//   level_7 after level_6; t.15
//   level_8 after level_7; t.16
//   level_9 after level_8; t.17; t.29; t.31
//   level_10 after level_9; t.18; force
//   level_11 after level_10; part of t.19; t.25; t.27
//   level_12 after level_11; t.20; force
//   level_13 after level_12; t.21; t.23
//   level_14 after level_13; force
//   whole after level_14, normals; cursor; bad; x; v; xi
