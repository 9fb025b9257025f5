// Seeded damage to venue frames: what a bad connection, a new serialiser or a hostile proxy could send.

export type Random = () => number

/** mulberry32: the same seed gives the same sequence. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const below = (random: Random, n: number): number => Math.floor(random() * n)
export const pick = <T>(random: Random, from: readonly T[]): T => from[below(random, from.length)] as T

const oddPrices = [
  '0',
  '1',
  '0.0',
  '1.0',
  '1.01',
  '.5',
  '0.',
  '00.5',
  '0.1234567',
  '0.5e0',
  '5e-1',
  '-0.5',
  'NaN',
  '',
  '0.999999',
  '0.0001',
  ' 0.5',
  '0x1',
]
const oddSizes = [
  '0',
  '-1',
  'NaN',
  '1e3',
  '1E3',
  '',
  '.5',
  '5.',
  '0005',
  '999999999999999',
  '9999999999999999',
  '123456789.123456',
  '0.000001',
  '+1',
  'Infinity',
]

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** One damaged copy of a frame. */
export function mutate(frame: Buffer, random: Random): Buffer {
  const kind = below(random, 10)
  if (kind < 4) return mutateBytes(frame, random, kind)
  let value: Json
  try {
    value = JSON.parse(frame.toString('utf8')) as Json
  } catch {
    return mutateBytes(frame, random, 0)
  }
  const objects = [...objectsIn(value)]
  const target = objects.length === 0 ? null : pick(random, objects)
  if (target === null) return mutateBytes(frame, random, 1)
  const keys = Object.keys(target)
  const key = pick(random, keys)
  switch (kind) {
    case 4: // another key order
      reorder(target, random)
      break
    case 5:
      target[pick(random, ['extra', 'Market', 'sizes', '__proto__x', key])] = pick<Json>(random, [
        1,
        null,
        'x',
        [],
        { a: 1 },
      ])
      break
    case 6:
      if ('price' in target) target.price = pick(random, oddPrices)
      else if (keys.length > 0) target[key] = pick<Json>(random, [...oddPrices, 5, null])
      break
    case 7:
      if ('size' in target) target.size = pick(random, oddSizes)
      else if (keys.length > 0) target[key] = pick<Json>(random, [...oddSizes, 0, -1, 1e300])
      break
    case 8:
      delete target[key]
      break
    default:
      if (Array.isArray(target.bids)) target.bids = [...target.bids, ...target.bids, ...target.bids]
      else if (Array.isArray(target.price_changes))
        target.price_changes = [...target.price_changes, ...target.price_changes]
      else return Buffer.from(`[${frame},${frame}]`)
  }
  return Buffer.from(JSON.stringify(value, null, random() < 0.05 ? 1 : undefined))
}

function mutateBytes(frame: Buffer, random: Random, kind: number): Buffer {
  const copy = Buffer.from(frame)
  const at = below(random, copy.length)
  switch (kind) {
    case 0: // one to three flipped bits
      for (let n = below(random, 3); n >= 0; n--) {
        const spot = below(random, copy.length)
        copy[spot] = (copy[spot] as number) ^ (1 << below(random, 8))
      }
      return copy
    case 1:
      return copy.subarray(0, at)
    case 2: // a byte replaced by another JSON byte
      copy[at] = pick(random, [...Buffer.from('"\\{}[],:0159.eBS\n\u0000')])
      return copy
    default: // a duplicated or removed piece
      return random() < 0.5
        ? Buffer.concat([copy.subarray(0, at), copy.subarray(Math.max(0, at - below(random, 40)))])
        : Buffer.concat([copy.subarray(0, at), copy.subarray(Math.min(copy.length, at + 1 + below(random, 40)))])
  }
}

function* objectsIn(value: Json): Generator<{ [key: string]: Json }> {
  if (Array.isArray(value)) for (const entry of value) yield* objectsIn(entry)
  else if (value !== null && typeof value === 'object') {
    yield value
    for (const entry of Object.values(value)) yield* objectsIn(entry)
  }
}

function reorder(target: { [key: string]: Json }, random: Random): void {
  const entries = Object.entries(target)
  for (const [key] of entries) delete target[key]
  while (entries.length > 0) {
    const [entry] = entries.splice(below(random, entries.length), 1)
    if (entry !== undefined) target[entry[0]] = entry[1]
  }
}
