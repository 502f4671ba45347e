package session

import (
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph"
)

// graphs holds the graphs that were read to know their names, by path.
type graphs struct {
	mu   sync.Mutex
	read map[string]readGraph
}

type readGraph struct {
	size     int64
	modified time.Time
	graph    *graph.Graph
}

// Graph returns the graph of a source as its file has it, nil when it cannot be read. A file that has not changed is read
// once; unsaved text is read anew.
func (l *Loaded) Graph(source string) *graph.Graph {
	source = strings.ReplaceAll(source, `\`, "/")
	file, err := l.openGraph(source)
	if err != nil {
		return nil
	}
	// What closing a file that was only read fails of is of no consequence.
	defer func() { _ = file.Close() }()
	info, err := os.Stat(l.reader.absolute(source))
	if err != nil || l.reader.document(source) != nil {
		g, _ := planner.Import(file)
		return g
	}
	l.graphs.mu.Lock()
	defer l.graphs.mu.Unlock()
	known, ok := l.graphs.read[source]
	if !ok || known.size != info.Size() || !known.modified.Equal(info.ModTime()) {
		known = readGraph{size: info.Size(), modified: info.ModTime()}
		known.graph, _ = planner.Import(file)
		if l.graphs.read == nil {
			l.graphs.read = map[string]readGraph{}
		}
		l.graphs.read[source] = known
	}
	return known.graph
}

// Symbols lists the names of the dimensions that a graph leaves open, in order of name.
func Symbols(g *graph.Graph) []string {
	var names []string
	for i := range g.Tensors {
		for _, name := range g.Tensors[i].Symbols {
			if name != "" {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
