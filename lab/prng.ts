// Randomness in the lab: every draw comes from a named seed, so the same seed gives the same venue.
import { createHash } from 'node:crypto'

export interface Prng {
  /** In [0, 1). */
  next(): number
  /** Integer in [0, below). */
  int(below: number): number
  chance(probability: number): boolean
}

/** A small fast generator (sfc32) whose state is derived from `name`. */
export function createPrng(name: string): Prng {
  const words = createHash('sha256').update(name).digest()
  let a = words.readUInt32LE(0) | 0
  let b = words.readUInt32LE(4) | 0
  let c = words.readUInt32LE(8) | 0
  let counter = 1
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
  for (let i = 0; i < 12; i++) next()
  return {
    next,
    int: (below) => Math.floor(next() * below),
    chance: (probability) => next() < probability,
  }
}

/** In [0, 1): the same number for the same place, independent of earlier draws. */
export function createScatter(name: string): (place: number, draw: number) => number {
  const salt = createHash('sha256').update(name).digest().readUInt32LE(0)
  return (place, draw) => {
    let mixed = Math.imul(place, 0x9e37_79b1) ^ Math.imul(draw + 1, 0x85eb_ca6b) ^ salt
    for (let i = 0; i < 2; i++) mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9_f3b)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296
  }
}

/** Hex of a stable digest of `name`; identities (token ids, condition ids, hashes) are cut from it. */
export const digestHex = (name: string): string => createHash('sha256').update(name).digest('hex')

/** A version-4-looking UUID, stable for `name`. */
export function stableUuid(name: string): string {
  const hex = digestHex(name)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
