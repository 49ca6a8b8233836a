"""Jellyfish match logs (.mat, .txt): the reader, a module for each part of the text, and the writer."""
