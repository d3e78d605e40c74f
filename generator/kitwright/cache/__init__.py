"""What a build need not do again: kits, faces, files and rulebook pages by their content hash.

Everything here may be deleted at any moment, and nothing here can make a build fail: what is
missing, damaged or cannot be written is made again.
"""
