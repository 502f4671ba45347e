device "chip" {}
pool "arena" { device = device.chip }
pool "other" { device = device.chip }
pool "part" {
  count  = 2
  device = device.chip
}
graph "net" {
  source = "net.onnx"
  device = device.chip
}
moved {
  from = pool.other # MP0170: pool.other is to be pool.arena now, and is declared still.
  to   = pool.arena
}
moved {
  from = pool.gone
  to   = pool.nowhere # MP0171: There is no pool.nowhere. Correct the address, or declare it.
}
moved {
  from = pool.late
  to   = pool.part[2] # MP0171: There is no pool.part[2].
}
moved {
  from = pool.twice
  to   = pool.part[0]
}
moved {
  from = pool.twice # MP0172: Another moved block has the address pool.twice in the same place.
  to   = pool.part[1]
}
moved {
  from = pool.third
  to   = pool.part[0] # MP0172: Another moved block has the address pool.part[0] in the same place.
}
moved {
  from = pool.a # MP0172: pool.a comes back to itself
  to   = pool.b
}
moved {
  from = pool.b # MP0172: comes back
  to   = pool.a
}
moved {
  from = pool.x
  to   = device.chip # MP0173: From is pool.x and to is device.chip, which are of different kinds.
}
moved {
  from = pool.same
  to   = pool.same # MP0173: From and to are both pool.same. Remove the block.
}
moved {
  from = graph.old.tensor["x"]
  to   = graph.net.tensor["x"] # MP0173: are of two graphs
}
moved {
  from = graph.old.tensor["x"]
  to   = graph.net # MP0173: different kinds
}
moved {
  from = "pool.a" # MP0173: "from" takes an address that is written out
  to   = pool.arena
}
moved {
  from = local.a # MP0173: takes the address of a device, a pool, a graph, a module, or a tensor of a graph.
  to   = pool.arena
}
moved {
  from = pool.p.peak # MP0173: takes the address
  to   = pool.arena
}
moved {
  from = pool.q
  to   = pool.part["${1}"] # MP0173: without expressions
}
moved { # MP0104: needs "to"
  from = pool.q
}
