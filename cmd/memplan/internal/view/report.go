package view

import (
	"fmt"
	"strings"

	"github.com/memplan/memplan/planner"
)

// jsonReport is what explains the peak of a pool.
type jsonReport struct {
	Pool      string       `json:"pool"`
	Chain     []jsonLink   `json:"chain"`
	Peaks     []jsonPeak   `json:"peaks"`
	PeakCount int64        `json:"peak_count"`
	Live      []jsonLive   `json:"live"`
	LiveCount int          `json:"live_count"`
	LiveBytes int64        `json:"live_bytes"`
	Shared    int64        `json:"shared_bytes"`
	Remedies  []jsonRemedy `json:"remedies"`
}

type jsonLink struct {
	Step  string `json:"step"`
	Bytes int64  `json:"bytes"`
	Saved int64  `json:"saved"`
}

type jsonPeak struct {
	Graph string `json:"graph"`
	Step  int64  `json:"step"`
	Op    string `json:"op"`
}

type jsonLive struct {
	Graph  string `json:"graph"`
	Tensor string `json:"tensor"`
	Bytes  int64  `json:"bytes"`
	Use    string `json:"use"`
	Until  string `json:"until"`
}

type jsonRemedy struct {
	Setting string `json:"setting"`
	Bytes   int64  `json:"bytes"`
	Saved   int64  `json:"saved"`
}

func jsonReports(reports []planner.Report) []jsonReport {
	var out []jsonReport
	for _, r := range reports {
		row := jsonReport{Pool: r.Pool, Chain: []jsonLink{}, Peaks: []jsonPeak{}, PeakCount: r.PeakCount, Live: []jsonLive{}, LiveCount: r.LiveCount, LiveBytes: r.LiveBytes, Shared: r.SharedBytes, Remedies: []jsonRemedy{}}
		for _, l := range r.Chain {
			row.Chain = append(row.Chain, jsonLink(l))
		}
		for _, p := range r.Peaks {
			row.Peaks = append(row.Peaks, jsonPeak(p))
		}
		for _, l := range r.Live {
			row.Live = append(row.Live, jsonLive(l))
		}
		for _, m := range r.Remedies {
			row.Remedies = append(row.Remedies, jsonRemedy(m))
		}
		out = append(out, row)
	}
	return out
}

// reportRows bounds the tensors that are listed of a peak.
const reportRows = 4

// writeReport says how the bytes of a pool come down to its peak, what is live there and what would lower it:
//
//	savings   no sharing            9437184 bytes (9 MiB)
//	          source order, packed  1310720 bytes (1.25 MiB)  8126464 less
//	          in-place              1245184 bytes (1.19 MiB)    65536 less
//	live      channel_padding       458752 bytes  result
//	          activation_1          393216 bytes  operand
//	lower     order = "memory" in planner  1000000 bytes, 245184 less
//
// A pool in which nothing changes while graphs run has no report.
func writeReport(b *strings.Builder, paint palette, columns int, r *planner.Report) {
	if r.Constant || r.Chain[0].Bytes == 0 {
		return
	}
	chain := grid{numbers: []int{2, 3}}
	for i, link := range r.Chain {
		saved := ""
		if i > 0 {
			saved = savedText(link.Saved)
		}
		chain.add(title("savings", i), link.Step, bytesText(link.Bytes), saved)
	}
	b.WriteString(chain.render(paint))
	live := grid{numbers: []int{2}, names: []int{1, 4}, width: columns}
	for i, l := range r.Live[:min(len(r.Live), reportRows)] {
		use, until := useText(l)
		live.add(title("live", i), visible(l.Tensor), bytesText(l.Bytes), use, visible(until))
	}
	b.WriteString(live.render(paint))
	if more := r.LiveCount - min(len(r.Live), reportRows); more > 0 {
		fmt.Fprintf(b, "            and %d more, %s in all\n", more, bytesText(r.LiveBytes))
	}
	if r.SharedBytes > 0 {
		fmt.Fprintf(b, "            %s of these are shared: a result is written over its operand from below\n", bytesText(r.SharedBytes))
	}
	if r.PeakCount > 1 {
		fmt.Fprintf(b, "            as many bytes are live at %s more\n", plural(int(r.PeakCount-1), "step"))
	}
	remedies := grid{wraps: true, width: columns}
	for i, m := range r.Remedies {
		remedies.add(title("lower", i), m.Setting, fmt.Sprintf("%s, %s", bytesText(m.Bytes), savedText(m.Saved)))
	}
	b.WriteString(remedies.render(paint))
}

// title is the word that stands before the first row of a list, padded as those of pools are.
func title(word string, row int) string {
	if row > 0 {
		word = ""
	}
	return fmt.Sprintf("%-8s", word)
}

func savedText(bytes int64) string {
	if bytes < 0 {
		return fmt.Sprintf("%d more", -bytes)
	}
	return fmt.Sprintf("%d less", bytes)
}

// useText says why a tensor is live at the peak, and for one that waits or is kept until which op.
func useText(l planner.Live) (use, until string) {
	switch l.Use {
	case planner.UseWaiting:
		use = "waiting"
	case planner.UseKept:
		use = "kept by keep"
	default:
		return l.Use, ""
	}
	if l.Until != "" {
		use += " until"
	}
	return use, l.Until
}
