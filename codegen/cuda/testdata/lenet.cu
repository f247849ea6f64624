
static __device__ inline void gather_5(int block, float* mem, const sg_step& s, float* b16, const float* b15, const int* b9) {
  int i = block * 256 + threadIdx.x;
  if (i < s.n * 1) {
    int r = i / 1;
    b16[i] = b15[(size_t)b9[s.at * 12 + r] * 1 + (i - r * 1)];
  }
}

static __device__ inline void gather_7(int block, float* mem, const sg_step& s, float* b19, const float* b18, const int* b9) {
  int i = block * 256 + threadIdx.x;
  if (i < s.n * 784) {
    int r = i / 784;
    b19[i] = b18[(size_t)b9[s.at * 12 + r] * 784 + (i - r * 784)];
  }
}

static __device__ inline void loop_0(int block, float* mem, const sg_step& s, float* b10) {
  int i = block * 256 + threadIdx.x;
  if (i < 1) {
  int i0 = i;
  float v0 = (float)((float)0.0 == (float)i0);
  b10[i0] = v0;
  }
}

static __device__ inline void loop_1(int block, float* mem, const sg_step& s, const float* b3, float* b11) {
  int i = block * 256 + threadIdx.x;
  if (i < 800) {
  int i2 = (i) % 5;
  int i1 = ((i) / 5) % 5;
  int i0 = ((i) / 5) / 5;
  float v0 = (float)b3[i2 + (i1) * 5 + (0) * 25 + (i0) * 25];
  b11[i2 + (i1) * 5 + (i0) * 25] = v0;
  }
}

static __device__ inline void loop_2(int block, float* mem, const sg_step& s, const float* b3, float* b12) {
  int i = block * 256 + threadIdx.x;
  if (i < 51200) {
  int i3 = (i) % 64;
  int i2 = ((i) / 64) % 32;
  int i1 = (((i) / 64) / 32) % 5;
  int i0 = (((i) / 64) / 32) / 5;
  float v0 = (float)b3[832 + i1 + (i0) * 5 + (i2) * 25 + (i3) * 800];
  b12[i3 + (i2) * 64 + (i1) * 2048 + (i0) * 10240] = v0;
  }
}

static __device__ inline void loop_3(int block, float* mem, const sg_step& s, const float* b11, float* b13) {
  int i = block * 256 + threadIdx.x;
  if (i < 800) {
  int i2 = (i) % 5;
  int i1 = ((i) / 5) % 5;
  int i0 = ((i) / 5) / 5;
  float v0 = (float)b11[i2 + (i1) * 5 + (i0) * 25];
  b13[i0 + (i2) * 32 + (i1) * 160] = v0;
  }
}

static __device__ inline void loop_4(int block, float* mem, const sg_step& s, double* b14) {
  if (block == 0 && threadIdx.x == 0) {
  double v0 = (double)s.scale;
  b14[0] = v0;
  }
}

static __device__ inline void scatter_6(int block, float* mem, const sg_step& s, const double* b14, const float* b16, float* b17) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int at = block * 256 + threadIdx.x;
  if (at < (s.n * 10) * 1) {
    int o = at / 1, i = at - o * 1;
    int o1 = (o) % 10;
    int o0 = (o) / 10;
    auto term = [&](int a) -> number { return [&]() -> float { return sg_index((float)b16[o0]) == o1 ? (float)b14[0] : 0.0f; }(); };
    number r = 0;
    for (int a = 0; a < 1; a++) r = both(r, term(a));
    b17[0 + o * 1 + i] = r;
  }
}

static __device__ inline void loop_7(int block, float* mem, const sg_step& s, const float* b19, float* b20) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 784)) {
  int i2 = (i) % 28;
  int i1 = ((i) / 28) % 28;
  int i0 = ((i) / 28) / 28;
  float v0 = (float)b19[i2 + (i1) * 28 + (0) * 784 + (i0) * 784];
  b20[i2 + (i1) * 28 + (i0) * 784] = v0;
  }
}

static __device__ inline void window_9(int block, float* mem, const sg_step& s, const float* b20, float* b21) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 14400)) {
    int c = i % 1, l = i / 1;
    int q1 = l % 5, q0 = l / 5 % 5, p1 = l / 25 % 24, p0 = l / 600 % 24, o = l / 14400;
    b21[0 + i] = b20[((o * 28 + p0 * 1 + q0) * 28 + p1 * 1 + q1) * 1 + c];
  }
}

static __device__ inline void gemm_10(int block, float* mem, const sg_step& s, const float* b21, const float* b13, float* b22) {
  int tx = block % 1, ty = block / 1 % 216, e = block / 216;
  sg_product<32, 32, 128, 1, 25, 1, 32, 1, false, true>(
      mem, b21 + e * 14400, b13 + e * 800, ty * 32, tx * 32, (s.n * 576), 32, 0, 25,
      [&](int m, int n, float v) { b22[0 + e * 18432 + m * 32 + n] = v; });
}

static __device__ inline void window_max_11(int block, float* mem, const sg_step& s, const float* b22, float* b23) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 4608)) {
    int c = i % 32, l = i / 32;
    int p1 = l % 12, p0 = l / 12 % 12, o = l / 144;
    float most = -(float)sg_inf();
    for (int q0 = 0; q0 < 2; q0++)
      for (int q1 = 0; q1 < 2; q1++)
        most = sg_max(most, b22[((o * 24 + p0 * 2 + q0) * 24 + p1 * 2 + q1) * 32 + c]);
    b23[0 + i] = most;
  }
}

static __device__ inline void loop_12(int block, float* mem, const sg_step& s, const float* b3, const float* b23, float* b24) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 4608)) {
  int i3 = (i) % 32;
  int i2 = ((i) / 32) % 12;
  int i1 = (((i) / 32) / 12) % 12;
  int i0 = (((i) / 32) / 12) / 12;
  float v0 = (float)b3[800 + i3] + (float)b23[i3 + (i2) * 32 + (i1) * 384 + (i0) * 4608];
  float v1 = sg_relu(v0);
  b24[i3 + (i2) * 32 + (i1) * 384 + (i0) * 4608] = v1;
  }
}

