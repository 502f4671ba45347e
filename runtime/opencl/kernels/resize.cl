// One axis of Resize: x is [outer][in][inner], y [outer][out][inner]. Each position of the axis is the sum of taps weighted
// positions, which index and weight list; an index below 0 makes it the value around.

// An item makes 16 neighbouring elements of the inner part.
KERNEL(resize_inner, FLAT(const float, x), FLAT(float, y), FLAT(const int, index), FLAT(const float, weight), int n, int chunks, int items, int in, int out, int taps, float around) {
  ITEM
  int o = row % out;
  global const float *x = AT(x) + row / out * in * n + first;
  global float *y = AT(y) + row * n + first;
  global const int *index = AT(index) + o * taps;
  global const float *weight = AT(weight) + o * taps;
  if (*index < 0) {
    for (int i = 0; i < count; i++)
      y[i] = around;
    return;
  }
  if (count == 16) {
    float16 sum = vload16(0, x + index[0] * n) * weight[0];
    for (int k = 1; k < taps; k++)
      sum += vload16(0, x + index[k] * n) * weight[k];
    vstore16(sum, 0, y);
    return;
  }
  for (int i = 0; i < count; i++) {
    float sum = x[index[0] * n + i] * weight[0];
    for (int k = 1; k < taps; k++)
      sum += x[index[k] * n + i] * weight[k];
    y[i] = sum;
  }
}

// The same for the innermost axis: an item makes 16 positions of a row. Each tap has its entries one after the other, padded
// to pitch, a multiple of 16.
KERNEL(resize_rows, FLAT(const float, x), FLAT(float, y), FLAT(const int, index), FLAT(const float, weight), int n, int chunks, int items, int in, int pitch, int taps, float around) {
  ITEM
  global const float *x = AT(x) + row * in;
  global float *y = AT(y) + row * n + first;
  global const int *index = AT(index) + first;
  global const float *weight = AT(weight) + first;
  int16 outside = vload16(0, index) < 0;
  float16 sum = (float16)0;
  for (int k = 0; k < taps; k++) {
    int16 e = max(vload16(0, index + k * pitch), 0);
    float16 v = (float16)(x[e.s0], x[e.s1], x[e.s2], x[e.s3], x[e.s4], x[e.s5], x[e.s6], x[e.s7],
                          x[e.s8], x[e.s9], x[e.sa], x[e.sb], x[e.sc], x[e.sd], x[e.se], x[e.sf]);
    sum += v * vload16(0, weight + k * pitch);
  }
  sum = outside ? (float16)around : sum;
  if (count == 16) {
    vstore16(sum, 0, y);
    return;
  }
  float v[16];
  vstore16(sum, 0, v);
  for (int i = 0; i < count; i++)
    y[i] = v[i];
}
