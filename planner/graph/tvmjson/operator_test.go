package tvmjson

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFunctionNamesTellOperators(t *testing.T) {
	for function, want := range map[string]operator{
		"tvmgen_default_fused_nn_conv2d_add_nn_relu_2":                                      {"Conv", []string{"Conv", "Add", "Relu"}},
		"tvmgen_default_fused_nn_conv2d":                                                    {"Conv", nil},
		"fused_nn_contrib_conv2d_NCHWc_add_7":                                               {"Conv", []string{"Conv", "Add"}},
		"tvmgen_net_fused_nn_contrib_conv2d_winograd_without_weight_transform_multiply_add": {"Conv", []string{"Conv", "Mul", "Add"}},
		"tvmgen_default_fused_add_add_add":                                                  {"Add", []string{"Add", "Add", "Add"}},
		"tvmgen_default_fused_layout_transform_10":                                          {"LayoutTransform", nil},
		"tvmgen_default_fused_nn_batch_flatten":                                             {"Reshape", nil},
		"tvmgen_default_fused_reshape_squeeze_expand_dims_3":                                {"Reshape", nil},
		"tvmgen_default_fused_reshape_transpose":                                            {"Reshape", []string{"Reshape", "Transpose"}},
		"tvmgen_default_fused_reshape_reshape_17623847223_":                                 {"Reshape", []string{"Reshape", "Reshape", "17623847223"}},
		"tvmgen_default_fused_nn_dense_my_own_nn_relu_1":                                    {"Gemm", []string{"Gemm", "my_own", "Relu"}},
		"tvmgen_default_fused_my_own_nn_relu":                                               {"my_own", []string{"my_own", "Relu"}},
		"tvmgen_default_fused_my_own_4":                                                     {"tvmgen_default_fused_my_own_4", nil},
		"tvmgen_default_fused_":                                                             {"tvmgen_default_fused_", nil},
		"fused_":                                                                            {"fused_", nil},
		"fused_1":                                                                           {"fused_1", nil},
		"tvmgen_default_dnnl_main_0":                                                        {"tvmgen_default_dnnl_main_0", nil},
		"diffused_add":                                                                      {"diffused_add", nil},
		"fuse___sub_scalar_____mul_scalar_____layout_transform__":                           {"Sub", []string{"Sub", "Mul", "LayoutTransform"}},
		"fuse__contrib_conv2d_NCHWc_broadcast_add_elemwise_add_1":                           {"Conv", []string{"Conv", "Add", "Add"}},
		"fuse_flatten":                                                                      {"Reshape", nil},
		"__nop":                                                                             {"Reshape", nil},
		"__copy":                                                                            {"Copy", nil},
	} {
		assert.Equal(t, want, parseFunction(function), function)
	}
}

func TestTheVocabularyIsAsLongAsItsLongestName(t *testing.T) {
	most := 0
	for name := range vocabulary {
		words := 1
		for i := range len(name) {
			if name[i] == '_' {
				words++
			}
		}
		most = max(most, words)
	}
	assert.Equal(t, longestName, most)
}

func TestAxesOfLayouts(t *testing.T) {
	for layout, want := range map[string]int{"NCHW": 4, "NCHW4c": 5, "OIHW16i4o": 6, "NC": 2, "": -1, "4c": -1, "NCHW4": -1, "N?": -1, "Nc": 2} {
		assert.Equal(t, want, axesOf(layout), layout)
	}
}
