// Squeeze-and-excitation blocks: the means of the channels go through two matrix products, and what comes out scales the
// channels. A work-group does an image, since every factor depends on every element.
#define WITH_MEANS 1
#define WITH_SCALING 2
#define CHANNELS_LAST 4

// out = finish(w·v): an item computes blocks of 16 elements of out from panels as kernels/panels.cl packs them, in four sums
// side by side.
static void through_layer(global const float *v, int k, global const float *w, global float *out, int columns, int tail, float4 limits) {
  for (int block = get_local_id(0); block * 16 < columns; block += get_local_size(0)) {
    global const float *panel = w + block * 16 * (k + 2), *u = panel + 32;
    float16 a = vload16(0, panel), b = 0, c = 0, d = 0;
    int i = 0;
    for (; i + 4 <= k; i += 4) {
      a += v[i] * vload16(i, u);
      b += v[i + 1] * vload16(i + 1, u);
      c += v[i + 2] * vload16(i + 2, u);
      d += v[i + 3] * vload16(i + 3, u);
    }
    for (; i < k; i++)
      a += v[i] * vload16(i, u);
    store_part(finish((a + b) + (c + d), 0, 0, tail, limits), out + block * 16, columns - block * 16);
  }
}

static void take_means(global const float *x, global float *mean, int pixels, int channels, int last) {
  if (last) {
    for (int c = get_local_id(0) * 16; c < channels; c += get_local_size(0) * 16) {
      float16 sum = 0;
      for (int i = 0; i < pixels; i++)
        sum += load_part(x + i * channels + c, channels - c);
      store_part(sum / (float)pixels, mean + c, channels - c);
    }
    return;
  }
  for (int c = get_local_id(0); c < channels; c += get_local_size(0)) {
    global const float *from = x + c * pixels;
    float16 sum = 0;
    int i = 0;
    for (; i + 16 <= pixels; i += 16)
      sum += vload16(0, from + i);
    sum += load_part(from + i, pixels - i);
    float8 s8 = sum.lo + sum.hi;
    float4 s4 = s8.lo + s8.hi;
    float2 s2 = s4.lo + s4.hi;
    mean[c] = (s2.x + s2.y) / pixels;
  }
}

static void scale_channels(global const float *x, global const float *factor, global float *y, int pixels, int channels, int last) {
  if (last) {
    for (int i = get_local_id(0); i < pixels; i += get_local_size(0))
      for (int c = 0; c < channels; c += 16) {
        int at = i * channels + c, n = channels - c;
        store_part(load_part(x + at, n) * load_part(factor + c, n), y + at, n);
      }
    return;
  }
  for (int c = get_local_id(0); c < channels; c += get_local_size(0))
    for (int i = 0; i < pixels; i += 16) {
      int at = c * pixels + i, n = pixels - i;
      store_part(load_part(x + at, n) * factor[c], y + at, n);
    }
}

//   in  pixels, channels, channels between the products, what to do of the flags above, the tails of both products
KERNEL(excite, FLAT(const float, x), FLAT(const float, first), FLAT(const float, second), FLAT(float, y), FLAT(float, mean),
                   FLAT(float, middle), FLAT(float, factor), int8 in, float4 limits, float4 limits2) {
  int image = get_group_id(0), pixels = in.s0, channels = in.s1, between = in.s2, size = pixels * channels;
  global float *m = AT(mean) + image * channels, *v = AT(middle) + image * between, *f = AT(factor) + image * channels;
  if (in.s3 & WITH_MEANS)
    take_means(AT(x) + image * size, m, pixels, channels, in.s3 & CHANNELS_LAST);
  barrier(CLK_GLOBAL_MEM_FENCE);
  through_layer(m, channels, AT(first), v, between, in.s4, limits);
  barrier(CLK_GLOBAL_MEM_FENCE);
  through_layer(v, between, AT(second), f, channels, in.s5, limits2);
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (in.s3 & WITH_SCALING)
    scale_channels(AT(x) + image * size, f, AT(y) + image * size, pixels, channels, in.s3 & CHANNELS_LAST);
}
