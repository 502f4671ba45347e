package planner_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/plan"
)

const faceDetector = "../testdata/models/face_detection_short_range.tflite"

// onOpenCL is a configuration of the face detector with more in its device block and more blocks.
func onOpenCL(t *testing.T, device, blocks string) world {
	model, err := os.ReadFile(faceDetector)
	require.NoError(t, err)
	return world{"net.tflite": string(model), "main.hcl": fmt.Sprintf(
		"device \"gpu\" {\n driver = \"opencl\"\n%s}\npool \"arena\" { device = device.gpu }\n%sgraph \"net\" {\n source = \"net.tflite\"\n device = device.gpu\n}\n", device, blocks)}
}

const (
	imageLimits = " image2d {\n max_width = 16384\n max_height = 16384\n}\n"
	texturePool = "pool \"textures\" {\n device = device.gpu\n type = \"texture\"\n holds = [\"%s\"]\n}\n"
	weightRule  = "scope_rule \"weights\" {\n match {\n op = [\"Conv\"]\n operand = [\"weight\"]\n}\n condition = tensor.texture_weight.width > 0\n scope = \"global.texture-weight\"\n}\n"
	resultRule  = "scope_rule \"results\" {\n match {\n role = [\"activation\"]\n rank = [4]\n}\n condition = tensor.texture.width > 0 && tensor.bytes < 60000\n scope = \"global.texture\"\n}\n"
)

func TestADeviceWithImagesThatNoTensorUsesPlansAsOneWithout(t *testing.T) {
	without := onOpenCL(t, "", "").must(t)
	for name, w := range map[string]world{
		"limits alone": onOpenCL(t, imageLimits, ""), "a pool that nothing asks for": onOpenCL(t, imageLimits, fmt.Sprintf(texturePool, "activation")),
	} {
		t.Run(name, func(t *testing.T) {
			p := w.must(t)
			require.Empty(t, images(p))
			require.Equal(t, without.Storages, p.Storages)
			require.Equal(t, without.Graphs[0].Steps, p.Graphs[0].Steps)
			require.Equal(t, without.Settings, p.Settings)
		})
	}
}

// overwritten counts the results that have bytes of another tensor, in images and in flat memory.
func overwritten(p *plan.Plan) (inImages, flat int) {
	for i := range p.Graphs[0].Tensors {
		switch x := &p.Graphs[0].Tensors[i]; {
		case x.ViewOf == nil || x.Producer == "":
		case x.Scope == "global":
			flat++
		default:
			inImages++
		}
	}
	return inImages, flat
}

func TestResultsAreWrittenOverOperandsBesideImages(t *testing.T) {
	for name, blocks := range map[string]string{
		"weights": fmt.Sprintf(texturePool, "constant") + weightRule, "small results": fmt.Sprintf(texturePool, "activation") + resultRule,
	} {
		t.Run(name, func(t *testing.T) {
			p := onOpenCL(t, imageLimits, blocks).must(t)
			require.NotEmpty(t, images(p))
			plain := onOpenCL(t, imageLimits, blocks+"planner { views = [\"reshape\"] }\n").must(t)
			inImages, flat := overwritten(p)
			_, before := overwritten(plain)
			require.Zero(t, inImages, "a kernel of OpenCL reads an image or writes it")
			require.Greater(t, flat, before)
			require.Less(t, pool(t, p, "arena").Peak, pool(t, plain, "arena").Peak)
		})
	}
}

// A pool that may hold images as well has room for the flat tensors that fit into it without them.
func TestImagesOverAPoolMakeWayForWhatMustBeFlat(t *testing.T) {
	const limits = " image2d {\n max_width = 16384\n max_height = 16384\n pitch_alignment = 64\n from_buffer = true\n}\n"
	const painted = "pool \"textures\" {\n device = device.gpu\n type = \"texture\"\n size = \"8MiB\"\n}\nscope_rule \"act\" {\n match {\n op = [\"Conv\", \"Add\", \"Relu\"]\n operand = [\"data\", \"output\"]\n role = [\"activation\"]\n}\n condition = tensor.bytes >= kib(4)\n scope = \"global.texture\"\n pools = [pool.textures, pool.arena]\n}\n"
	for _, size := range []string{"size = \"4MiB\"", "size = \"4MiB\"\n images = true"} {
		w := onOpenCL(t, limits, painted)
		w["main.hcl"] = strings.Replace(w["main.hcl"], "pool \"arena\" { device = device.gpu }", "pool \"arena\" {\n device = device.gpu\n "+size+"\n}", 1)
		result, diags := w.plan(t)
		require.False(t, diags.HasErrors(), "%s: %v", size, diags)
		require.NotEmpty(t, diags)
		require.Contains(t, diags[0].Detail, "6 x 4096 texels, 4194304 bytes with rows of 64 texels, did not fit", size)
		require.Contains(t, diags[0].Detail, "Raise the size of ", size)
		arena := pool(t, result.Plan, "arena")
		require.LessOrEqual(t, arena.Peak, int64(4<<20), size)
		require.Positive(t, arena.Peak, size)
	}
}
