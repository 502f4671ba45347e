// The beginning of every program. A flat operand is two parameters, the buffer of its pool and the offset of its first
// element: FLAT(float, x) declares x_pool and x_at, and AT(x) is the pointer to the first element.
#define FLAT(type, name) global type *name##_pool, long name##_at
#define AT(name) (name##_pool + name##_at)

// KERNEL begins the definition of a kernel.
#ifndef KERNEL
#define KERNEL(name, ...) kernel void name(__VA_ARGS__)
#endif

// BELOW and ABOVE keep a NaN, which fmax and fmin drop: a stale read must show in the results.
#define BELOW(V, v, most) ((v) > (V)(most) ? (V)(most) : (v))
#define ABOVE(V, v, least) ((v) < (V)(least) ? (V)(least) : (v))

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#ifdef FLOAT64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
