"""OGXM files (.ogxm, .gvab, .gva): the container, both versions of it and the JSON form, and signatures."""
