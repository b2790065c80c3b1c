"""What a chosen set of skills looks like to a host: tools of four vendors, or a directory of files.

Pure functions over values: nothing here reads a registry, a database or the network.
"""