static __device__ inline void window_13(int block, float* mem, const sg_step& s, const float* b24, float* b25) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 51200)) {
    int c = i % 32, l = i / 32;
    int q1 = l % 5, q0 = l / 5 % 5, p1 = l / 25 % 8, p0 = l / 200 % 8, o = l / 1600;
    b25[0 + i] = b24[((o * 12 + p0 * 1 + q0) * 12 + p1 * 1 + q1) * 32 + c];
  }
}

static __device__ inline void gemm_14(int block, float* mem, const sg_step& s, const float* b25, const float* b12, float* b26) {
  int tx = block % 2, ty = block / 2 % 24, e = block / 48;
  int z = e % 8, from = z * 100;
  e /= 8;
  sg_product<32, 32, 128, 1, 800, 1, 64, 1, true, true>(
      mem, b25 + e * 51200, b12 + e * 51200, ty * 32, tx * 32, (s.n * 64), 64, from, min(800, from + 100),
      [&](int m, int n, float v) { b26[((z * 1 + e) * 768 + m) * 64 + n] = v; });
}

static __device__ inline void sum_15(int block, float* mem, const sg_step& s, const float* b26, float* b27) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int at = block * 256 + threadIdx.x;
  if (at < 1 * 49152) {
    int o = at / 49152, i = at - o * 49152;
    auto term = [&](int a) -> number { return b26[a * 49152 + i]; };
    number r = 0;
    for (int a = 0; a < 8; a++) r = both(r, term(a));
    b27[0 + o * 49152 + i] = r;
  }
}

static __device__ inline void window_max_16(int block, float* mem, const sg_step& s, const float* b27, float* b28) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 1024)) {
    int c = i % 64, l = i / 64;
    int p1 = l % 4, p0 = l / 4 % 4, o = l / 16;
    float most = -(float)sg_inf();
    for (int q0 = 0; q0 < 2; q0++)
      for (int q1 = 0; q1 < 2; q1++)
        most = sg_max(most, b27[((o * 8 + p0 * 2 + q0) * 8 + p1 * 2 + q1) * 64 + c]);
    b28[0 + i] = most;
  }
}

static __device__ inline void loop_17(int block, float* mem, const sg_step& s, const float* b3, const float* b28, float* b29) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 1024)) {
  int i3 = (i) % 64;
  int i2 = ((i) / 64) % 4;
  int i1 = (((i) / 64) / 4) % 4;
  int i0 = (((i) / 64) / 4) / 4;
  float v0 = (float)b3[52032 + i3] + (float)b28[i3 + (i2) * 64 + (i1) * 256 + (i0) * 1024];
  float v1 = sg_relu(v0);
  b29[i3 + (i2) * 64 + (i1) * 256 + (i0) * 1024] = v1;
  }
}

static __device__ inline void loop_18(int block, float* mem, const sg_step& s, const float* b29, float* b30) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 1024)) {
  int i3 = (i) % 64;
  int i2 = ((i) / 64) % 4;
  int i1 = (((i) / 64) / 4) % 4;
  int i0 = (((i) / 64) / 4) / 4;
  float v0 = (float)b29[i3 + (i2) * 64 + (i1) * 256 + (i0) * 1024];
  b30[i2 + (i1) * 4 + (i3) * 16 + (i0) * 1024] = v0;
  }
}

static __device__ inline void copy_19(int block, float* mem, const sg_step& s, const float* b30, float* b31) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 1024)) {
    b31[0 + i] = b30[i];
  }
}

static __device__ inline void gemm_20(int block, float* mem, const sg_step& s, const float* b31, const float* b3, float* b32) {
  int tx = block % 13, ty = block / 13 % 1, e = block / 13;
  int z = e % 10, from = z * 104;
  e /= 10;
  sg_product<16, 16, 128, 1, 1024, 1, 200, 1, true, true>(
      mem, b31 + e * 1024, (b3 + 52096) + e * 204800, ty * 16, tx * 16, s.n, 200, from, min(1024, from + 104),
      [&](int m, int n, float v) { b32[((z * 1 + e) * 12 + m) * 200 + n] = v; });
}

static __device__ inline void loop_21(int block, float* mem, const sg_step& s, const float* b3, const float* b32, float* b33) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 200)) {
  int i1 = (i) % 200;
  int i0 = (i) / 200;
  float v0 = (float)b3[256896 + i1] + (float)sg_pieces<10>(b32 + i1 + (i0) * 200, 2400);
  float v1 = sg_relu(v0);
  b33[i1 + (i0) * 200] = v1;
  }
}

static __device__ inline void gemm_22(int block, float* mem, const sg_step& s, const float* b33, const float* b3, float* b34) {
  int tx = block % 13, ty = block / 13 % 1, e = block / 13;
  int z = e % 2, from = z * 100;
  e /= 2;
  sg_product<16, 16, 128, 1, 200, 1, 200, 1, true, true>(
      mem, b33 + e * 200, (b3 + 257096) + e * 40000, ty * 16, tx * 16, s.n, 200, from, min(200, from + 100),
      [&](int m, int n, float v) { b34[((z * 1 + e) * 12 + m) * 200 + n] = v; });
}

static __device__ inline void loop_23(int block, float* mem, const sg_step& s, const float* b3, const float* b34, float* b35) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 200)) {
  int i1 = (i) % 200;
  int i0 = (i) / 200;
  float v0 = (float)b3[297096 + i1] + (float)sg_pieces<2>(b34 + i1 + (i0) * 200, 2400);
  float v1 = sg_relu(v0);
  b35[i1 + (i0) * 200] = v1;
  }
}

static __device__ inline void gemm_24(int block, float* mem, const sg_step& s, const float* b35, const float* b3, float* b36) {
  int tx = block % 1, ty = block / 1 % 1, e = block / 1;
  int z = e % 2, from = z * 100;
  e /= 2;
  sg_product<16, 16, 128, 1, 200, 1, 10, 1, true, false>(
      mem, b35 + e * 200, (b3 + 297296) + e * 2000, ty * 16, tx * 16, s.n, 10, from, min(200, from + 100),
      [&](int m, int n, float v) { b36[((z * 1 + e) * 12 + m) * 10 + n] = v; });
}

