// Convolutions of pictures that are stored as texels, in either direction: an item computes four output channels of ROW
// neighbouring pixels. tables are those of conv_last.cl.
//   in      blocks of input channels of a group, input channels of a group, blocks of output channels of a group
//   out     images, blocks of channels, depth, height, width, channels
//   window  depth, height, width; places of the tables of z, y and x
// The weights are a view too: n counts blocks of output channels, c single input channels of a group.
#define ROW 4

#define CONV_VIEW(name, EACH) \
  kernel void name(X_IN, W_IN, Y_OUT, TAIL, FLAT(const float, bias), FLAT(const int, tables), int8 in, int8 out, int8 window) { \
    int px = (int)get_global_id(0) * ROW, line = get_global_id(1), block = get_global_id(2); \
    if (px >= out.s4 || line >= out.s2 * out.s3 || block >= out.s0 * out.s1) \
      return; \
    int n = block / out.s1, o = block % out.s1, group = o / in.s2; \
    int pz = line / out.s3, py = line % out.s3; \
    global const int *zs = AT(tables) + window.s3 + pz * window.s0; \
    global const int *ys = AT(tables) + window.s4 + py * window.s1; \
    global const int *xs[ROW]; \
    float4 sum[ROW]; \
    _Pragma("unroll") for (int j = 0; j < ROW; j++) { \
      xs[j] = AT(tables) + window.s5 + min(px + j, out.s4 - 1) * window.s2; \
      sum[j] = BLOCK(bias, o); \
    } \
    for (int kz = 0; kz < window.s0; kz++) \
      for (int ky = 0; ky < window.s1; ky++) { \
        int iz = zs[kz], iy = ys[ky]; \
        if (iz < 0 || iy < 0) \
          continue; \
        for (int kx = 0; kx < window.s2; kx++) { \
          int ix[ROW]; \
          _Pragma("unroll") for (int j = 0; j < ROW; j++) ix[j] = xs[j][kx]; \
          EACH \
        } \
      } \
    _Pragma("unroll") for (int j = 0; j < ROW; j++) \
      if (px + j < out.s4) \
        STORE_Y(n, o, pz, py, px + j, FINISH(n, o, pz, py, px + j, sum[j])); \
  }

#define EACH_BLOCK \
  for (int c = 0; c < in.s0; c++) { \
    int left = in.s1 - 4 * c; \
    float4 w0 = LOAD_W(o, 4 * c, kz, ky, kx), w1 = 0, w2 = 0, w3 = 0; \
    if (left > 1) \
      w1 = LOAD_W(o, 4 * c + 1, kz, ky, kx); \
    if (left > 2) \
      w2 = LOAD_W(o, 4 * c + 2, kz, ky, kx); \
    if (left > 3) \
      w3 = LOAD_W(o, 4 * c + 3, kz, ky, kx); \
    _Pragma("unroll") for (int j = 0; j < ROW; j++) { \
      if (ix[j] >= 0) { \
        float4 v = LOAD_X(n, group * in.s0 + c, iz, iy, ix[j]); \
        sum[j] += v.x * w0 + v.y * w1 + v.z * w2 + v.w * w3; \
      } \
    } \
  }

// One channel a group.
#define EACH_CHANNEL \
  float4 w0 = LOAD_W(o, 0, kz, ky, kx); \
  _Pragma("unroll") for (int j = 0; j < ROW; j++) if (ix[j] >= 0) \
    sum[j] += LOAD_X(n, o, iz, iy, ix[j]) * w0;

#ifdef DEPTHWISE
CONV_VIEW(conv_view, EACH_CHANNEL)
#else
CONV_VIEW(conv_view, EACH_BLOCK)
#endif
