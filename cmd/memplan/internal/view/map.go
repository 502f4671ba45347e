package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/memplan/memplan/planner/plan"
)

// mapRows is the largest number of rows of a memory map.
const mapRows = 16

// letters mark the tensors of a map and are used again from the start when there are more.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// tile is a rectangle of a memory map: bytes [Low, High) during steps [First, Last), both half-open.
type tile struct {
	Low, High, First, Last int64
	Letter                 byte
	Name                   string
	// again marks a further piece of the tensor of an earlier tile.
	again bool
}

// memoryMap draws a flat pool for one graph, addresses upwards and steps to the right, a letter for each tensor. A cell
// shows the tensor that fills most of it, of equal ones the first in order of address; a cell that is mostly free is a dot.
//
//	Memory map of pool arena, graph net: 448 bytes by 3 steps
//	 448 ┌────────────
//	     │bbbbbbbb....
//	   0 │aaaacccccccc
//	     └────────────
//	  a = x, b = h, c = y
func memoryMap(paint palette, p *plan.Plan, g *plan.Graph, pool *plan.Pool, columns int) string {
	tiles := tilesOf(p, g, pool)
	steps := int64(len(g.Steps))
	for _, t := range tiles {
		steps = max(steps, t.Last)
	}
	if len(tiles) == 0 || steps == 0 {
		return ""
	}
	if columns > 0 {
		shortenNames(tiles, columns)
	} else {
		columns = fallbackWidth
	}
	label := len(strconv.FormatInt(pool.Peak, 10))
	width := cellsFor(steps, max(16, columns-label-5))
	rows := rowsFor(tiles, pool.Peak)
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d bytes by %s\n", paint.bold("Memory map of pool "+pool.Name+", graph "+g.Name), pool.Peak, plural(int(steps), "step"))
	fmt.Fprintf(&b, "  %*d ┌%s\n", label, pool.Peak, strings.Repeat("─", width))
	var drawn [256]bool
	for r := rows - 1; r >= 0; r-- {
		low, high := cut(pool.Peak, r, rows), cut(pool.Peak, r+1, rows)
		line := make([]byte, width)
		for c := range line {
			line[c] = letterAt(tiles, low, high, cut(steps, c, width), max(cut(steps, c+1, width), cut(steps, c, width)+1))
			drawn[line[c]] = true
		}
		fmt.Fprintf(&b, "  %*d │%s\n", label, low, line)
	}
	if tensorsOf(tiles) <= len(letters) {
		markUndrawn(tiles, &drawn)
	}
	fmt.Fprintf(&b, "  %s └%s\n%s", strings.Repeat(" ", label), strings.Repeat("─", width), legend(tiles, columns))
	return b.String()
}

// tilesOf lists the tensors with bytes of their own in the pool, in order of address, then of lifetime, then of the
// plan, each once and then again for each further piece that its gaps leave of it. Views lie within the tiles of their bases.
func tilesOf(p *plan.Plan, g *plan.Graph, pool *plan.Pool) []tile {
	var tiles []tile
	var pieces [][]plan.Piece
	for _, t := range g.Tensors {
		if t.Pool == pool.Name && t.ViewOf == nil && t.Offset != nil && t.Size > 0 && t.Last > t.First {
			tiles = append(tiles, tile{Low: *t.Offset, High: *t.Offset + t.Size, First: t.First, Last: t.Last, Name: visible(t.Name)})
			pieces = append(pieces, t.Pieces())
		}
	}
	order := make([]int, len(tiles))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(tiles[a].Low, tiles[b].Low), cmp.Compare(tiles[a].First, tiles[b].First))
	})
	var out []tile
	for i, at := range order {
		whole := tiles[at]
		for k, piece := range pieces[at] {
			out = append(out, tile{Low: whole.Low + piece.From, High: whole.Low + piece.To, First: piece.First, Last: piece.Last,
				Name: whole.Name, Letter: letters[i%len(letters)], again: k > 0})
		}
	}
	return out
}

// tensorsOf counts the tensors of tiles.
func tensorsOf(tiles []tile) int {
	n := 0
	for _, t := range tiles {
		if !t.again {
			n++
		}
	}
	return n
}

// cellsFor returns how many columns the steps take: as many for each as there is room for, up to eight.
func cellsFor(steps int64, room int) int {
	if steps >= int64(room) {
		return room
	}
	return int(steps) * min(8, room/int(steps))
}

// rowsFor returns the number of rows: within the limit one for each unit that all addresses are multiples of, so that
// every tensor starts and ends with a row; beyond it as many as there may be.
func rowsFor(tiles []tile, peak int64) int {
	unit := peak
	for _, t := range tiles {
		unit = gcd(gcd(unit, t.Low), t.High)
	}
	if unit > 0 && peak/unit <= mapRows {
		return int(peak / unit)
	}
	return int(min(mapRows, peak))
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// cut returns where part i of n equal parts of the whole starts, rounded down, without overflow.
func cut(whole int64, i, n int) int64 {
	return whole/int64(n)*int64(i) + whole%int64(n)*int64(i)/int64(n)
}

func letterAt(tiles []tile, low, high, first, last int64) byte {
	area := float64(high-low) * float64(last-first)
	best, most, free := byte('.'), 0.0, area
	for _, t := range tiles {
		covered := float64(overlap(t.Low, t.High, low, high)) * float64(overlap(t.First, t.Last, first, last))
		free -= covered
		if covered > most {
			best, most = t.Letter, covered
		}
	}
	if free > area/2 {
		return '.'
	}
	return best
}

func overlap(a, b, c, d int64) int64 { return max(0, min(b, d)-max(a, c)) }

// markUndrawn says in the legend which tensors fill most of no cell.
func markUndrawn(tiles []tile, drawn *[256]bool) {
	for i := range tiles {
		if !drawn[tiles[i].Letter] {
			tiles[i].Name += " (too small to draw)"
		}
	}
}

// shortenNames makes every item of the legend fit into a line.
func shortenNames(tiles []tile, columns int) {
	for i := range tiles {
		tiles[i].Name = shorten(tiles[i].Name, max(leastName, columns-8))
	}
}

// legend names the tensors by letter; with more tensors than letters a name tells only some of its tiles, so none does.
func legend(tiles []tile, columns int) string {
	if n := tensorsOf(tiles); n > len(letters) {
		return fmt.Sprintf("  %d tensors, lettered from the lowest address up; letters repeat\n", n)
	}
	var b strings.Builder
	column := 0
	for i, t := range tiles {
		if t.again {
			continue
		}
		item := string(t.Letter) + " = " + t.Name
		switch width := text.StringWidthWithoutEscSequences(item); {
		case i == 0:
			b.WriteString("  ")
			column = width
		case column+2+width > columns-2:
			b.WriteString(",\n  ")
			column = width
		default:
			b.WriteString(", ")
			column += 2 + width
		}
		b.WriteString(item)
	}
	return b.String() + "\n"
}
