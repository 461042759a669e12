"""What terminals send for keys, for tests."""

LEFT, RIGHT, UP, DOWN, HOME, END = (b"\x1b[" + key for key in (b"D", b"C", b"A", b"B", b"H", b"F"))
ESC = b"\x1b"
CTRL_A, CTRL_E, CTRL_K, CTRL_T, CTRL_U, CTRL_W, CTRL_Y = (bytes([ord(c) - 64]) for c in "AEKTUWY")
ALT_B, ALT_D, ALT_F, ALT_BACKSPACE = b"\x1bb", b"\x1bd", b"\x1bf", b"\x1b\x7f"
