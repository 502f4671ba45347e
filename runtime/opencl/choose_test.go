package opencl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/runtime/opencl"
	"github.com/memplan/memplan/runtime/opencl/cl"
	"github.com/memplan/memplan/runtime/opencl/cl/cltest"
)

// deviceless is a driver whose platform has a name and no device.
type deviceless struct {
	*cltest.Driver
	name string
}

func (d deviceless) Devices(cl.Platform) ([]cl.Device, error) { return nil, nil }

func (d deviceless) PlatformInfo(cl.Platform, cl.Info) ([]byte, error) {
	return append([]byte(d.name), 0), nil
}

func TestAPlatformWithoutDevicesSaysWhereTheyAre(t *testing.T) {
	for name, next := range map[string]string{"rusticl": "RUSTICL_ENABLE", "Other": "Install a driver"} {
		t.Run(name, func(t *testing.T) {
			_, diags, err := opencl.Find(deviceless{cltest.New(), name})
			require.NoError(t, err)
			require.Len(t, diags, 1)
			require.Equal(t, diag.NoOpenCL, diags[0].ID)
			require.Contains(t, diags[0].Detail, `"`+name+`"`)
			require.Contains(t, diags[0].Detail, next)
		})
	}
}
