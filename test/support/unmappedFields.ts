// Finds the fields of a recorded payload that do not affect the parsed result: each is changed in turn, and the results are compared.

/**
 * Paths such as `childMarkets.0.slug`; the first entry of a list represents all. A payload that can no longer be read counts as a
 * difference.
 */
export function unmappedFields(payload: unknown, make: (payload: unknown) => unknown): string[] {
  const outcome = (given: unknown): string => {
    try {
      return JSON.stringify(make(given)) ?? 'nothing'
    } catch (error) {
      return String(error)
    }
  }
  const asIs = outcome(payload)
  const changesResult = (path: string) =>
    others(at(payload, path)).some((value) => outcome(replaced(payload, path, value)) !== asIs)
  return leavesOf(payload).filter((path) => !changesResult(path))
}

type Branch = Record<string, unknown>
const isBranch = (value: unknown): value is Branch =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

function leavesOf(value: unknown): string[] {
  if (!isBranch(value)) return ['']
  const names = Array.isArray(value) ? ['0'] : Object.keys(value)
  return names.flatMap((name) => leavesOf(value[name]).map((rest) => (rest === '' ? name : `${name}.${rest}`)))
}

const at = (payload: unknown, path: string): unknown =>
  path.split('.').reduce((branch, name) => (branch as Branch)[name], payload)

function replaced(payload: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(payload)
  const names = path.split('.')
  const last = names.pop()!
  const branch = names.reduce((inner, name) => inner[name] as Branch, copy as Branch)
  branch[last] = value
  return copy
}

/** Values of the same type: a number stays a number. The type of null is unknown. */
function others(value: unknown): unknown[] {
  // Zero often means absence: it is replaced by something that could be a time.
  if (typeof value === 'number') return [value === 0 ? 1_700_000_000 : value + 1]
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'string') return [/^\d/.test(value) ? (Number(value[0]) % 9) + 1 + value.slice(1) : `${value}x`]
  if (Array.isArray(value)) return [['x']]
  return value === null ? ['x', 1, true, { x: 1 }] : [{ x: 1 }]
}
