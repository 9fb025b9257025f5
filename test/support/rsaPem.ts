// An RSA private key from any numbers, as PKCS#1 in PEM, also from numbers that are no valid key.
const tlv = (tag: number, bytes: Buffer): Buffer => {
  const { length } = bytes
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.of(tag, ...head), bytes])
}

const integer = (bytes: Buffer): Buffer =>
  tlv(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes)

/** version, n, e, d, p, q, d mod p−1, d mod q−1, 1/q mod p: big-endian, unsigned. */
export function rsaPem(numbers: readonly Buffer[]): string {
  const lines = tlv(0x30, Buffer.concat(numbers.map(integer)))
    .toString('base64')
    .match(/.{1,64}/g)!
  return ['-----BEGIN RSA PRIVATE KEY-----', ...lines, '-----END RSA PRIVATE KEY-----', ''].join('\n')
}
