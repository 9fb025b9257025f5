// Random numbers of a backtest: the same seed gives the same sequence on every machine.
import { createHash } from 'node:crypto'

/** In [0,1). `purpose` separates sequences, so that one more draw for one purpose leaves the others unchanged. */
export function seededRandom(seed: string, purpose: string): () => number {
  const digest = createHash('sha256').update(`${purpose}\n${seed}`).digest()
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => digest.readUInt32LE(at) | 0) as [number, number, number, number]
  // sfc32, a public-domain generator with 128 bits of state.
  return () => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
}

const hexDigits = Buffer.from('0123456789abcdef')
/** Where each byte begins in the text of a UUID. */
const placeOfByte = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]

/** UUIDs of version 4. */
export function seededUuids(seed: string): () => string {
  const random = seededRandom(seed, 'uuid')
  const text = Buffer.alloc(36, '-')
  return () => {
    for (let i = 0; i < 16; i++) {
      const drawn = Math.floor(random() * 256)
      const byte = i === 6 ? (drawn & 0x0f) | 0x40 : i === 8 ? (drawn & 0x3f) | 0x80 : drawn
      const at = placeOfByte[i]!
      text[at] = hexDigits[byte >> 4]!
      text[at + 1] = hexDigits[byte & 15]!
    }
    return text.toString('latin1')
  }
}

export function seededBytes(seed: string, purpose: string): (length: number) => Uint8Array {
  const random = seededRandom(seed, purpose)
  return (length) => Uint8Array.from({ length }, () => Math.floor(random() * 256))
}
