// Checks a caller's private key before anything is computed with it: its kind and the size of each of its numbers are in the headers of its
// DER. A 24,000-bit key would keep a processor busy for seconds, and so would a small one with a large exponent.
//
//   PEM ─► one block, in its lines ─► base64 ─► PKCS#8 or PKCS#1 ─► nine numbers ─► the DER of a key that is fit to sign
import type { Secret } from '#core/secret'

/** Of the modulus. */
const bitsMin = 2_048
const bitsMax = 4_096
const exponentBytesMax = 8
/** As RFC 7468 writes them, and wider. Answers are searched line by line for the key: many short lines would be expensive. */
const lineLengthMin = 60

/** rsaEncryption, 1.2.840.113549.1.1.1. */
const rsaOid = Buffer.from('2a864886f70d010101', 'hex')
const tags = { integer: 0x02, octets: 0x04, oid: 0x06, sequence: 0x30 } as const

export type RsaKey = { der: Buffer } | { wrong: string }

const unreadable: RsaKey = { wrong: 'privateKeyPem is not a readable PEM' }
const notRsa: RsaKey = { wrong: 'privateKeyPem is not an RSA private key' }
const encrypted: RsaKey = { wrong: 'privateKeyPem is encrypted: send the key without a passphrase' }
const wrongSize: RsaKey = { wrong: `privateKeyPem: RSA keys of ${bitsMin} to ${bitsMax} bits only` }
const broken: RsaKey = { wrong: 'privateKeyPem: its numbers do not form an RSA key' }

/** The DER is PKCS#1; the signing code clears it. */
export function readRsaKey(pem: Secret): RsaKey {
  // Hand-written JSON often carries newlines as doubly escaped \n.
  const text = pem.reveal().replaceAll('\\n', '\n').replaceAll('\r', '')
  const block = /-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY)-----\n?([^-]*)-----END \1-----/.exec(text)
  if (block === null && text.includes('ENCRYPTED')) return encrypted
  if (block === null) return text.includes('-----BEGIN ') ? notRsa : unreadable
  const [, label, inside] = block as unknown as [string, string, string]
  if (label.startsWith('ENCRYPTED')) return encrypted
  if (label !== 'RSA PRIVATE KEY' && label !== 'PRIVATE KEY') return notRsa
  const lines = inside
    .trim()
    .split('\n')
    .map((line) => line.trim())
  if (lines.slice(0, -1).some((line) => line.length < lineLengthMin)) return unreadable
  const base64 = lines.join('')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return unreadable
  const der = Buffer.from(base64, 'base64')
  return label === 'PRIVATE KEY' ? fromPkcs8(der) : checkKey(der)
}

/** SEQUENCE { version, SEQUENCE { algorithm, … }, OCTET STRING of a PKCS#1 key, … } */
function fromPkcs8(der: Buffer): RsaKey {
  const whole = element(der, 0, tags.sequence)
  const version = whole && element(der, whole.start, tags.integer)
  const algorithm = version && element(der, version.end, tags.sequence)
  const oid = algorithm && element(der, algorithm.start, tags.oid)
  if (!oid) return unreadable
  if (!der.subarray(oid.start, oid.end).equals(rsaOid)) return notRsa
  const key = element(der, algorithm.end, tags.octets)
  return key ? checkKey(der.subarray(key.start, key.end)) : unreadable
}

/** SEQUENCE { version 0, n, e, d, p, q, d mod p−1, d mod q−1, 1/q mod p }: two primes, no more. */
function checkKey(der: Buffer): RsaKey {
  const whole = element(der, 0, tags.sequence)
  if (!whole || whole.end !== der.length) return unreadable
  const numbers: Buffer[] = []
  let at = whole.start
  while (at < whole.end && numbers.length < 10) {
    const number = element(der, at, tags.integer)
    if (!number) return unreadable
    numbers.push(trimmed(der.subarray(number.start, number.end)))
    at = number.end
  }
  const [version, n, e, d, p, q, dp, dq, qInverse] = numbers
  if (qInverse === undefined || numbers.length !== 9 || version!.length !== 0) return notRsa
  const bits = bitsOf(n!)
  if (bits < bitsMin || bits > bitsMax) return wrongSize
  const half = Math.ceil(n!.length / 2)
  const fits = [p!, q!, dp!, dq!, qInverse].every(({ length }) => length > 0 && length <= half)
  if (!fits || d!.length > n!.length || e!.length > exponentBytesMax) return broken
  if (![n!, e!, p!, q!].every(isOdd) || numberIn(p!) * numberIn(q!) !== numberIn(n!)) return broken
  return { der }
}

interface Element {
  start: number
  end: number
}

/** Null unless one with this tag is there, complete, its length in at most two bytes. */
function element(der: Buffer, at: number, tag: number): Element | null {
  if (der[at] !== tag) return null
  const first = der[at + 1]
  if (first === undefined) return null
  const more = first < 0x80 ? 0 : first - 0x80
  if (more > 2 || first === 0x80 || at + 2 + more > der.length) return null
  const length = more === 0 ? first : der.readUIntBE(at + 2, more)
  const start = at + 2 + more
  return start + length <= der.length ? { start, end: start + length } : null
}

function trimmed(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? bytes.subarray(bytes.length) : bytes.subarray(first)
}

const bitsOf = (bytes: Buffer): number => bytes.length * 8 - Math.clz32(bytes[0] ?? 0) + 24
const isOdd = (bytes: Buffer): boolean => (bytes.at(-1) ?? 0) % 2 === 1
const numberIn = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`)
