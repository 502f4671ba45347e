// Normalisations of float32.

// The mean of a row and its variance, in two passes.
static float2 moments(global const float *x, int n) {
  float16 sums = (float16)0;
  int i = 0;
  for (; i + 16 <= n; i += 16)
    sums += vload16(0, x + i);
  float sum = sum16(sums);
  for (; i < n; i++)
    sum += x[i];
  float mean = sum / n;
  sums = (float16)0;
  for (i = 0; i + 16 <= n; i += 16) {
    float16 d = vload16(0, x + i) - mean;
    sums += d * d;
  }
  sum = sum16(sums);
  for (; i < n; i++) {
    float d = x[i] - mean;
    sum += d * d;
  }
  return (float2)(mean, sum / n);
}

// Each row has its own mean and variance. Scale and shift have an element for each of the row. wanted is 1 for shift, 2 for
// the means, 4 for the inverse deviations, added up.
KERNEL(normalize_layer, FLAT(const float, x), FLAT(float, y), FLAT(const float, scale), FLAT(const float, shift), FLAT(float, means), FLAT(float, norms), int rows, int n, float epsilon, int wanted) {
  int row = get_global_id(0);
  if (row >= rows)
    return;
  global const float *x = AT(x) + row * n;
  global float *y = AT(y) + row * n;
  float2 m = moments(x, n);
  float norm = 1 / sqrt(m.y + epsilon);
  for (int i = 0; i < n; i++) {
    float v = (x[i] - m.x) * norm * AT(scale)[i];
    y[i] = wanted & 1 ? v + AT(shift)[i] : v;
  }
  if (wanted & 2)
    AT(means)[row] = m.x;
  if (wanted & 4)
    AT(norms)[row] = norm;
}

// Each row is per runs of inner elements. A run is scaled and shifted by the parameters of its channel, (row·per + run)
// modulo channels, of which share neighbours have the same.
KERNEL(normalize_group, FLAT(const float, x), FLAT(float, y), FLAT(const float, scale), FLAT(const float, shift), int rows, int per, int inner, int channels, int share, float epsilon) {
  int row = get_global_id(0);
  if (row >= rows)
    return;
  int n = per * inner;
  global const float *x = AT(x) + row * n;
  global float *y = AT(y) + row * n;
  float2 m = moments(x, n);
  float norm = 1 / sqrt(m.y + epsilon);
  for (int c = 0; c < per; c++, x += inner, y += inner) {
    int at = (row * per + c) % channels / share;
    float factor = AT(scale)[at] * norm, add = AT(shift)[at];
    int i = 0;
    for (; i + 16 <= inner; i += 16)
      vstore16((vload16(0, x + i) - m.x) * factor + add, 0, y + i);
    for (; i < inner; i++)
      y[i] = (x[i] - m.x) * factor + add;
  }
}

// Factor and shift of BatchNormalization, for each channel.
KERNEL(batch_factors, FLAT(const float, scale), FLAT(const float, shift), FLAT(const float, mean), FLAT(const float, variance), FLAT(float, factor), FLAT(float, add), int n, float epsilon) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float f = AT(scale)[i] / sqrt(AT(variance)[i] + epsilon);
  AT(factor)[i] = f;
  AT(add)[i] = AT(shift)[i] - AT(mean)[i] * f;
}

// The elements that agree in the kept axes have a mean and a variance together: mean 0 and deviation 1 afterwards.
KERNEL(normalize_axes, FLAT(const float, x), FLAT(float, y), int items, int rank, int8 extents, int8 xs, int around, int inner_rank, int8 inner_extents, int8 inner_xs) {
  int item = get_global_id(0);
  if (item >= items)
    return;
  int at = row_start(item, rank, extents, xs);
  global const float *x = AT(x) + at;
  global float *y = AT(y) + at;
  float mean = 0, square = 0;
  for (int r = 0; r < around; r++)
    mean += x[row_start(r, inner_rank, inner_extents, inner_xs)];
  mean /= around;
  for (int r = 0; r < around; r++) {
    float d = x[row_start(r, inner_rank, inner_extents, inner_xs)] - mean;
    square += d * d;
  }
  float deviation = sqrt(square / around) + 1e-9f;
  for (int r = 0; r < around; r++) {
    int i = row_start(r, inner_rank, inner_extents, inner_xs);
    y[i] = (x[i] - mean) / deviation;
  }
}

// Each element is divided by a power of the sum of squares over the channels from before to after its own.
KERNEL(normalize_local, FLAT(const float, x), FLAT(float, y), int n, int chunks, int items, int channels, int before, int after, float scale, float beta, float bias) {
  ITEM
  int c = row % channels, low = max(c - before, 0), high = min(c + after, channels - 1);
  global const float *x = AT(x) + row * n + first;
  global float *y = AT(y) + row * n + first;
  for (int i = 0; i < count; i++) {
    float sum = 0;
    for (int k = low; k <= high; k++) {
      float v = x[(k - c) * n + i];
      sum += v * v;
    }
    y[i] = x[i] / pow(bias + scale * sum, beta);
  }
}

// Each lane of n elements, inner apart, is divided by its norm: the sum of magnitudes for p = 1, the root of the sum of
// squares for p = 2, and least at least. A norm of 0 changes nothing.
KERNEL(normalize_lanes, FLAT(const float, x), FLAT(float, y), int lanes, int n, int inner, int p, float least) {
  int lane = get_global_id(0);
  if (lane >= lanes)
    return;
  int at = lane / inner * n * inner + lane % inner;
  global const float *x = AT(x) + at;
  global float *y = AT(y) + at;
  float sum = 0;
  for (int i = 0; i < n; i++) {
    float v = x[i * inner];
    sum += p == 2 ? v * v : fabs(v);
  }
  float norm = p == 2 ? sqrt(sum) : sum;
  norm = norm < least ? least : norm;
  if (norm == 0)
    norm = 1;
  for (int i = 0; i < n; i++)
    y[i * inner] = x[i * inner] / norm;
}
