"""Base58 encoding with Bitcoin's alphabet."""

LETTERS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def base58(data: bytes) -> str:
    value, text = int.from_bytes(data, "big"), ""
    while value > 0:
        value, rest = divmod(value, 58)
        text = LETTERS[rest] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text
