// Package config is the decoded configuration: devices, pools, rules, graphs and the rest, with their source ranges
// and every expression evaluated as far as it can be before planning. Start from [Load] and [Config].
//
// What depends on the plan (outputs, checks) stays an expression until [Config.Finish]. The package does not import
// graphs and does not plan.
package config
