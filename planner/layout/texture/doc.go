// Package texture lays out image storages: given images of fixed sides and texel kind with lifetimes, and pools with
// limits, it decides which images use one storage at different times. Start from [Problem] and [Solve].
//
// An image cannot be cut or moved inside a storage, so there are no offsets: a storage has the largest width and the
// largest height of its images, all of one texel kind and of disjoint lifetimes. Objectives, in order: fit the pools;
// most bytes in first-choice pools; least bytes of all storages. The package knows no names, no tensors, no scopes'
// meaning and no configuration, and does no I/O. Results depend on the problem and the effort alone.
package texture