static __device__ inline void loop_25(int block, float* mem, const sg_step& s, const float* b3, const float* b36, float* b37) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 10)) {
  int i1 = (i) % 10;
  int i0 = (i) / 10;
  float v0 = (float)b3[299296 + i1] + (float)sg_pieces<2>(b36 + i1 + (i0) * 10, 120);
  b37[i1 + (i0) * 10] = v0;
  }
}

static __device__ inline void log_sum_exp_26(int block, float* mem, const sg_step& s, const float* b37, float* b38) {
  typedef float number;
  auto both = [](number x, number y) -> number { return sg_max(x, y); };
  int at = block * 256 + threadIdx.x;
  if (at < s.n * 1) {
    int o = at / 1, i = at - o * 1;
    auto term = [&](int a) -> number { return b37[(o * 10 + a) * 1 + i]; };
    number r = (number)-sg_inf();
    for (int a = 0; a < 10; a++) r = both(r, term(a));
    number most = r, sum = 0;
    for (int a = 0; a < 10; a++) sum += sg_exp(term(a) - most);
    r = sg_abs(most) == (number)sg_inf() ? most : most + sg_log(sum);
    b38[0 + o * 1 + i] = r;
  }
}

static __device__ inline void loop_27(int block, float* mem, const sg_step& s, const float* b37, const float* b38, const float* b17, float* b39) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 10)) {
  int i1 = (i) % 10;
  int i0 = (i) / 10;
  float v0 = (float)((float)-sg_inf() == (float)b37[i1 + (i0) * 10]);
  float v1 = (float)b37[i1 + (i0) * 10] - (float)b38[i0];
  float v2 = sg_exp(v1);
  float v3 = (v0 != 0 ? (float)0.0 : v2);
  float v4 = (float)s.scale * v3;
  float v5 = (float)b17[i1 + (i0) * 10] - v4;
  b39[i1 + (i0) * 10] = v5;
  }
}

static __device__ inline void gemm_28(int block, float* mem, const sg_step& s, const float* b39, const float* b3, float* b40) {
  int tx = block % 13, ty = block / 13 % 1, e = block / 13;
  sg_product<16, 16, 128, 1, 10, 1, 1, 10, false, false>(
      mem, b39 + e * 10, (b3 + 297296) + e * 2000, ty * 16, tx * 16, s.n, 200, 0, 10,
      [&](int m, int n, float v) { b40[0 + e * 200 + m * 200 + n] = v; });
}

static __device__ inline void gemm_29(int block, float* mem, const sg_step& s, const float* b35, const float* b39, float* b41) {
  int tx = block % 1, ty = block / 1 % 13, e = block / 13;
  sg_product<16, 16, 128, 1, 1, 200, 10, 1, true, false>(
      mem, b35 + e * 200, b39 + e * 10, ty * 16, tx * 16, 200, 10, 0, s.n,
      [&](int m, int n, float v) { b41[0 + e * 2000 + m * 10 + n] = v; });
}

static __device__ inline void sum_30(int block, float* mem, const sg_step& s, const float* b39, float* b42) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int at = block * 256 + threadIdx.x;
  if (at < 1 * 10) {
    int o = at / 10, i = at - o * 10;
    auto term = [&](int a) -> number { return b39[(o * s.n + a) * 10 + i]; };
    number r = 0;
    for (int a = 0; a < s.n; a++) r = both(r, term(a));
    b42[0 + o * 10 + i] = r;
  }
}

static __device__ inline void loop_31(int block, float* mem, const sg_step& s, const float* b35, const float* b40, float* b43) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 200)) {
  int i1 = (i) % 200;
  int i0 = (i) / 200;
  float v0 = (float)((float)b35[i1 + (i0) * 200] > (float)0.0);
  float v1 = v0 * (float)b40[i1 + (i0) * 200];
  b43[i1 + (i0) * 200] = v1;
  }
}

static __device__ inline void gemm_32(int block, float* mem, const sg_step& s, const float* b43, const float* b3, float* b44) {
  int tx = block % 13, ty = block / 13 % 1, e = block / 13;
  int z = e % 2, from = z * 100;
  e /= 2;
  sg_product<16, 16, 128, 1, 200, 1, 1, 200, true, true>(
      mem, b43 + e * 200, (b3 + 257096) + e * 40000, ty * 16, tx * 16, s.n, 200, from, min(200, from + 100),
      [&](int m, int n, float v) { b44[((z * 1 + e) * 12 + m) * 200 + n] = v; });
}

static __device__ inline void gemm_33(int block, float* mem, const sg_step& s, const float* b33, const float* b43, float* b45) {
  int tx = block % 7, ty = block / 7 % 7, e = block / 49;
  sg_product<32, 32, 128, 1, 1, 200, 200, 1, true, true>(
      mem, b33 + e * 200, b43 + e * 200, ty * 32, tx * 32, 200, 200, 0, s.n,
      [&](int m, int n, float v) { b45[0 + e * 40000 + m * 200 + n] = v; });
}

static __device__ inline void sum_34(int block, float* mem, const sg_step& s, const float* b43, float* b46) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int at = block * 256 + threadIdx.x;
  if (at < 1 * 200) {
    int o = at / 200, i = at - o * 200;
    auto term = [&](int a) -> number { return b43[(o * s.n + a) * 200 + i]; };
    number r = 0;
    for (int a = 0; a < s.n; a++) r = both(r, term(a));
    b46[0 + o * 200 + i] = r;
  }
}

static __device__ inline void loop_35(int block, float* mem, const sg_step& s, const float* b33, const float* b44, float* b47) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 200)) {
  int i1 = (i) % 200;
  int i0 = (i) / 200;
  float v0 = (float)((float)b33[i1 + (i0) * 200] > (float)0.0);
  float v1 = v0 * (float)sg_pieces<2>(b44 + i1 + (i0) * 200, 2400);
  b47[i1 + (i0) * 200] = v1;
  }
}

static __device__ inline void gemm_36(int block, float* mem, const sg_step& s, const float* b47, const float* b3, float* b48) {
  int tx = block % 64, ty = block / 64 % 1, e = block / 64;
  int z = e % 2, from = z * 100;
  e /= 2;
  sg_product<16, 16, 128, 1, 200, 1, 1, 200, true, true>(
      mem, b47 + e * 200, (b3 + 52096) + e * 204800, ty * 16, tx * 16, s.n, 1024, from, min(200, from + 100),
      [&](int m, int n, float v) { b48[((z * 1 + e) * 12 + m) * 1024 + n] = v; });
}

