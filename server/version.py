"""The version of the program, which its package has, too."""

VERSION = "1.0.0"
