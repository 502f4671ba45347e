package planner_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

var advice = regexp.MustCompile(`Raise the size of pool "(\w+)" to at least (\d+)`)

// banks is a device with two capped pools, in the order of preference.
func banks(fast, slow int64) string {
	return fmt.Sprintf("%s\npool \"fast\" {\ndevice = device.d\nsize = %d\n}\npool \"slow\" {\ndevice = device.d\nsize = %d\nalignment = 16\n}\n%s", device, fast, slow, oneGraph)
}

func TestWithTheAdvisedSizesEverythingFits(t *testing.T) {
	refused := 0
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 7))
		lines := []string{fmt.Sprintf("t0 input %d", 1+r.IntN(900))}
		var ops []string
		n := 4 + r.IntN(5)
		for i := 1; i <= n; i++ {
			role := "activation"
			if i == n {
				role = "output"
			}
			lines = append(lines, fmt.Sprintf("t%d %s %d", i, role, 1+r.IntN(900)))
			ops = append(ops, fmt.Sprintf("op%d: t%d t%d -> t%d", i, i-1, r.IntN(i), i))
		}
		graph := net(t, append(lines, ops...)...)
		caps := map[string]int64{"fast": 64 + r.Int64N(700), "slow": 64 + r.Int64N(900)}
		result, diags := world{"main.hcl": banks(caps["fast"], caps["slow"]), "net.json": graph}.plan(t)
		if result != nil {
			continue
		}
		refused++
		for _, d := range diags {
			found := advice.FindStringSubmatch(d.Detail)
			require.NotNil(t, found, "seed %d: %s", seed, d.Detail)
			size, err := strconv.ParseInt(found[2], 10, 64)
			require.NoError(t, err)
			require.Greater(t, size, caps[found[1]], "seed %d: the advised size is larger than the present one", seed)
			caps[found[1]] = size
		}
		result, diags = world{"main.hcl": banks(caps["fast"], caps["slow"]), "net.json": graph}.plan(t)
		require.NotNil(t, result, "seed %d with %v: %v", seed, caps, diags)
	}
	require.Greater(t, refused, 8, "the pools are too small for many of the networks")
}

func TestManyConstantsThatDoNotFitAreSummarised(t *testing.T) {
	lines, ops := []string{"x input 1", "y output 1"}, []string{}
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("w%02d constant %d", i, 100+i), fmt.Sprintf("a%02d activation 1", i))
		ops = append(ops, fmt.Sprintf("op%02d: x w%02d -> a%02d", i, i, i))
	}
	config := device + "pool \"flash\" {\ndevice = device.d\nsize = 2500\nholds = [\"constant\"]\n}\npool \"p\" {\ndevice = device.d\n}\n" + oneGraph
	result, diags := world{"main.hcl": config, "net.json": net(t, append(append(lines, ops...), "last: a39 -> y")...)}.plan(t)
	require.Nil(t, result)
	require.Len(t, diags, 1)
	detail := diags[0].Detail
	require.Regexp(t, `These cannot be placed together: \d+ constants of \d+ bytes, the largest of which are "w39" \(139 bytes, always live\), "w38" `, detail)
	require.Contains(t, detail, `declare a second pool on device "d" with holds = ["constant"] for what spills`)
	require.Less(t, len(detail), 700)
}

func TestAdviceToAddAPoolNamesTheRuleThatLimitsThePools(t *testing.T) {
	config := device + "pool \"p\" {\ndevice = device.d\nsize = 100\n}\nscope_rule \"here\" {\nmatch {\nrole = [\"activation\", \"input\", \"output\"]\n}\npools = [pool.p]\n}\n" + oneGraph
	result, diags := world{"main.hcl": config, "net.json": net(t, "x input 600", "y output 500", "op: x -> y")}.plan(t)
	require.Nil(t, result)
	require.Len(t, diags, 1)
	require.Contains(t, diags[0].Detail, `declare a second pool on device "d" for what spills and name it in the pools of scope_rule.here.`)
}

