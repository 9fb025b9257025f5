// Builds that a strategy repeats. Most strategies send the same few orders again and again: one that differs from an earlier one in nothing
// but a random id is copied from it, with an id of its own.
//
// Whether a build is such is tested, not assumed: while it is made, draws of ids and reads of other inputs are observed. The first builds of
// each venue, market and set of options are made once more with another id, which must give what the copy gives.
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '#core/clock'
import { freeze } from './freeze.ts'

/** Inputs of a build other than its body and the catalog. */
export interface BuildInputs {
  clock: Clock
  randomBytes(length: number): Uint8Array
  randomUuid(): string
}

interface Observed {
  inputs: BuildInputs
  ids: string[]
  /** Time, or random bytes, which no copy could have. */
  hasOther: boolean
}

export function observe({ clock, randomBytes, randomUuid }: BuildInputs): Observed {
  const read = (): number => {
    observed.hasOther = true
    return clock.now()
  }
  const observed: Observed = {
    ids: [],
    hasOther: false,
    inputs: {
      clock: { ...clock, now: read, steady: read, monotonic: read },
      randomBytes(length) {
        observed.hasOther = true
        return randomBytes(length)
      },
      randomUuid() {
        const id = randomUuid()
        observed.ids.push(id)
        return id
      },
    },
  }
  return observed
}

/** Copies of a build that are known by its body. */
const copiesMax = 2_000
/** Of one kind, before further ones are not compared. */
const comparedMin = 3
const otherId = '00000000-0000-4000-8000-000000000000'

type Copier<T> = (id: string) => T

export class RepeatedBuilds<Made extends { order: object }> {
  private readonly copiers = new Map<string, { copy: Copier<Made>; hasId: boolean }>()
  /** Copies that were compared with a second build, by the fields of their bodies other than amounts. */
  private readonly compared = new Map<string, number>()
  private readonly randomUuid: () => string

  constructor(randomUuid: () => string) {
    this.randomUuid = randomUuid
  }

  /** Null: it must be built. */
  copy(key: string): Made | null {
    const found = this.copiers.get(key)
    return found === undefined ? null : found.copy(found.hasId ? this.randomUuid() : '')
  }

  /** `again`: makes it once more with these inputs. */
  async learn(
    { key, kind }: BodyKey,
    made: Made,
    { ids, inputs, hasOther }: Observed,
    again: (inputs: BuildInputs) => Promise<Made>,
  ): Promise<void> {
    if (hasOther || ids.length > 1) return
    const [id] = ids
    const copy = copierOf(made, id)
    const comparedBefore = this.compared.get(kind) ?? 0
    if (comparedBefore < comparedMin) {
      const second = await again({ ...inputs, randomUuid: () => otherId })
      if (!isDeepStrictEqual(second, copy(otherId))) return
      this.compared.set(kind, comparedBefore + 1)
    }
    if (this.copiers.size >= copiesMax) this.copiers.clear()
    this.copiers.set(key, { copy, hasId: id !== undefined })
  }
}

/** The order is the account's own, which changes it; everything else is frozen and shared. */
function copierOf<Made extends { order: object }>({ order, ...rest }: Made, id: string | undefined): Copier<Made> {
  freeze(rest)
  const original = { ...order }
  const copy = id === undefined ? null : withId(rest, id)
  return (own) =>
    ({ ...((copy === null ? rest : copy(own)) as typeof rest), order: { ...original } }) as unknown as Made
}

/** Makes copies in which another id has its place; null: it is not in the value. */
function withId(value: unknown, id: string): Copier<unknown> | null {
  if (value === id) return (own) => own
  if (typeof value !== 'object' || value === null) return null
  const parts: [name: string, copy: Copier<unknown>][] = []
  for (const [name, part] of Object.entries(value)) {
    const copy = withId(part, id)
    if (copy !== null) parts.push([name, copy])
  }
  if (parts.length === 0) return null
  return (own) => {
    const copied: Record<string, unknown> = Array.isArray(value)
      ? ([...value] as unknown as Record<string, unknown>)
      : { ...value }
    for (const [name, copy] of parts) copied[name] = copy(own)
    return Object.freeze(copied)
  }
}

export interface BodyKey {
  key: string
  /** The same for all bodies that differ in amounts alone. */
  kind: string
}

const amounts: ReadonlySet<string> = new Set(['price', 'worstPrice', 'size', 'amount'])

/** Null: it has other than plain values. */
export function keyOfBody(venue: string, body: Readonly<Record<string, unknown>>): string | null {
  let key = venue
  for (const name in body) {
    const part = partOf(name, body[name])
    if (part === null) return null
    key += part
  }
  return key
}

export function kindOfBody(venue: string, body: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(body).map(([name, value]) => (amounts.has(name) ? `\n${name}` : partOf(name, value)))
  return `${venue}${parts.join('')}`
}

function partOf(name: string, value: unknown): string | null {
  if (typeof value === 'string') return value.includes('\n') ? null : `\n${name}\n${value}`
  return typeof value === 'number' || typeof value === 'boolean' ? `\n${name}\t${value}` : null
}
