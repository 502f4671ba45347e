package array

import "maps"

// table has every kernel by the op's name. It is never changed.
var table = makeTable()

func makeTable() map[string]entry {
	all := map[string]entry{}
	for _, group := range []map[string]entry{
		reshapeKernels, concatKernels, sliceKernels, gatherKernels, scatterKernels, padKernels, whereKernels,
		castKernels, elementwiseKernels, wholeKernels, compareKernels, reduceKernels, orderKernels, quantizeKernels,
		generateKernels,
	} {
		maps.Copy(all, group)
	}
	for _, name := range mappingNames {
		all[name] = entry{kernel: mapping, needed: 1, most: 1, outputs: 1, halves: true}
	}
	return all
}
