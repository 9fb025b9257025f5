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

/** UUIDs of version 4. */
export function seededUuids(seed: string): () => string {
  const bytes = seededBytes(seed, 'uuid')
  return () => {
    const id = bytes(16)
    id[6] = (id[6]! & 0x0f) | 0x40
    id[8] = (id[8]! & 0x3f) | 0x80
    const hex = Buffer.from(id).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }
}

export function seededBytes(seed: string, purpose: string): (length: number) => Uint8Array {
  const random = seededRandom(seed, purpose)
  return (length) => Uint8Array.from({ length }, () => Math.floor(random() * 256))
}
