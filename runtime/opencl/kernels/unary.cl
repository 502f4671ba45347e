// Functions of one number. T is the element type, a and b are what the attributes of the op say. An item computes 16
// elements; x and y may be the same memory.
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define T16 JOIN(T, 16)

// F(V, v) is the result for v of type V, which is T or a vector of it. With TEXELS an item computes four channels of a
// pixel; view.cl says of what.
#ifdef TEXELS
#define UNARY(name, F) \
  KERNEL(view_##name, X_IN, Y_OUT, TAIL, int8 out, float a, float b) { \
    TEXEL \
    float4 v = LOAD_X(n, o, pz, py, px); \
    v = F(float4, v); \
    STORE_Y(n, o, pz, py, px, FINISH(n, o, pz, py, px, v)); \
  }
#else
#define UNARY(name, F) \
  KERNEL(unary_##name, FLAT(const T, x), FLAT(T, y), int n, T a, T b) { \
    global const T *x = AT(x); \
    global T *y = AT(y); \
    int i = (int)get_global_id(0) * 16; \
    if (i + 16 <= n) { \
      T16 v = vload16(0, x + i); \
      vstore16(F(T16, v), 0, y + i); \
      return; \
    } \
    for (; i < n; i++) { \
      T v = x[i]; \
      y[i] = F(T, v); \
    } \
  }
#endif

#define NEG(V, v) (-v)
#define ABS(V, v) (v < (V)0 ? -v : v)
#define SIGN(V, v) (v > (V)0 ? (V)1 : (v < (V)0 ? (V)(T)-1 : v))
#define RELU(V, v) ABOVE(V, v, 0)
#define SQUARE(V, v) (v * v)
#define CLIP(V, v) (ABOVE(V, v, a) > (V)b ? (V)b : ABOVE(V, v, a))

UNARY(neg, NEG)
UNARY(abs, ABS)
UNARY(sign, SIGN)
UNARY(relu, RELU)
UNARY(square, SQUARE)
UNARY(clip, CLIP)

// Clip whose limits are tensors of one element, computed during the run; without is 1 for a missing lower limit, 2 for an
// upper one, 3 for both.
KERNEL(unary_clip_by, FLAT(const T, x), FLAT(T, y), int n, FLAT(const T, low), FLAT(const T, high), int without) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  T v = AT(x)[i];
  if (!(without & 1))
    v = ABOVE(T, v, *AT(low));
  if (!(without & 2))
    v = BELOW(T, v, *AT(high));
  AT(y)[i] = v;
}

#ifdef FLOATS
#define CUT(V, v, least, most) BELOW(V, ABOVE(V, v, least), most)
#define SIGMOID_OF(V, v) ((V)1 / ((V)1 + exp(-(v))))
#define SOFTPLUS_OF(V, v) (fmax(v, (V)0) + log1p(exp(-fabs(v))))

#define SHRINK(V, v) (v < (V)-b ? v + (V)a : (v > (V)b ? v - (V)a : (V)0))
#define LEAKY_RELU(V, v) (v < (V)0 ? v * (V)a : v)
#define HARD_SIGMOID(V, v) CUT(V, (V)a * v + (V)b, 0, 1)
#define HARD_SWISH(V, v) (v * CUT(V, v + (V)3, 0, 6) / (V)6)
#define THRESHOLDED_RELU(V, v) (v <= (V)a ? (V)0 : v)
#define RECIPROCAL(V, v) ((V)1 / v)
#define SOFTSIGN(V, v) (v / ((V)1 + fabs(v)))
#define SIGMOID(V, v) SIGMOID_OF(V, v)
#define SOFTPLUS(V, v) SOFTPLUS_OF(V, v)
#define MISH(V, v) (v * tanh(SOFTPLUS_OF(V, v)))
#define SELU(V, v) (v > (V)0 ? (V)b * v : (V)(a * b) * expm1(v))
#define CELU(V, v) (v > (V)0 ? v : (V)a * expm1(v / (V)a))
#define SWISH(V, v) (v * SIGMOID_OF(V, (V)a * v))
#define GELU(V, v) ((V)0.5f * v * ((V)1 + erf(v * (V)M_SQRT1_2_F)))
#define GELU_TANH(V, v) ((V)0.5f * v * ((V)1 + tanh((V)0.7978845608f * (v + (V)0.044715f * v * v * v))))

UNARY(shrink, SHRINK)
UNARY(leaky_relu, LEAKY_RELU)
UNARY(hard_sigmoid, HARD_SIGMOID)
UNARY(hard_swish, HARD_SWISH)
UNARY(thresholded_relu, THRESHOLDED_RELU)
UNARY(reciprocal, RECIPROCAL)
UNARY(softsign, SOFTSIGN)
UNARY(sigmoid, SIGMOID)
UNARY(softplus, SOFTPLUS)
UNARY(mish, MISH)
UNARY(selu, SELU)
UNARY(celu, CELU)
UNARY(swish, SWISH)
UNARY(gelu, GELU)
UNARY(gelu_tanh, GELU_TANH)

#define SQRT(V, v) sqrt(v)
#define RSQRT(V, v) rsqrt(v)
#define EXP(V, v) exp(v)
#define LOG(V, v) log(v)
#define SIN(V, v) sin(v)
#define COS(V, v) cos(v)
#define TAN(V, v) tan(v)
#define ASIN(V, v) asin(v)
#define ACOS(V, v) acos(v)
#define ATAN(V, v) atan(v)
#define SINH(V, v) sinh(v)
#define COSH(V, v) cosh(v)
#define TANH(V, v) tanh(v)
#define ASINH(V, v) asinh(v)
#define ACOSH(V, v) acosh(v)
#define ATANH(V, v) atanh(v)
#define CEIL(V, v) ceil(v)
#define FLOOR(V, v) floor(v)
#define RINT(V, v) rint(v)
#define ERF(V, v) erf(v)

UNARY(sqrt, SQRT)
UNARY(rsqrt, RSQRT)
UNARY(exp, EXP)
UNARY(log, LOG)
UNARY(sin, SIN)
UNARY(cos, COS)
UNARY(tan, TAN)
UNARY(asin, ASIN)
UNARY(acos, ACOS)
UNARY(atan, ATAN)
UNARY(sinh, SINH)
UNARY(cosh, COSH)
UNARY(tanh, TANH)
UNARY(asinh, ASINH)
UNARY(acosh, ACOSH)
UNARY(atanh, ATANH)
UNARY(ceil, CEIL)
UNARY(floor, FLOOR)
UNARY(rint, RINT)
UNARY(erf, ERF)
#endif
