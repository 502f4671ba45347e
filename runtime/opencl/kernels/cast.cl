// Conversions of elements from the type S to D. FROM_float16, FROM_bfloat16, TO_float16, TO_bfloat16 and TO_bool say what
// the bits of S and D stand for; SATURATES says that a float becomes an integer. An item converts 16 elements.
static ushort bfloat16_of(float v) {
  uint bits = as_uint(v);
  return isnan(v) ? (bits >> 16) | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

#if defined(FROM_float16)
#define V float
#define LOAD(p, i) vload_half(i, (global const half *)(p))
#elif defined(FROM_bfloat16)
#define V float
#define LOAD(p, i) as_float((uint)(p)[i] << 16)
#else
#define V S
#define LOAD(p, i) (p)[i]
#endif

#if defined(TO_float16)
#define STORE(p, i, v) vstore_half_rte((float)(v), i, (global half *)(p))
#elif defined(TO_bfloat16)
#define STORE(p, i, v) (p)[i] = bfloat16_of((float)(v))
#elif defined(TO_bool)
#define STORE(p, i, v) (p)[i] = (v) != 0
#elif defined(SATURATES)
#define CONVERT JOIN(JOIN(convert_, D), _sat_rtz)
#define STORE(p, i, v) (p)[i] = (v) != (v) ? 0 : CONVERT(v)
#else
#define STORE(p, i, v) (p)[i] = (D)(v)
#endif

kernel void cast_elements(FLAT(const S, x), FLAT(D, y), int n) {
  global const S *x = AT(x);
  global D *y = AT(y);
  int i = (int)get_global_id(0) * 16;
  for (int end = min(i + 16, n); i < end; i++) {
    V v = LOAD(x, i);
    STORE(y, i, v);
  }
}
