// Client frames written by hand, valid or deliberately invalid.

/** One masked client frame; every part of its first two bytes may be deliberately wrong. */
export function clientFrame(
  payload: Buffer,
  {
    opcode = 1,
    fin = true,
    reserved = 0,
    claimed = payload.length,
  }: { opcode?: number; fin?: boolean; reserved?: number; claimed?: number | bigint } = {},
): Buffer {
  const first = (fin ? 0x80 : 0) | (reserved << 4) | opcode
  const length = Number(claimed)
  const head =
    length < 126
      ? Buffer.from([first, 0x80 | length])
      : length < 65_536
        ? Buffer.from([first, 0x80 | 126, length >> 8, length & 0xff])
        : Buffer.concat([Buffer.from([first, 0x80 | 127]), bigEndian(BigInt(claimed))])
  const mask = Buffer.from([1, 2, 3, 4])
  const masked = Buffer.from(payload)
  for (let i = 0; i < masked.length; i++) masked[i]! ^= mask[i & 3]!
  return Buffer.concat([head, mask, masked])
}

function bigEndian(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}
