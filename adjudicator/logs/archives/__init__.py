"""Archives of match logs: their members one after the other, within limits, never a whole archive in memory.

zip and tar are read by code of our own. The standard library's ``zipfile`` holds the whole directory in
memory and gives up the archive for one bad name; its ``tarfile`` reads headers of any size and may take
quadratic time over them. What is needed here is less: bounded, and a bad member never stops the rest.
"""
