// Finds the changes of the API documents that break a client generated from an earlier version. Schemas are compared by the values they
// accept, not by their names: whatever could be sent must still be accepted, and whatever is returned must be within what a client was
// promised. Responses may get more fields, and more values where a field is an enum.
import type { Members, Schema, Summary } from './summary.ts'

type Side = 'sends' | 'answers'
type Schemas = Summary['schemas']

/** One line for each change that may break a client generated from `before`. */
export function breaking(before: Summary, now: Summary): string[] {
  const compared = new Comparison(before.schemas, now.schemas)
  const lines: string[] = []
  for (const [id, was] of Object.entries(before.operations)) {
    const is = now.operations[id]
    if (is === undefined) lines.push(`${id}: is gone`)
    else if (is.route !== was.route) lines.push(`${id}: was ${was.route}, is ${is.route}`)
    else {
      lines.push(...compared.members(was.sends, is.sends, 'sends').map((line) => `${id}: ${line}`))
      lines.push(...compared.members(was.answers, is.answers, 'answers').map((line) => `${id}: ${line}`))
    }
  }
  lines.push(...compared.members(before.stream.sends, now.stream.sends, 'sends').map((line) => `stream: ${line}`))
  lines.push(...compared.members(before.stream.answers, now.stream.answers, 'answers').map((line) => `stream: ${line}`))
  return lines
}

/** One kind of value that a schema accepts. */
type Kind =
  | { kind: 'anything' }
  | { kind: 'word'; value: string }
  | { kind: 'plain'; type: string }
  | { kind: 'list'; items: Schema }
  | { kind: 'object'; members: Members; rest: Schema | null }

class Comparison {
  private readonly was: Schemas
  private readonly is: Schemas
  /** Pairs that are being compared further up, or were already. */
  private readonly known = new Map<string, string[]>()

  constructor(was: Schemas, is: Schemas) {
    this.was = was
    this.is = is
  }

  members(was: Members, is: Members, side: Side, path = ''): string[] {
    const removal = side === 'sends' ? 'is no longer accepted' : 'is no longer returned'
    const lines = Object.entries(was).flatMap(([name, before]) => {
      const now = is[name]
      const at = path === '' ? name : `${path}.${name}`
      if (now === undefined) return [`${at} ${removal}`]
      const needed =
        side === 'sends' && now.required && !before.required
          ? [`${at} must be sent now`]
          : side === 'answers' && before.required && !now.required
            ? [`${at} may be absent now`]
            : []
      return [...needed, ...this.schemas(before.schema, now.schema, side, at)]
    })
    if (side === 'answers') return lines
    const added = Object.keys(is).filter((name) => is[name]!.required && was[name] === undefined)
    return [...lines, ...added.map((name) => `${path === '' ? name : `${path}.${name}`} must be sent now`)]
  }

  private schemas(was: Schema, is: Schema, side: Side, path: string): string[] {
    const pair = JSON.stringify([side, was, is])
    const known = this.known.get(pair)
    // Each pair is compared once, and a schema that contains itself would never end.
    if (known !== undefined) return known
    this.known.set(pair, [])
    const [before, now] = [kindsOf(was, this.was), kindsOf(is, this.is)]
    const lines =
      side === 'sends' ? this.compareKinds(before, now, side, path) : this.compareKinds(now, before, side, path)
    this.known.set(pair, lines)
    return lines
  }

  /** Sent values: each old kind must be accepted by a new one. Returned values: each new kind must have been there before. */
  private compareKinds(needed: readonly Kind[], given: readonly Kind[], side: Side, path: string): string[] {
    return needed.flatMap((need) => {
      // An unconstrained value was accepted before: any constraint now is stricter only in the documents.
      if (need.kind === 'anything' && side === 'sends') return []
      const tries = given.map((one) => this.compareKind(need, one, side, path))
      if (tries.some((lines) => lines?.length === 0)) return []
      if (need.kind === 'word' && side === 'answers' && given.some(({ kind }) => kind === 'word')) return []
      const alike = tries.filter((lines) => lines !== null)
      if (alike.length === 1) return alike[0]!
      const verb = side === 'sends' ? 'is no longer accepted' : 'was not in the earlier version'
      return [`${path}: ${wordOf(need)} ${verb}`]
    })
  }

