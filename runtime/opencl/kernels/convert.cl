// Float types that kernels take as float32. An item converts 16 elements.
#define EACH(i, n) \
  for (int i = (int)get_global_id(0) * 16, end_ = min(i + 16, n); i < end_; i++)

KERNEL(widen_float16, FLAT(const ushort, x), FLAT(float, y), int n) {
  EACH(i, n) AT(y)[i] = vload_half(i, (global const half *)AT(x));
}

KERNEL(narrow_float16, FLAT(const float, x), FLAT(ushort, y), int n) {
  EACH(i, n) vstore_half_rte(AT(x)[i], i, (global half *)AT(y));
}

KERNEL(widen_bfloat16, FLAT(const ushort, x), FLAT(float, y), int n) {
  EACH(i, n) AT(y)[i] = as_float((uint)AT(x)[i] << 16);
}

KERNEL(narrow_bfloat16, FLAT(const float, x), FLAT(ushort, y), int n) {
  EACH(i, n) {
    float v = AT(x)[i];
    uint bits = as_uint(v);
    AT(y)[i] = isnan(v) ? (bits >> 16) | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }
}

#ifdef FLOAT64
KERNEL(widen_float64, FLAT(const double, x), FLAT(float, y), int n) {
  EACH(i, n) AT(y)[i] = convert_float_rte(AT(x)[i]);
}

KERNEL(narrow_float64, FLAT(const float, x), FLAT(double, y), int n) {
  EACH(i, n) AT(y)[i] = AT(x)[i];
}
#endif
