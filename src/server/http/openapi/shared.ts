// Repeated parts of operations become components. Their names derive from their content.
import type { Json } from './shapes.ts'

export interface Place {
  holder: Json
  key: string
}

/** Different parts never share a name: the more frequent one takes it. One without a remaining name stays inline. */
export function extractSharedSchemas<P extends Place>(
  places: readonly P[],
  section: string,
  namesOf: (value: Json, first: P) => readonly string[],
): Json {
  const uses = new Map<string, P[]>()
  for (const place of places) {
    const text = JSON.stringify(place.holder[place.key])
    uses.set(text, [...(uses.get(text) ?? []), place])
  }
  const components: Record<string, Json> = {}
  const often = [...uses].filter(([, users]) => users.length > 1).toSorted(([, a], [, b]) => b.length - a.length)
  for (const [text, users] of often) {
    const value = JSON.parse(text) as Json
    const name = namesOf(value, users[0]!).find((wanted) => components[wanted] === undefined)
    if (name === undefined) continue
    const ref = { $ref: `#/components/${section}/${name}` }
    // A short part repeated is shorter than a reference to it.
    if (text.length * users.length <= JSON.stringify(ref).length * users.length + text.length + name.length) continue
    components[name] = value
    for (const { holder, key } of users) holder[key] = ref
  }
  return Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Of an object or a list. */
export const slotsOf = (holder: object): Place[] => Object.keys(holder).map((key) => ({ holder: holder as Json, key }))

/** `SCOPE_MISSING`: `ScopeMissing`. */
export const upperCamel = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => {
      const rest = word.slice(1)
      return word.charAt(0).toUpperCase() + (word === word.toUpperCase() ? rest.toLowerCase() : rest)
    })
    .join('')
