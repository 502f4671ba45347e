# Nothing at all is a configuration.