static __device__ inline void sum_37(int block, float* mem, const sg_step& s, const float* b48, float* b49) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int at = block * 256 + threadIdx.x;
  if (at < 1 * 12288) {
    int o = at / 12288, i = at - o * 12288;
    auto term = [&](int a) -> number { return b48[a * 12288 + i]; };
    number r = 0;
    for (int a = 0; a < 2; a++) r = both(r, term(a));
    b49[0 + o * 12288 + i] = r;
  }
}

static __device__ inline void gemm_38(int block, float* mem, const sg_step& s, const float* b31, const float* b47, float* b50) {
  int tx = block % 7, ty = block / 7 % 32, e = block / 224;
  sg_product<32, 32, 128, 1, 1, 1024, 200, 1, true, true>(
      mem, b31 + e * 1024, b47 + e * 200, ty * 32, tx * 32, 1024, 200, 0, s.n,
      [&](int m, int n, float v) { b50[0 + e * 204800 + m * 200 + n] = v; });
}

static __device__ inline void sum_39(int block, float* mem, const sg_step& s, const float* b47, float* b51) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int at = block * 256 + threadIdx.x;
  if (at < 1 * 200) {
    int o = at / 200, i = at - o * 200;
    auto term = [&](int a) -> number { return b47[(o * s.n + a) * 200 + i]; };
    number r = 0;
    for (int a = 0; a < s.n; a++) r = both(r, term(a));
    b51[0 + o * 200 + i] = r;
  }
}

static __device__ inline void copy_40(int block, float* mem, const sg_step& s, const float* b49, float* b52) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 1024)) {
    b52[0 + i] = b49[i];
  }
}

static __device__ inline void loop_41(int block, float* mem, const sg_step& s, const float* b29, const float* b52, float* b53) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 1024)) {
  int i3 = (i) % 64;
  int i2 = ((i) / 64) % 4;
  int i1 = (((i) / 64) / 4) % 4;
  int i0 = (((i) / 64) / 4) / 4;
  float v0 = (float)((float)b29[i3 + (i2) * 64 + (i1) * 256 + (i0) * 1024] > (float)0.0);
  float v1 = v0 * (float)b52[i2 + (i1) * 4 + (i3) * 16 + (i0) * 1024];
  b53[i3 + (i2) * 64 + (i1) * 256 + (i0) * 1024] = v1;
  }
}

static __device__ inline void window_max_add_42(int block, float* mem, const sg_step& s, const float* b27, const float* b28, const float* b53, float* b54) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 4096)) {
    int c = i % 64, l = i / 64;
    int s1 = l % 8, s0 = l / 8 % 8, o = l / 64;
    float sum = 0, here = b27[i];
    for (int p0 = s0 / 2; p0 >= 0 && s0 - p0 * 2 < 2; p0--)
      for (int p1 = s1 / 2; p1 >= 0 && s1 - p1 * 2 < 2; p1--) {
        int w = ((o * 4 + p0) * 4 + p1) * 64 + c;
        if (p0 >= 4 || p1 >= 4 || here != b28[w]) continue;
        int ties = 0;
        for (int q0 = 0; q0 < 2; q0++)
          for (int q1 = 0; q1 < 2; q1++)
            ties += b27[((o * 8 + p0 * 2 + q0) * 8 + p1 * 2 + q1) * 64 + c] == here;
        sum += b53[w] / ties;
      }
    b54[0 + i] = sum;
  }
}

static __device__ inline void sum_43(int block, float* mem, const sg_step& s, const float* b53, float* b55) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block / 2, i = block % 2 * 32 + threadIdx.x % 32;
  int lane = threadIdx.x / 32;
  number* all = (number*)mem;
  if (o < 1) {
    auto term = [&](int a) -> number { return b53[(o * (s.n * 16) + a) * 64 + i]; };
    number r = 0;
    if (i < 64)
      for (int a = lane; a < (s.n * 16); a += 8) r = both(r, term(a));
    all[threadIdx.x] = r;
    __syncthreads();
    r = all[threadIdx.x % 32];
    for (int k = 1; k < 8; k++) r = both(r, all[k * 32 + threadIdx.x % 32]);
    if (lane == 0 && i < 64) b55[0 + o * 64 + i] = r;
  }
}

static __device__ inline void gemm_44(int block, float* mem, const sg_step& s, const float* b54, const float* b12, float* b56) {
  int tx = block % 25, ty = block / 25 % 12, e = block / 300;
  sg_product<64, 32, 32, 2, 64, 1, 1, 64, true, true>(
      mem, b54 + e * 4096, b12 + e * 51200, ty * 64, tx * 32, (s.n * 64), 800, 0, 64,
      [&](int m, int n, float v) { b56[0 + e * 51200 + m * 800 + n] = v; });
}

static __device__ inline void gemm_45(int block, float* mem, const sg_step& s, const float* b25, const float* b54, float* b57) {
  int tx = block % 2, ty = block / 2 % 25, e = block / 50;
  int z = e % 8, from = z * 96;
  e /= 8;
  sg_product<32, 32, 128, 1, 1, 800, 64, 1, true, true>(
      mem, b25 + e * 51200, b54 + e * 4096, ty * 32, tx * 32, 800, 64, from, min((s.n * 64), from + 96),
      [&](int m, int n, float v) { b57[((z * 1 + e) * 800 + m) * 64 + n] = v; });
}

static __device__ inline void window_add_46(int block, float* mem, const sg_step& s, const float* b56, float* b58) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 4608)) {
    int c = i % 32, l = i / 32;
    int s1 = l % 12, s0 = l / 12 % 12, o = l / 144;
    float sum = 0;
    for (int p0 = s0 / 1; p0 >= 0 && s0 - p0 * 1 < 5; p0--) {
      if (p0 >= 8) continue;
      for (int p1 = s1 / 1; p1 >= 0 && s1 - p1 * 1 < 5; p1--)
        if (p1 < 8)
          sum += b56[((((o * 8 + p0) * 8 + p1) * 5 + (s0 - p0 * 1)) * 5 + (s1 - p1 * 1)) * 32 + c];
    }
    b58[0 + i] = sum;
  }
}

