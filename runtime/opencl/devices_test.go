package opencl_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/memplan/memplan/runtime/opencl"
	"github.com/memplan/memplan/runtime/opencl/opencltest"
	"github.com/stretchr/testify/require"
)

// onOtherDevices are the tests that run on every device: a few of each path, since a driver may compile a kernel for seconds.
const onOtherDevices = "^(TestConvolutionsComputeOnTexels|TestPoolingsComputeOnTexels|TestElementwiseFunctionsComputeOnTexels|TestShortFloatsAreWidenedAndRounded" +
	"|TestFunctionsOfTwoNumbersAgreeWithTheHost|TestExactlyThePlannedBytesAreCreated)$" +
	"/^(pointwise_in_NCHW|a_stride_of_2_from_flat_memory_in_NCHW|MaxPool_in_NCHW|Add_of_two_images_in_NCHW|Relu_of_an_image|float16|float64|Add_of_float32)$"

// deviceLine begins what TestDevicesAreListed logs of a device.
const deviceLine = "device: "

func TestDevicesAreListed(t *testing.T) {
	session := opencltest.Connect(t)
	all, diags, err := opencl.List(opencl.Options{})
	require.NoError(t, err)
	require.Empty(t, diags)
	var names []string
	for _, facts := range all {
		t.Log(deviceLine + facts.Name)
		names = append(names, facts.Name)
	}
	require.True(t, slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(session.Name(), name) }), "%q is one of %q", session.Name(), names)
}

// withMesa runs tests of this binary in a process in which Mesa's driver, where it is installed, has the processor as a device.
// Drivers read such variables when they are loaded.
func withMesa(t *testing.T, tests string, environment ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run", tests)
	cmd.Env = append(append(os.Environ(), "RUSTICL_ENABLE=llvmpipe"), environment...)
	output, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", output)
	return string(output)
}

func TestEveryOtherDeviceAgreesWithTheHost(t *testing.T) {
	session := opencltest.Connect(t)
	others := 0
	for line := range strings.Lines(withMesa(t, "^TestDevicesAreListed$")) {
		_, name, ok := strings.Cut(strings.TrimSpace(line), deviceLine)
		if !ok || strings.HasPrefix(session.Name(), name) {
			continue
		}
		others++
		t.Run(name, func(t *testing.T) {
			output := withMesa(t, onOtherDevices, opencl.DeviceVariable+"="+name)
			require.Equal(t, 6, strings.Count(output, "\n--- PASS"), "%s", output)
		})
	}
	t.Logf("%d devices beside %s", others, session.Name())
}
