"""The version of the program, which its package has, too."""

VERSION = "0.1.0"
