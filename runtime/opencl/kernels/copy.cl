// T is an unsigned integer of the elements' size.

// Copies n elements, 16 by an item.
KERNEL(copy_elements, FLAT(const T, x), FLAT(T, y), int n) {
  global const T *x = AT(x);
  global T *y = AT(y);
  int i = (int)get_global_id(0) * 16;
  for (int end = min(i + 16, n); i < end; i++)
    y[i] = x[i];
}
