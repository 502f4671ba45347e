device "gpu" {
  image2d {
    max_width   = 8192
    max_height  = 8192
    from_buffer = true
  }
}
pool "flat" { device = device.gpu }
pool "images" {
  device = device.gpu
  images = true
}
scope_rule "none" {
  scope = "global.texture"
  pools = [pool.flat] # MP0222: none of its pools holds images
}
scope_rule "some" {
  scope = "global.texture"
  pools = [pool.flat, pool.images]
}
