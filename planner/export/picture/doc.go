// Package picture draws plans: for each pool the memory map, the live bytes over the steps and the images to scale. Start from
// [SVG] and [HTML]. It draws what the plan says and decides nothing; names from models are text wherever they go.
package picture