static __device__ inline void loop_47(int block, float* mem, const sg_step& s, const float* b24, const float* b58, float* b59) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 4608)) {
  int i3 = (i) % 32;
  int i2 = ((i) / 32) % 12;
  int i1 = (((i) / 32) / 12) % 12;
  int i0 = (((i) / 32) / 12) / 12;
  float v0 = (float)((float)b24[i3 + (i2) * 32 + (i1) * 384 + (i0) * 4608] > (float)0.0);
  float v1 = v0 * (float)b58[i3 + (i2) * 32 + (i1) * 384 + (i0) * 4608];
  b59[i3 + (i2) * 32 + (i1) * 384 + (i0) * 4608] = v1;
  }
}

static __device__ inline void window_max_add_48(int block, float* mem, const sg_step& s, const float* b22, const float* b23, const float* b59, float* b60) {
  int i = block * 256 + threadIdx.x;
  if (i < (s.n * 18432)) {
    int c = i % 32, l = i / 32;
    int s1 = l % 24, s0 = l / 24 % 24, o = l / 576;
    float sum = 0, here = b22[i];
    for (int p0 = s0 / 2; p0 >= 0 && s0 - p0 * 2 < 2; p0--)
      for (int p1 = s1 / 2; p1 >= 0 && s1 - p1 * 2 < 2; p1--) {
        int w = ((o * 12 + p0) * 12 + p1) * 32 + c;
        if (p0 >= 12 || p1 >= 12 || here != b23[w]) continue;
        int ties = 0;
        for (int q0 = 0; q0 < 2; q0++)
          for (int q1 = 0; q1 < 2; q1++)
            ties += b22[((o * 24 + p0 * 2 + q0) * 24 + p1 * 2 + q1) * 32 + c] == here;
        sum += b59[w] / ties;
      }
    b60[0 + i] = sum;
  }
}

static __device__ inline void sum_49(int block, float* mem, const sg_step& s, const float* b59, float* b61) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block / 1, i = block % 1 * 32 + threadIdx.x % 32;
  int lane = threadIdx.x / 32;
  number* all = (number*)mem;
  if (o < 1) {
    auto term = [&](int a) -> number { return b59[(o * (s.n * 144) + a) * 32 + i]; };
    number r = 0;
    if (i < 32)
      for (int a = lane; a < (s.n * 144); a += 8) r = both(r, term(a));
    all[threadIdx.x] = r;
    __syncthreads();
    r = all[threadIdx.x % 32];
    for (int k = 1; k < 8; k++) r = both(r, all[k * 32 + threadIdx.x % 32]);
    if (lane == 0 && i < 32) b61[0 + o * 32 + i] = r;
  }
}

static __device__ inline void gemm_50(int block, float* mem, const sg_step& s, const float* b21, const float* b60, float* b62) {
  int tx = block % 1, ty = block / 1 % 1, e = block / 1;
  int z = e % 72, from = z * 96;
  e /= 72;
  sg_product<32, 32, 128, 1, 1, 25, 32, 1, false, true>(
      mem, b21 + e * 14400, b60 + e * 18432, ty * 32, tx * 32, 25, 32, from, min((s.n * 576), from + 96),
      [&](int m, int n, float v) { b62[((z * 1 + e) * 25 + m) * 32 + n] = v; });
}

static __device__ inline void sum_51(int block, float* mem, const sg_step& s, const float* b62, float* b63) {
  typedef float number;
  auto both = [](number x, number y) -> number { return x + y; };
  int o = block / 25, i = block % 25 * 32 + threadIdx.x % 32;
  int lane = threadIdx.x / 32;
  number* all = (number*)mem;
  if (o < 1) {
    auto term = [&](int a) -> number { return b62[a * 800 + i]; };
    number r = 0;
    if (i < 800)
      for (int a = lane; a < 72; a += 8) r = both(r, term(a));
    all[threadIdx.x] = r;
    __syncthreads();
    r = all[threadIdx.x % 32];
    for (int k = 1; k < 8; k++) r = both(r, all[k * 32 + threadIdx.x % 32]);
    if (lane == 0 && i < 800) b63[0 + o * 800 + i] = r;
  }
}

static __device__ inline void loop_52(int block, float* mem, const sg_step& s, const float* b10, const float* b63, const float* b3, float* b64) {
  int i = block * 256 + threadIdx.x;
  if (i < 800) {
  int i3 = (i) % 1;
  int i2 = ((i) / 1) % 32;
  int i1 = (((i) / 1) / 32) % 5;
  int i0 = (((i) / 1) / 32) / 5;
  float v0 = ((float)b10[i3] != 0 ? (float)b63[i2 + (i1) * 32 + (i0) * 160] : (float)0.0);
  float v1 = v0 - (float)b3[i1 + (i0) * 5 + (i3) * 25 + (i2) * 25];
  b64[i3 + i2 + (i1) * 32 + (i0) * 160] = v1;
  }
}

static __device__ inline void loop_53(int block, float* mem, const sg_step& s, const float* b61, const float* b3, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 32) {
  int i0 = i;
  float v0 = (float)b61[i0] - (float)b3[800 + i0];
  b6[800 + i0] = v0;
  }
}

static __device__ inline void loop_54(int block, float* mem, const sg_step& s, const float* b57, const float* b3, float* b65) {
  int i = block * 256 + threadIdx.x;
  if (i < 51200) {
  int i3 = (i) % 64;
  int i2 = ((i) / 64) % 32;
  int i1 = (((i) / 64) / 32) % 5;
  int i0 = (((i) / 64) / 32) / 5;
  float v0 = (float)sg_pieces<8>(b57 + i3 + (i2) * 64 + (i1) * 2048 + (i0) * 10240, 51200) - (float)b3[832 + i1 + (i0) * 5 + (i2) * 25 + (i3) * 800];
  b65[i3 + (i2) * 64 + (i1) * 2048 + (i0) * 10240] = v0;
  }
}

static __device__ inline void loop_55(int block, float* mem, const sg_step& s, const float* b55, const float* b3, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 64) {
  int i0 = i;
  float v0 = (float)b55[i0] - (float)b3[52032 + i0];
  b6[52032 + i0] = v0;
  }
}

