// The fields of a venue's responses, by path and type, to notice when a response differs from what is known. Keys and path segments that
// name one market, account or order are replaced by `*`.

import type { DriftKind as AnyDriftKind } from '#schemas/status'

/** First letters of JSON types: string, number, boolean, null, array, object. */
export type TypeLetter = 's' | 'n' | 'b' | 'z' | 'a' | 'o'

export interface FieldFacts {
  /** Every type it was seen with, sorted letters. */
  types: string
  /** Every object at its place had it. */
  isAlways: boolean
}

/** By path: `events.[].markets.[].title`. */
export type Fields = Readonly<Record<string, FieldFacts>>

export type DriftKind = Exclude<AnyDriftKind, 'unreadable'>

export interface Drift {
  /** The read or frame: `GET /markets`. */
  source: string
  field: string
  kind: DriftKind
  message: string
}

/** No response has deeper or more fields that matter. */
const depthMax = 12
const rowsUsuallyMax = 200
const pathsMax = 2_000

interface Seen {
  types: Set<TypeLetter>
  count: number
}

interface CollectorOptions {
  /** Rows sampled from each list, spread over it. */
  rowsMax: number
  /** Shifts which rows are sampled. */
  from: number
}

/** Collects the fields of one or several responses of one source. */
export class FieldCollector {
  private readonly options: CollectorOptions
  private readonly seen = new Map<string, Seen>()
  /** Number of objects found at each path. */
  private readonly objects = new Map<string, number>()

  constructor(options: CollectorOptions = { rowsMax: rowsUsuallyMax, from: 0 }) {
    this.options = options
  }

  take(value: unknown): void {
    this.visit(value, '', 0)
  }

  fields(): Fields {
    const found: Record<string, FieldFacts> = {}
    for (const [path, { types, count }] of this.seen) {
      const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')))
      found[path] = { types: [...types].sort().join(''), isAlways: count === (this.objects.get(parent) ?? 0) }
    }
    return found
  }

  /** Paths at which an object was found: only there can a field be missing. */
  hasObjectAt = (path: string): boolean => this.objects.has(path)

  private visit(value: unknown, path: string, depth: number): void {
    if (depth > depthMax || this.seen.size > pathsMax) return
    if (Array.isArray(value)) {
      const { rowsMax, from } = this.options
      const step = Math.max(1, Math.ceil(value.length / rowsMax))
      for (let n = from % step; n < value.length; n += step) this.visit(value[n], join(path, '[]'), depth + 1)
      return
    }
    if (typeof value !== 'object' || value === null) return
    this.objects.set(path, (this.objects.get(path) ?? 0) + 1)
    const names = new Set<string>()
    for (const [key, member] of Object.entries(value)) {
      const name = nameOf(key)
      const inner = join(path, name)
      const seen = this.seen.get(inner) ?? { types: new Set(), count: 0 }
      this.seen.set(inner, seen)
      seen.types.add(typeOf(member))
      // A map has many keys under one name.
      if (!names.has(name)) seen.count++
      names.add(name)
      this.visit(member, inner, depth + 1)
    }
  }
}

/**
 * How `collector`'s responses differ from what is known of their source. `isNullAbsence`: a null in place of a plain value is not another
 * type, since venues write it for "none".
 */
export function compareFields(
  source: string,
  collector: FieldCollector,
  known: Fields,
  { isNullAbsence = false }: { isNullAbsence?: boolean } = {},
): Drift[] {
  const drift: Drift[] = []
  const found = collector.fields()
  for (const [field, { types }] of Object.entries(found)) {
    const facts = known[field]
    // Everything inside an unknown field is new as well.
    if (facts === undefined) {
      if (hasKnownParent(field, known))
        drift.push({ source, field, kind: 'unknown', message: `new, ${wordsOf(types)}` })
      continue
    }
    const isPlain = isNullAbsence && !/[ao]/.test(facts.types)
    const odd = [...types].filter((type) => !facts.types.includes(type) && !(isPlain && type === 'z')).join('')
    if (odd !== '')
      drift.push({ source, field, kind: 'mistyped', message: `${wordsOf(odd)} instead of ${wordsOf(facts.types)}` })
  }
  for (const [field, { isAlways }] of Object.entries(known)) {
    const parent = field.slice(0, Math.max(0, field.lastIndexOf('.')))
    if (!isAlways || !collector.hasObjectAt(parent)) continue
    if (found[field]?.isAlways !== true) drift.push({ source, field, kind: 'missing', message: 'absent' })
  }
  return drift
}

function hasKnownParent(field: string, known: Fields): boolean {
  for (let at = field.lastIndexOf('.'); at > 0; at = field.lastIndexOf('.', at - 1)) {
    const parent = field.slice(0, at)
    if (!parent.endsWith('[]')) return known[parent] !== undefined
  }
  return true
}

const typeWords: Readonly<Record<TypeLetter, string>> = {
  s: 'text',
  n: 'a number',
  b: 'true or false',
  z: 'null',
  a: 'a list',
  o: 'an object',
}
const wordsOf = (types: string): string => [...types].map((type) => typeWords[type as TypeLetter]).join(' or ')

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

function typeOf(value: unknown): TypeLetter {
  if (value === null) return 'z'
  if (Array.isArray(value)) return 'a'
  switch (typeof value) {
    case 'string':
      return 's'
    case 'number':
      return 'n'
    case 'boolean':
      return 'b'
    default:
      return 'o'
  }
}

/** Ids, tickers, slugs: anything that names one thing among many. */
const isOfOne = (text: string): boolean =>
  text.length > 40 ||
  (/\d/.test(text) && !/^(v\d{1,2}|[A-Za-z_]+\d{1,2}[A-Za-z_]*)$/.test(text)) ||
  /-.*-.*-/.test(text)

/** Dots separate paths. */
const nameOf = (key: string): string => (isOfOne(key) ? '*' : key.replaceAll('.', '_'))

/**
 * `GET /events/*`; for hosts that serve many methods under one path, with the name of the method. The path is relative to the venue's base
 * address: a lab, a proxy and a node have different ones.
 */
export function sourceOf(method: string, url: string, body: unknown, urls: Readonly<Record<string, string>>): string {
  const path = pathBelow(url, Object.values(urls))
    .split('/')
    .map((part) => (isOfOne(decodeURIComponent(part)) || /^[A-Z]{4,}$/.test(part) ? '*' : part))
    .join('/')
  return [method, path, questionIn(body)].filter((part) => part !== null).join(' ')
}

function pathBelow(url: string, bases: readonly string[]): string {
  const { origin, pathname } = new URL(url)
  const roots = bases
    .filter((base) => URL.canParse(base) && new URL(base).origin === origin)
    .map((base) => new URL(base).pathname.replace(/\/$/, ''))
    .filter((root) => pathname === root || pathname.startsWith(`${root}/`))
  const longest = Math.max(0, ...roots.map((root) => root.length))
  return pathname.slice(longest) || '/'
}

function questionIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null
  const { type, method, query } = body as Readonly<Record<string, unknown>>
  if (typeof query === 'string') return /query\s+(\w+)/.exec(query)?.[1] ?? null
  return typeof type === 'string' ? type : typeof method === 'string' ? method : null
}
