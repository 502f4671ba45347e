memplan { required_version = ">= 99" } # MP0208: The configuration asks for ">= 99" and this is memplan