static __device__ inline void loop_56(int block, float* mem, const sg_step& s, const float* b50, const float* b3, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 204800) {
  int i1 = (i) % 200;
  int i0 = (i) / 200;
  float v0 = (float)b50[i1 + (i0) * 200] - (float)b3[52096 + i1 + (i0) * 200];
  b6[52096 + i1 + (i0) * 200] = v0;
  }
}

static __device__ inline void loop_57(int block, float* mem, const sg_step& s, const float* b51, const float* b3, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 200) {
  int i0 = i;
  float v0 = (float)b51[i0] - (float)b3[256896 + i0];
  b6[256896 + i0] = v0;
  }
}

static __device__ inline void loop_58(int block, float* mem, const sg_step& s, const float* b45, const float* b3, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 40000) {
  int i1 = (i) % 200;
  int i0 = (i) / 200;
  float v0 = (float)b45[i1 + (i0) * 200] - (float)b3[257096 + i1 + (i0) * 200];
  b6[257096 + i1 + (i0) * 200] = v0;
  }
}

static __device__ inline void loop_59(int block, float* mem, const sg_step& s, const float* b46, const float* b3, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 200) {
  int i0 = i;
  float v0 = (float)b46[i0] - (float)b3[297096 + i0];
  b6[297096 + i0] = v0;
  }
}

static __device__ inline void loop_60(int block, float* mem, const sg_step& s, const float* b41, const float* b3, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 2000) {
  int i1 = (i) % 10;
  int i0 = (i) / 10;
  float v0 = (float)b41[i1 + (i0) * 10] - (float)b3[297296 + i1 + (i0) * 10];
  b6[297296 + i1 + (i0) * 10] = v0;
  }
}

static __device__ inline void loop_61(int block, float* mem, const sg_step& s, const float* b42, const float* b3, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 10) {
  int i0 = i;
  float v0 = (float)b42[i0] - (float)b3[299296 + i0];
  b6[299296 + i0] = v0;
  }
}

static __device__ inline void loop_62(int block, float* mem, const sg_step& s, const float* b64, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 800) {
  int i3 = (i) % 5;
  int i2 = ((i) / 5) % 5;
  int i1 = (((i) / 5) / 5) % 1;
  int i0 = (((i) / 5) / 5) / 1;
  float v0 = (float)b64[i1 + i0 + (i3) * 32 + (i2) * 160];
  b6[i3 + (i2) * 5 + (i1) * 25 + (i0) * 25] = v0;
  }
}

static __device__ inline void loop_63(int block, float* mem, const sg_step& s, const float* b65, float* b6) {
  int i = block * 256 + threadIdx.x;
  if (i < 51200) {
  int i3 = (i) % 5;
  int i2 = ((i) / 5) % 5;
  int i1 = (((i) / 5) / 5) % 32;
  int i0 = (((i) / 5) / 5) / 32;
  float v0 = (float)b65[i0 + (i1) * 64 + (i3) * 2048 + (i2) * 10240];
  b6[832 + i3 + (i2) * 5 + (i1) * 25 + (i0) * 800] = v0;
  }
}

