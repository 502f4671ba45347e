// Package source gives importers the bytes of a graph file, and of the files it names beside it, without copying what
// is large. Start from [Open], or from [FromBytes] for text that is in memory only.
//
// The package knows nothing of formats. It opens files through the fs.FS it is given and never by itself: who hands it
// the file system of an os.Root has made sure that no name and no symbolic link leads out of that directory.
package source
