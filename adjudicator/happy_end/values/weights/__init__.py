"""The weights of the trained nets, whole multiples of ``net.WEIGHT_UNIT``: ``python -m bench.training``."""