extern "C" __global__ void __launch_bounds__(256) level_0(const sg_step* b0, const int* b1, float* b16, const float* b15, const int* b9, float* b19, const float* b18, float* b10, const float* b3, float* b11, float* b12, double* b14) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 1) {
    gather_5(block, mem, s, b16, b15, b9);
    return;
  }
  block -= 1;
  if (block < 37) {
    gather_7(block, mem, s, b19, b18, b9);
    return;
  }
  block -= 37;
  if (block < 1) {
    loop_0(block, mem, s, b10);
    return;
  }
  block -= 1;
  if (block < 4) {
    loop_1(block, mem, s, b3, b11);
    return;
  }
  block -= 4;
  if (block < 200) {
    loop_2(block, mem, s, b3, b12);
    return;
  }
  block -= 200;
  loop_4(block, mem, s, b14);
}
extern "C" __global__ void __launch_bounds__(256) level_1(const sg_step* b0, const int* b1, const float* b11, float* b13, const double* b14, const float* b16, float* b17, const float* b19, float* b20) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 4) {
    loop_3(block, mem, s, b11, b13);
    return;
  }
  block -= 4;
  if (block < 1) {
    scatter_6(block, mem, s, b14, b16, b17);
    return;
  }
  block -= 1;
  loop_7(block, mem, s, b19, b20);
}
extern "C" __global__ void __launch_bounds__(256) level_2(const sg_step* b0, const int* b1, const float* b20, float* b21) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  window_9(block, mem, s, b20, b21);
}
extern "C" __global__ void __launch_bounds__(256, 3) level_3(const sg_step* b0, const int* b1, const float* b21, const float* b13, float* b22) {
  __shared__ float4 mem4[2304];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  gemm_10(block, mem, s, b21, b13, b22);
}
extern "C" __global__ void __launch_bounds__(256) level_4(const sg_step* b0, const int* b1, const float* b22, float* b23) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  window_max_11(block, mem, s, b22, b23);
}
extern "C" __global__ void __launch_bounds__(256) level_5(const sg_step* b0, const int* b1, const float* b3, const float* b23, float* b24) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  loop_12(block, mem, s, b3, b23, b24);
}
extern "C" __global__ void __launch_bounds__(256) level_6(const sg_step* b0, const int* b1, const float* b24, float* b25) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  window_13(block, mem, s, b24, b25);
}
extern "C" __global__ void __launch_bounds__(256, 3) level_7(const sg_step* b0, const int* b1, const float* b25, const float* b12, float* b26) {
  __shared__ float4 mem4[2304];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  gemm_14(block, mem, s, b25, b12, b26);
}
extern "C" __global__ void __launch_bounds__(256) level_8(const sg_step* b0, const int* b1, const float* b26, float* b27) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  sum_15(block, mem, s, b26, b27);
}
extern "C" __global__ void __launch_bounds__(256) level_9(const sg_step* b0, const int* b1, const float* b27, float* b28) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  window_max_16(block, mem, s, b27, b28);
}
extern "C" __global__ void __launch_bounds__(256) level_10(const sg_step* b0, const int* b1, const float* b3, const float* b28, float* b29) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  loop_17(block, mem, s, b3, b28, b29);
}
extern "C" __global__ void __launch_bounds__(256) level_11(const sg_step* b0, const int* b1, const float* b29, float* b30) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  loop_18(block, mem, s, b29, b30);
}
extern "C" __global__ void __launch_bounds__(256) level_12(const sg_step* b0, const int* b1, const float* b30, float* b31) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  copy_19(block, mem, s, b30, b31);
}
extern "C" __global__ void __launch_bounds__(256, 3) level_13(const sg_step* b0, const int* b1, const float* b31, const float* b3, float* b32) {
  __shared__ float4 mem4[1280];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  gemm_20(block, mem, s, b31, b3, b32);
}
extern "C" __global__ void __launch_bounds__(256) level_14(const sg_step* b0, const int* b1, const float* b3, const float* b32, float* b33) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  loop_21(block, mem, s, b3, b32, b33);
}
extern "C" __global__ void __launch_bounds__(256, 3) level_15(const sg_step* b0, const int* b1, const float* b33, const float* b3, float* b34) {
  __shared__ float4 mem4[1280];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  gemm_22(block, mem, s, b33, b3, b34);
}
extern "C" __global__ void __launch_bounds__(256) level_16(const sg_step* b0, const int* b1, const float* b3, const float* b34, float* b35) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  loop_23(block, mem, s, b3, b34, b35);
}
extern "C" __global__ void __launch_bounds__(256, 3) level_17(const sg_step* b0, const int* b1, const float* b35, const float* b3, float* b36) {
  __shared__ float4 mem4[1280];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  gemm_24(block, mem, s, b35, b3, b36);
}
extern "C" __global__ void __launch_bounds__(256) level_18(const sg_step* b0, const int* b1, const float* b3, const float* b36, float* b37) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  loop_25(block, mem, s, b3, b36, b37);
}
extern "C" __global__ void __launch_bounds__(256) level_19(const sg_step* b0, const int* b1, const float* b37, float* b38) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  log_sum_exp_26(block, mem, s, b37, b38);
}
extern "C" __global__ void __launch_bounds__(256) level_20(const sg_step* b0, const int* b1, const float* b37, const float* b38, const float* b17, float* b39) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  loop_27(block, mem, s, b37, b38, b17, b39);
}
extern "C" __global__ void __launch_bounds__(256, 3) level_21(const sg_step* b0, const int* b1, const float* b39, const float* b3, float* b40, const float* b35, float* b41, float* b42) {
  __shared__ float4 mem4[1280];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 13) {
    gemm_28(block, mem, s, b39, b3, b40);
    return;
  }
  block -= 13;
  if (block < 13) {
    gemm_29(block, mem, s, b35, b39, b41);
    return;
  }
  block -= 13;
  sum_30(block, mem, s, b39, b42);
}
extern "C" __global__ void __launch_bounds__(256) level_22(const sg_step* b0, const int* b1, const float* b35, const float* b40, float* b43, const float* b41, const float* b3, float* b6, const float* b42) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 10) {
    loop_31(block, mem, s, b35, b40, b43);
    return;
  }
  block -= 10;
  if (block < 8) {
    loop_60(block, mem, s, b41, b3, b6);
    return;
  }
  block -= 8;
  loop_61(block, mem, s, b42, b3, b6);
}
extern "C" __global__ void __launch_bounds__(256, 3) level_23(const sg_step* b0, const int* b1, const float* b43, const float* b3, float* b44, const float* b33, float* b45, float* b46) {
  __shared__ float4 mem4[2304];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 26) {
    gemm_32(block, mem, s, b43, b3, b44);
    return;
  }
  block -= 26;
  if (block < 49) {
    gemm_33(block, mem, s, b33, b43, b45);
    return;
  }
  block -= 49;
  sum_34(block, mem, s, b43, b46);
}
extern "C" __global__ void __launch_bounds__(256) level_24(const sg_step* b0, const int* b1, const float* b33, const float* b44, float* b47, const float* b45, const float* b3, float* b6, const float* b46) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 10) {
    loop_35(block, mem, s, b33, b44, b47);
    return;
  }
  block -= 10;
  if (block < 157) {
    loop_58(block, mem, s, b45, b3, b6);
    return;
  }
  block -= 157;
  loop_59(block, mem, s, b46, b3, b6);
}
extern "C" __global__ void __launch_bounds__(256, 3) level_25(const sg_step* b0, const int* b1, const float* b47, const float* b3, float* b48, const float* b31, float* b50, float* b51) {
  __shared__ float4 mem4[2304];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 128) {
    gemm_36(block, mem, s, b47, b3, b48);
    return;
  }
  block -= 128;
  if (block < 224) {
    gemm_38(block, mem, s, b31, b47, b50);
    return;
  }
  block -= 224;
  sum_39(block, mem, s, b47, b51);
}
extern "C" __global__ void __launch_bounds__(256) level_26(const sg_step* b0, const int* b1, const float* b48, float* b49, const float* b50, const float* b3, float* b6, const float* b51) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 48) {
    sum_37(block, mem, s, b48, b49);
    return;
  }
  block -= 48;
  if (block < 800) {
    loop_56(block, mem, s, b50, b3, b6);
    return;
  }
  block -= 800;
  loop_57(block, mem, s, b51, b3, b6);
}
extern "C" __global__ void __launch_bounds__(256) level_27(const sg_step* b0, const int* b1, const float* b49, float* b52) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  copy_40(block, mem, s, b49, b52);
}
extern "C" __global__ void __launch_bounds__(256) level_28(const sg_step* b0, const int* b1, const float* b29, const float* b52, float* b53) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  loop_41(block, mem, s, b29, b52, b53);
}
extern "C" __global__ void __launch_bounds__(256) level_29(const sg_step* b0, const int* b1, const float* b27, const float* b28, const float* b53, float* b54, float* b55) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 192) {
    window_max_add_42(block, mem, s, b27, b28, b53, b54);
    return;
  }
  block -= 192;
  sum_43(block, mem, s, b53, b55);
}
extern "C" __global__ void __launch_bounds__(256, 3) level_30(const sg_step* b0, const int* b1, const float* b54, const float* b12, float* b56, const float* b25, float* b57, const float* b55, const float* b3, float* b6) {
  __shared__ float4 mem4[2304];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 300) {
    gemm_44(block, mem, s, b54, b12, b56);
    return;
  }
  block -= 300;
  if (block < 400) {
    gemm_45(block, mem, s, b25, b54, b57);
    return;
  }
  block -= 400;
  loop_55(block, mem, s, b55, b3, b6);
}
extern "C" __global__ void __launch_bounds__(256) level_31(const sg_step* b0, const int* b1, const float* b56, float* b58, const float* b57, const float* b3, float* b65) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 216) {
    window_add_46(block, mem, s, b56, b58);
    return;
  }
  block -= 216;
  loop_54(block, mem, s, b57, b3, b65);
}
extern "C" __global__ void __launch_bounds__(256) level_32(const sg_step* b0, const int* b1, const float* b24, const float* b58, float* b59, const float* b65, float* b6) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 216) {
    loop_47(block, mem, s, b24, b58, b59);
    return;
  }
  block -= 216;
  loop_63(block, mem, s, b65, b6);
}
extern "C" __global__ void __launch_bounds__(256) level_33(const sg_step* b0, const int* b1, const float* b22, const float* b23, const float* b59, float* b60, float* b61) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 864) {
    window_max_add_48(block, mem, s, b22, b23, b59, b60);
    return;
  }
  block -= 864;
  sum_49(block, mem, s, b59, b61);
}
extern "C" __global__ void __launch_bounds__(256, 3) level_34(const sg_step* b0, const int* b1, const float* b21, const float* b60, float* b62, const float* b61, const float* b3, float* b6) {
  __shared__ float4 mem4[2304];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  if (block < 72) {
    gemm_50(block, mem, s, b21, b60, b62);
    return;
  }
  block -= 72;
  loop_53(block, mem, s, b61, b3, b6);
}
extern "C" __global__ void __launch_bounds__(256) level_35(const sg_step* b0, const int* b1, const float* b62, float* b63) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  sum_51(block, mem, s, b62, b63);
}
extern "C" __global__ void __launch_bounds__(256) level_36(const sg_step* b0, const int* b1, const float* b10, const float* b63, const float* b3, float* b64) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  loop_52(block, mem, s, b10, b63, b3, b64);
}
extern "C" __global__ void __launch_bounds__(256) level_37(const sg_step* b0, const int* b1, const float* b64, float* b6) {
  __shared__ float4 mem4[128];
  float* mem = (float*)mem4;
  const sg_step& s = b0[b1[0]];
  int block = blockIdx.x;
  loop_62(block, mem, s, b64, b6);
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
    if (i >= 299306) break;
    X[k] = b3[i];
    P[k] = b4[i];
    Z[k] = b5[i];
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int i = first + k * 256;
    if (i >= 299306) break;
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
    if (i >= 299306) break;
    X[k] = b3[i];
    P[k] = b4[i];
    Z[k] = b5[i];
    G[k] = b6[i];
    U[k] = b7[i];
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int i = first + k * 256;
    if (i >= 299306) break;
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
//   level_0; y of the rows; x of the rows; t.0; t.5; c2.W.13; scale.68
//   level_1 after level_0; t.6; t.29; t.2
//   level_2 after level_1; t.3
//   level_3 after level_2; t.7
//   level_4 after level_3; t.8
//   level_5 after level_4; t.10
//   level_6 after level_5; t.11
//   level_7 after level_6; part of t.14
//   level_8 after level_7; t.14
//   level_9 after level_8; t.15
//   level_10 after level_9; t.17
//   level_11 after level_10; t.19
//   level_12 after level_11; t.20
//   level_13 after level_12; part of t.22
//   level_14 after level_13; t.23
//   level_15 after level_14; part of t.26
//   level_16 after level_15; t.27
//   level_17 after level_16; part of t.32
//   level_18 after level_17; t.33
//   level_19 after level_18; t.34
//   level_20 after level_19; t.35
//   level_21 after level_20; t.36; t.64; t.66
//   level_22 after level_21; t.37; force
//   level_23 after level_22; part of t.38; t.60; t.62
//   level_24 after level_23; t.39; force
//   level_25 after level_24; part of t.40; t.56; t.58
//   level_26 after level_25; t.40; force
//   level_27 after level_26; t.41
//   level_28 after level_27; t.42
//   level_29 after level_28; t.43; t.54
//   level_30 after level_29; t.44; part of t.52; force
//   level_31 after level_30; t.45; t.53
//   level_32 after level_31; t.46; force
//   level_33 after level_32; t.47; t.50
//   level_34 after level_33; part of t.48; force
//   level_35 after level_34; t.48
//   level_36 after level_35; t.49
//   level_37 after level_36; force
// tail:
//   tail; cursor; bad; x; v; xi
// step:
//   normals; noise
//   level_0; y of the rows; x of the rows; t.0; t.5; c2.W.13; scale.68
//   level_1 after level_0; t.6; t.29; t.2
//   level_2 after level_1; t.3
//   level_3 after level_2; t.7
//   level_4 after level_3; t.8
//   level_5 after level_4; t.10
//   level_6 after level_5; t.11
//   level_7 after level_6; part of t.14
//   level_8 after level_7; t.14
//   level_9 after level_8; t.15
//   level_10 after level_9; t.17
//   level_11 after level_10; t.19
//   level_12 after level_11; t.20
//   level_13 after level_12; part of t.22
//   level_14 after level_13; t.23
//   level_15 after level_14; part of t.26
//   level_16 after level_15; t.27
//   level_17 after level_16; part of t.32
//   level_18 after level_17; t.33
//   level_19 after level_18; t.34
//   level_20 after level_19; t.35
//   level_21 after level_20; t.36; t.64; t.66
//   level_22 after level_21; t.37; force
//   level_23 after level_22; part of t.38; t.60; t.62
//   level_24 after level_23; t.39; force
//   level_25 after level_24; part of t.40; t.56; t.58
//   level_26 after level_25; t.40; force
//   level_27 after level_26; t.41
//   level_28 after level_27; t.42
//   level_29 after level_28; t.43; t.54
//   level_30 after level_29; t.44; part of t.52; force
//   level_31 after level_30; t.45; t.53
//   level_32 after level_31; t.46; force
//   level_33 after level_32; t.47; t.50
//   level_34 after level_33; part of t.48; force
//   level_35 after level_34; t.48
//   level_36 after level_35; t.49
//   level_37 after level_36; force
//   whole after level_37, normals; cursor; bad; x; v; xi
