"""Adjudicates finished backgammon matches under the Happy-End (Moscow rules) modifier."""