  /** Null: the two kinds are unrelated. */
  private compareKind(need: Kind, given: Kind, side: Side, path: string): string[] | null {
    if (given.kind === 'anything') return []
    if (need.kind === 'list' && given.kind === 'list') {
      const [was, is] = side === 'sends' ? [need, given] : [given, need]
      return this.schemas(was.items, is.items, side, `${path}[]`)
    }
    if (need.kind === 'object' && given.kind === 'object') {
      const [was, is] = side === 'sends' ? [need, given] : [given, need]
      if (was.rest !== null && Object.keys(was.members).length === 0)
        return is.rest === null || side === 'sends' ? [] : this.schemas(was.rest, is.rest, side, `${path}.*`)
      return this.members(was.members, is.members, side, path)
    }
    return isWithin(need, given) ? [] : null
  }
}

function isWithin(need: Kind, given: Kind): boolean {
  if (need.kind === 'word' && given.kind === 'word') return need.value === given.value
  if (given.kind !== 'plain') return false
  if (need.kind === 'word') return typeof JSON.parse(need.value) === given.type
  return need.kind === 'plain' && (need.type === given.type || (need.type === 'integer' && given.type === 'number'))
}

const wordOf = (kind: Kind): string =>
  kind.kind === 'word'
    ? kind.value
    : kind.kind === 'plain'
      ? kind.type
      : kind.kind === 'list'
        ? 'a list'
        : `${kind.kind === 'object' ? 'an object' : 'anything'}`

const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

function kindsOf(schema: Schema, schemas: Schemas): Kind[] {
  const { $ref, anyOf, oneOf, allOf, enum: words, items, type } = schema
  if ($ref !== undefined) return kindsOf(schemas[refName($ref)] ?? {}, schemas)
  if (anyOf !== undefined || oneOf !== undefined) return (anyOf ?? oneOf)!.flatMap((each) => kindsOf(each, schemas))
  if (allOf !== undefined) return [merged(allOf, schemas)]
  if (schema.const !== undefined) return [{ kind: 'word', value: JSON.stringify(schema.const) }]
  if (words !== undefined) return words.map((value) => ({ kind: 'word', value: JSON.stringify(value) }))
  const types = [type ?? (items !== undefined ? 'array' : schema.properties !== undefined ? 'object' : [])].flat()
  if (types.length === 0) return [{ kind: 'anything' }]
  return types.map((each): Kind => {
    if (each === 'array') return { kind: 'list', items: items ?? {} }
    if (each === 'object') return objectOf(schema)
    return { kind: 'plain', type: each }
  })
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): Kind & { kind: 'object' } {
  const members = Object.entries(properties).map(([name, schema]) => [
    name,
    { required: required.includes(name), schema },
  ])
  const isOpen = additionalProperties !== undefined && additionalProperties !== false
  const rest = typeof additionalProperties === 'object' ? additionalProperties : {}
  return { kind: 'object', members: Object.fromEntries(members), rest: isOpen ? rest : null }
}

function merged(parts: readonly Schema[], schemas: Schemas): Kind {
  const objects = parts.flatMap((part) => kindsOf(part, schemas)).filter((kind) => kind.kind === 'object')
  return { kind: 'object', members: Object.assign({}, ...objects.map(({ members }) => members)), rest: null }
}

/** The version part that announces breaking changes: the minor for `0.x`, later the major. */
export function isBreakingBump(from: string, to: string): boolean {
  const [a, b] = [from, to].map((version) => version.split('.').map(Number)) as [number[], number[]]
  if (b[0]! !== a[0]!) return b[0]! > a[0]!
  return a[0] === 0 && b[1]! > a[1]!
}
