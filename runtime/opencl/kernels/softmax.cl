// Softmax and its logarithm. An item computes a row that is contiguous, or 16 neighbouring lanes of n elements that are
// inner apart. x and y may be the same memory. A NaN is passed over by the largest element and shows in the sum.
static float max16(float16 v) {
  float8 a = fmax(v.lo, v.hi);
  float4 b = fmax(a.lo, a.hi);
  float2 c = fmax(b.lo, b.hi);
  return fmax(c.x, c.y);
}

KERNEL(softmax_rows, FLAT(const float, x), FLAT(float, y), int rows, int n, float beta, int logarithm) {
  int row = get_global_id(0);
  if (row >= rows)
    return;
  global const float *x = AT(x) + row * n;
  global float *y = AT(y) + row * n;
  float16 tops = (float16)-INFINITY;
  int i = 0;
  for (; i + 16 <= n; i += 16)
    tops = fmax(tops, vload16(0, x + i));
  float top = max16(tops);
  for (; i < n; i++)
    top = fmax(top, x[i]);
  float16 sums = (float16)0;
  for (i = 0; i + 16 <= n; i += 16) {
    float16 v = (vload16(0, x + i) - top) * beta;
    float16 e = exp(v);
    sums += e;
    vstore16(logarithm ? v : e, 0, y + i);
  }
  float sum = sum16(sums);
  for (; i < n; i++) {
    float v = (x[i] - top) * beta, e = exp(v);
    sum += e;
    y[i] = logarithm ? v : e;
  }
  float scale = logarithm ? log(sum) : 1 / sum;
  for (i = 0; i + 16 <= n; i += 16) {
    float16 v = vload16(0, y + i);
    vstore16(logarithm ? v - scale : v * scale, 0, y + i);
  }
  for (; i < n; i++)
    y[i] = logarithm ? y[i] - scale : y[i] * scale;
}

KERNEL(softmax_columns, FLAT(const float, x), FLAT(float, y), int chunks, int items, int n, int inner, float beta, int logarithm) {
  int item = get_global_id(0);
  if (item >= items)
    return;
  int first = item % chunks * 16, count = min(16, inner - first);
  int at = item / chunks * n * inner + first;
  global const float *x = AT(x) + at;
  global float *y = AT(y) + at;
  if (count == 16) {
    float16 top = (float16)-INFINITY, sum = (float16)0;
    for (int i = 0; i < n; i++)
      top = fmax(top, vload16(0, x + i * inner));
    for (int i = 0; i < n; i++) {
      float16 v = (vload16(0, x + i * inner) - top) * beta, e = exp(v);
      sum += e;
      vstore16(logarithm ? v : e, 0, y + i * inner);
    }
    float16 scale = logarithm ? log(sum) : 1 / sum;
    for (int i = 0; i < n; i++) {
      float16 v = vload16(0, y + i * inner);
      vstore16(logarithm ? v - scale : v * scale, 0, y + i * inner);
    }
    return;
  }
  for (int j = 0; j < count; j++) {
    float top = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++)
      top = fmax(top, x[i * inner + j]);
    for (int i = 0; i < n; i++) {
      float v = (x[i * inner + j] - top) * beta, e = exp(v);
      sum += e;
      y[i * inner + j] = logarithm ? v : e;
    }
    float scale = logarithm ? log(sum) : 1 / sum;
    for (int i = 0; i < n; i++) {
      float v = y[i * inner + j];
      y[i * inner + j] = logarithm ? v - scale : v * scale;
    }
  }
}
