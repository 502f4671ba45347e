// Functions of two pictures that broadcast: an item computes four channels of a pixel.
//   out  images, blocks of channels, depth, height, width
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MUL(a, b) ((a) * (b))
#define DIV(a, b) ((a) / (b))
#define MAX(a, b) (((b) > (a)) | isnan(b) ? (b) : (a))
#define MIN(a, b) (((b) < (a)) | isnan(b) ? (b) : (a))
#define PRELU(a, b) ((a) < 0.0f ? (a) * (b) : (a))
kernel void binary_view(X_IN, W_IN, Y_OUT, TAIL, int8 out) {
  TEXEL
  float4 a = LOAD_X(n, o, pz, py, px), b = LOAD_W(n, o, pz, py, px);
  STORE_Y(n, o, pz, py, px, FINISH(n, o, pz, py, px, OF(a, b)));
}
