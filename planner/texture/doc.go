// Package texture computes the geometry of tensors in 2D images: which texels a tensor of a given scope, shape and
// layout becomes, how many bytes those take on a device, and why a tensor cannot be an image at all. Start from [Pack].
//
// A texel holds 4 channels. The package knows no graph beyond shapes and element types, no pools, no lifetimes and no
// configuration; limits come as arguments and nothing has a hidden default.
package texture
