memplan { required_version = "newest" } # MP0209: "newest" is not a version constraint.
