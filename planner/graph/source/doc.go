// Package source gives importers the bytes of a graph file, and of the files it names beside it, without copying what
// is large. Start from [Open], or from [FromBytes] for text that is in memory only.
//
// The package knows nothing of formats. It opens files through the fs.FS it is given; that of [Confined] makes sure
// that no name and no symbolic link in a model leads out of the model's directory.
package source
