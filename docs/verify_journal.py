#!/usr/bin/env python3
"""Checks every chain of a casino file (SQLite, tables of version 7) against docs/journal-format.md, with Python's standard library alone.

    python3 verify_journal.py casino.sqlite [folder of dictionaries]

Prints what does not fit and ends with 1, or prints how much was checked and ends with 0. A body that is sealed needs the house's key: it is
counted, and the entries after it are checked."""
import hashlib, pathlib, sqlite3, struct, sys, zlib

RANKS, SUITS = "23456789TJQKA", "cdhs"


def number(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if not data[at - 1] & 0x80:
            return value, at


def unpack(data, dictionaries, archives):
    if data[0] == 127:
        offset, at = number(data, 9)
        with open(archives / f"{data[1:9].hex()}.archive", "rb") as archive:
            archive.seek(offset)
            data = archive.read(number(data, at)[0])
    how = data[0]
    if how & 0x80:
        return None
    if how == 0:
        return data[1:]
    length, at = number(data, 1)
    apart, taken, text = data[at:at + length], 0, bytearray()
    template = iter(zlib.decompressobj(-15, zdict=dictionaries(how)).decompress(data[at + length:]))
    for byte in template:
        if byte >= 32:
            text.append(byte)
            continue
        count = {1: 32, 2: 16, 4: 1, 5: 52}.get(byte) or next(template)
        own, taken = apart[taken:taken + count], taken + count
        cards = [RANKS[card // 4] + SUITS[card % 4] for card in own] if byte > 3 else []
        text += (own.hex() if byte < 4 else " ".join(cards) if byte == 7 else ",".join(f'"{card}"' for card in cards)).encode()
    return bytes(text)


def main(file, folder):
    casino = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    names = {id: name.encode() for id, name in casino.execute("SELECT id, name FROM names")}
    known, heads, faults, sealed, checked = {}, {}, [], 0, 0
    dictionary = lambda how: known.setdefault(how, known.get(how) or (folder / str(how)).read_bytes())
    columns = "stream, version, at, actor, command, kinds, significant, body, link, ledger, hash"
    for stream, version, at, actor, command, kinds, significant, body, link, ledger, hash in casino.execute(
            f"SELECT {columns} FROM entries ORDER BY stream, version"):
        last, previous = heads.get(stream, (0, b""))
        heads[stream] = (version, hash.hex().encode())
        place, checked = f"{names.get(stream, b'?').decode()} entry {version}", checked + 1
        if version != last + 1:
            faults.append(f"{place}: the entry before it is missing")
        try:
            text = unpack(body, dictionary, pathlib.Path(f"{file}.archive"))
            if text is None:
                sealed += 1
                continue
            command = command or b"\1"
            command = command.hex().encode() if len(command) == 16 else command[1:] if command[0] == 1 else command[2:]
            parts = [b"baize-journal-1", previous, names[stream], struct.pack(">q", version), struct.pack(">q", at), names[actor],
                     command, names[kinds], names[significant] if significant else b"", text, link.hex().encode()]
            place_in = 0
            while place_in < len(ledger):
                account, place_in = number(ledger, place_in)
                cents, place_in = number(ledger, place_in)
                parts += [names[account], struct.pack(">q", (cents >> 1) ^ -(cents & 1))]
        except (KeyError, IndexError, StopIteration, zlib.error, OSError) as error:
            faults.append(f"{place}: it cannot be read ({error!r})")
            continue
        if hashlib.sha256(b"".join(struct.pack(">Q", len(part)) + part for part in parts)).digest() != hash:
            faults.append(f"{place}: it was altered")
    print(*faults, f"{checked} entries in {len(heads)} chains, {sealed} sealed, {len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    beside = pathlib.Path(__file__).resolve().parent.parent / "crates/journal/dictionaries"
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else beside))
