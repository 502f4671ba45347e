// Functions of two numbers that broadcast. T is the element type of the operands; DIVIDES is defined for integers, FLOATS
// for floats. An item computes LONG elements of a row of the result, which is dense and may have the memory of an operand.
#define T16 JOIN(T, 16)

// The 16 elements of an operand from p on, of which count exist: step is 0 for one that repeats, else 1. What does not
// exist repeats one that does.
static T16 fetch(global const T *p, int step, int count) {
  if (step == 0)
    return (T16)(*p);
  if (count == 16)
    return vload16(0, p);
  T v[16];
  for (int i = 0; i < 16; i++)
    v[i] = p[min(i, count - 1)];
  return vload16(0, v);
}

#define STORE(R, p, value) \
  if (part == 16) \
    vstore16(value, 0, p); \
  else { \
    R v[16]; \
    vstore16(value, 0, v); \
    for (int i = 0; i < part; i++) \
      (p)[i] = v[i]; \
  }

// Stores F of the operands x and y to z, 16 elements at a time.
#define EACH_16(R, F) \
  ITEM_OF(LONG) \
  global const T *a = AT(x) + row_start(row, rank, extents, xs) + first * xs.s7; \
  global const T *b = AT(y) + row_start(row, rank, extents, ys) + first * ys.s7; \
  global R *z = AT(z) + row * n + first; \
  for (; count > 0; count -= 16, a += 16 * xs.s7, b += 16 * ys.s7, z += 16) { \
    int part = min(count, 16); \
    T16 x = fetch(a, xs.s7, part), y = fetch(b, ys.s7, part); \
    STORE(R, z, F) \
  }

#define BINARY(name, F) \
  KERNEL(binary_##name, FLAT(const T, x), FLAT(const T, y), FLAT(T, z), WALK, int8 xs, int8 ys) { EACH_16(T, F) }

// A test gives 1 or 0.
#define TEST(name, F) \
  KERNEL(binary_##name, FLAT(const T, x), FLAT(const T, y), FLAT(uchar, z), WALK, int8 xs, int8 ys) { \
    EACH_16(uchar, convert_uchar16(F) & (uchar16)1) \
  }

BINARY(add, x + y)
BINARY(sub, x - y)
BINARY(mul, x * y)
BINARY(squared_difference, (x - y) * (x - y))
BINARY(prelu, (x < (T16)0 ? x * y : x))

TEST(equal, x == y)
TEST(less, x < y)
TEST(less_or_equal, x <= y)
TEST(greater, x > y)
TEST(greater_or_equal, x >= y)

#ifdef FLOATS
// A NaN in either operand shows.
BINARY(max, (x > y || x != x) ? x : y)
BINARY(min, (x < y || x != x) ? x : y)
BINARY(div, x / y)
BINARY(floor_div, floor(x / y))
BINARY(mod, fmod(x, y))
BINARY(pow, pow(x, y))

TEST(is_nan, x != x || y != y)
TEST(magnitude, fabs(x) == y)

static T16 floor_mod(T16 x, T16 y) {
  T16 r = fmod(x, y);
  return r != (T16)0 && (r < (T16)0) != (y < (T16)0) ? r + y : r;
}
BINARY(floor_mod, floor_mod(x, y))
#else
BINARY(max, x > y ? x : y)
BINARY(min, x < y ? x : y)
BINARY(and, x & y)
BINARY(or, x | y)
BINARY(xor, x ^ y)

TEST(both, (x != (T16)0) && (y != (T16)0))
TEST(either, (x | y) != (T16)0)
TEST(one, (x != (T16)0) ^ (y != (T16)0))
#endif

#ifdef DIVIDES
// A processor may stop the program at a division by 0, or of the least number by -1: each element is looked at alone.
static T quotient(T a, T b) { return b == (T)-1 ? -a : a / b; }
static T remainder_of(T a, T b) { return b == (T)-1 ? 0 : a % b; }
static T floor_quotient(T a, T b) {
  T q = quotient(a, b);
  return remainder_of(a, b) != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
static T floor_remainder(T a, T b) {
  T r = remainder_of(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

#define DIVISION(name, F) \
  KERNEL(binary_##name, FLAT(const T, x), FLAT(const T, y), FLAT(T, z), WALK, int8 xs, int8 ys, FLAT(int, fault)) { \
    ITEM_OF(LONG) \
    global const T *x = AT(x) + row_start(row, rank, extents, xs) + first * xs.s7; \
    global const T *y = AT(y) + row_start(row, rank, extents, ys) + first * ys.s7; \
    global T *z = AT(z) + row * n + first; \
    for (int i = 0; i < count; i++) { \
      T a = x[i * xs.s7], b = y[i * ys.s7]; \
      if (b == 0) \
        *AT(fault) = 1; \
      else \
        z[i] = F(a, b); \
    } \
  }
DIVISION(div, quotient)
DIVISION(mod, remainder_of)
DIVISION(floor_div, floor_quotient)
DIVISION(floor_mod, floor_remainder)

// Shifts by a distance that is negative or too long shift everything out.
#define EACH(name, F) \
  KERNEL(binary_##name, FLAT(const T, x), FLAT(const T, y), FLAT(T, z), WALK, int8 xs, int8 ys) { \
    ITEM_OF(LONG) \
    global const T *x = AT(x) + row_start(row, rank, extents, xs) + first * xs.s7; \
    global const T *y = AT(y) + row_start(row, rank, extents, ys) + first * ys.s7; \
    global T *z = AT(z) + row * n + first; \
    for (int i = 0; i < count; i++) { \
      T a = x[i * xs.s7], b = y[i * ys.s7]; \
      z[i] = F(a, b); \
    } \
  }
#define BITS ((T)(8 * sizeof(T)))
static T shift_left(T a, T b) { return b < 0 || b >= BITS ? 0 : a << b; }
static T shift_right(T a, T b) { return b < 0 || b >= BITS ? (a < 0 ? (T)-1 : 0) : a >> b; }
EACH(shift_left, shift_left)
EACH(shift_right, shift_right)

// Powers modulo 2^bits; a negative exponent gives the truncated reciprocal, 0 for a base of 0.
static T power(T base, T e) {
  if (e < 0)
    return base == 1 ? 1 : (base == (T)-1 ? (e % 2 == 0 ? 1 : (T)-1) : 0);
  T result = 1;
  for (; e > 0; e >>= 1) {
    if (e & 1)
      result *= base;
    base *= base;
  }
  return result;
}
EACH(pow, power)
#endif
