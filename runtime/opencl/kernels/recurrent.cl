// LSTM, GRU and RNN. Weights are [dirs][gates·n][...], sums of the input's half [dirs][steps][batch][gates·n]. States are
// [dirs][batch][n] while steps run, whatever the layout of the operands is.

// The activations by number, with ONNX's parameters.
static float act(int kind, float clip, float v) {
  if (clip > 0)
    v = BELOW(float, ABOVE(float, v, -clip), clip);
  switch (kind) {
  case 0: return 1 / (1 + exp(-v));
  case 1: return tanh(v);
  case 2: return v < 0 ? 0 : v;
  case 3: return BELOW(float, ABOVE(float, 0.2f * v + 0.5f, 0.0f), 1.0f);
  case 4: return v / (1 + fabs(v));
  default: return log1p(exp(v));
  }
}

static float dot_product(global const float *a, global const float *b, int n) {
  float16 sums = (float16)0;
  int i = 0;
  for (; i + 16 <= n; i += 16)
    sums += vload16(0, a + i) * vload16(0, b + i);
  float8 h = sums.lo + sums.hi;
  float4 q = h.lo + h.hi;
  float2 p = q.lo + q.hi;
  float sum = p.x + p.y;
  for (; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

// The input's half of all gates at all times: rows of w times the input, plus the input's half of the bias.
KERNEL(recurrent_input, FLAT(const float, x), FLAT(const float, w), FLAT(const float, bias), FLAT(float, sums), int items, int rows, int batch, int steps, int in, int batch_first, int biased) {
  int item = get_global_id(0);
  if (item >= items)
    return;
  int row = item % rows, b = item / rows % batch, t = item / rows / batch % steps, dir = item / rows / batch / steps;
  global const float *x = AT(x) + (batch_first ? b * steps + t : t * batch + b) * in;
  float sum = dot_product(AT(w) + (dir * rows + row) * in, x, in);
  if (biased)
    sum += AT(bias)[2 * dir * rows + row];
  AT(sums)[item] = sum;
}

// The first states: from [dirs][batch][n] or with batch_first [batch][dirs][n], or zeros.
KERNEL(recurrent_start, FLAT(const float, given), FLAT(float, state), int items, int batch, int dirs, int n, int batch_first, int zero) {
  int item = get_global_id(0);
  if (item >= items)
    return;
  int i = item % n, b = item / n % batch, dir = item / n / batch;
  AT(state)[item] = zero ? 0 : AT(given)[((batch_first ? b * dirs + dir : dir * batch + b)) * n + i];
}

// A step: where it is in the sequence of its item. Sequences that have ended keep their state.
#define SEQUENCE \
  int item = get_global_id(0); \
  if (item >= items) \
    return; \
  int i = item % n, b = item / n % batch, dir = item / n / batch; \
  int length = limited ? min(max(AT(lengths)[b], 0), steps) : steps; \
  int ended = t >= length; \
  int at = ended ? t : (backwards || dir == 1 ? length - 1 - t : t); \
  int rows = gates * n; \
  global const float *x = AT(sums) + ((dir * steps + at) * batch + b) * rows; \
  global const float *r = AT(r) + dir * rows * n; \
  global const float *rb = AT(bias) + (2 * dir + 1) * rows; \
  int sequence = (dir * batch + b) * n;

#define PARAMETERS \
  FLAT(const float, sums), FLAT(const float, r), FLAT(const float, bias), FLAT(const float, peep), FLAT(const int, lengths), \
      FLAT(const float, h0), FLAT(float, h1), FLAT(float, c), FLAT(float, y), int t, int items, int n, int batch, int dirs, int steps, int gates, \
      int8 acts, float clip, int limited, int backwards, int biased, int peeped, int variant, int wanted, int batch_first

// The recurrent half of a gate.
#define PART(gate) (dot_product(r + ((gate)*n + i) * n, AT(h0) + sequence, n) + (biased ? rb[(gate)*n + i] : 0))

// Writes the result of a step, zeros for one after the end.
#define EMIT(v) \
  if (wanted) \
    AT(y)[(batch_first ? (b * steps + at) * dirs + dir : (at * dirs + dir) * batch + b) * n + i] = ended ? 0 : v;

#define ACT(k, v) act(kinds[dir * 3 + k], clip, v)
#define KINDS \
  int kinds[8]; \
  vstore8(acts, 0, kinds);

// Gates are input, output, forget and cell; variant couples forget to input.
KERNEL(recurrent_lstm, PARAMETERS) {
  SEQUENCE
  KINDS
  float h = AT(h0)[sequence + i], old = AT(c)[sequence + i];
  if (!ended) {
    global const float *p = AT(peep) + dir * 3 * n + i;
    float in = ACT(0, x[i] + PART(0) + (peeped ? p[0] * old : 0));
    float forget = variant ? 1 - in : ACT(0, x[2 * n + i] + PART(2) + (peeped ? p[2 * n] * old : 0));
    float cell = forget * old + in * ACT(1, x[3 * n + i] + PART(3));
    h = ACT(0, x[n + i] + PART(1) + (peeped ? p[n] * cell : 0)) * act(kinds[dir * 3 + 2], 0, cell);
    AT(c)[sequence + i] = cell;
  }
  AT(h1)[sequence + i] = h;
  EMIT(h)
}

KERNEL(recurrent_rnn, PARAMETERS) {
  SEQUENCE
  KINDS
  float h = AT(h0)[sequence + i];
  if (!ended)
    h = ACT(0, x[i] + PART(0));
  AT(h1)[sequence + i] = h;
  EMIT(h)
}

// The reset state of GRU, reset times the state, in c: the second half needs all of it.
KERNEL(recurrent_reset, PARAMETERS) {
  SEQUENCE
  KINDS
  AT(c)[sequence + i] = ACT(0, x[n + i] + PART(1)) * AT(h0)[sequence + i];
}

// Gates are update, reset and hidden; variant applies the reset after the product.
KERNEL(recurrent_gru, PARAMETERS) {
  SEQUENCE
  KINDS
  float h = AT(h0)[sequence + i];
  if (!ended) {
    float update = ACT(0, x[i] + PART(0)), part;
    if (variant)
      part = ACT(0, x[n + i] + PART(1)) * PART(2);
    else
      part = dot_product(r + (2 * n + i) * n, AT(c) + sequence, n) + (biased ? rb[2 * n + i] : 0);
    float hidden = ACT(1, x[2 * n + i] + part);
    h = (1 - update) * hidden + update * h;
  }
  AT(h1)[sequence + i] = h;
  EMIT(h)
}

// The last states, in the layout of the operands.
KERNEL(recurrent_end, FLAT(const float, state), FLAT(float, y), int items, int batch, int dirs, int n, int batch_first) {
  int item = get_global_id(0);
  if (item >= items)
    return;
  int i = item % n, b = item / n % batch, dir = item / n / batch;
  AT(y)[((batch_first ? b * dirs + dir : dir * batch + b)) * n + i] = AT(state)[item];
}