func TestAdviceNamesThePoolThatARuleLeavesOut(t *testing.T) {
	config := device + "pool \"p\" {\ndevice = device.d\nsize = 100\n}\npool \"q\" {\ndevice = device.d\n}\nscope_rule \"here\" {\nmatch {\nrole = [\"activation\", \"input\", \"output\"]\n}\npools = [pool.p]\n}\n" + oneGraph
	result, diags := world{"main.hcl": config, "net.json": net(t, "x input 600", "y output 500", "op: x -> y")}.plan(t)
	require.Nil(t, result)
	require.Len(t, diags, 1)
	require.Contains(t, diags[0].Detail, `or name pool "q" in the pools of scope_rule.here for what spills.`)
}

func TestAdviceOnSeveralPoolsIsToDeclareAnother(t *testing.T) {
	config := device + "pool \"p\" {\ndevice = device.d\nsize = 700\n}\npool \"q\" {\ndevice = device.d\nsize = 100\n}\n" + oneGraph
	result, diags := world{"main.hcl": config, "net.json": net(t, "x input 600", "y output 500", "op: x -> y")}.plan(t)
	require.Nil(t, result)
	require.Len(t, diags, 1)
	require.Contains(t, diags[0].Detail, `declare another pool on device "d" for what spills.`)
	require.NotContains(t, diags[0].Detail, "second")
}

// TestASettingWithWhichEverythingFitsIsNamed keeps a tensor for which there is no room.
func TestASettingWithWhichEverythingFitsIsNamed(t *testing.T) {
	config := device + "pool \"p\" {\ndevice = device.d\nsize = 1000\n}\ngraph \"g\" {\nsource = \"net.json\"\ndevice = device.d\nkeep = [\"h\"]\n}\n"
	lines := []string{"x input 400", "h activation 500", "i activation 400", "y output 400", "a: x -> h", "b: h -> i", "c: i -> y"}
	result, diags := world{"main.hcl": config, "net.json": net(t, lines...)}.plan(t)
	require.Nil(t, result)
	require.Len(t, diags, 1)
	require.Contains(t, diags[0].Detail, " Everything fits with no keep in graph.g.")
	lines[1] = "h activation 700"
	_, diags = world{"main.hcl": config, "net.json": net(t, lines...)}.plan(t)
	require.NotContains(t, diags[0].Detail, "Everything fits")
}

var settings = regexp.MustCompile(` (views = \[[^]]*\])(?:,| and) (rewrite = \[[^]]*\])(?: and (order = "memory"))? in planner`)

// TestAllSettingsTogetherAreAdvisedWhereNoneAloneIsEnough follows the advice for a model of which the settings take 10 % off.
func TestAllSettingsTogetherAreAdvisedWhereNoneAloneIsEnough(t *testing.T) {
	model, err := os.ReadFile("../testdata/models/face_detection_short_range.tflite")
	require.NoError(t, err)
	config := func(size int, planner string) world {
		pool := fmt.Sprintf("device \"d\" {\ndriver = \"none\"\n}\npool \"p\" {\ndevice = device.d\nsize = %d\n}\n", size)
		return world{"main.hcl": pool + planner + "graph \"g\" {\nsource = \"m.tflite\"\ndevice = device.d\n}\n", "m.tflite": string(model)}
	}
	for size, says := range map[int]string{
		1250000: ` Everything fits with views = ["reshape", "inplace", "concat"] and rewrite = ["fold", "fuse"] in planner.`,
		1200000: ` 1245184 bytes of pool "p" are enough.`,
	} {
		result, diags := config(size, "").plan(t)
		require.Nil(t, result)
		require.Len(t, diags, 1)
		require.Contains(t, diags[0].Detail, says)
		found := settings.FindStringSubmatch(diags[0].Detail)
		require.NotNil(t, found, diags[0].Detail)
		result, diags = config(max(size, 1245184), fmt.Sprintf("planner {\n%s\n%s\n%s\n}\n", found[1], found[2], found[3])).plan(t)
		require.NotNil(t, result, "%v", diags)
	}
}
