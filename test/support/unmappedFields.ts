// Which fields of a recorded payload make no difference to what is made of it: each is changed in its turn, and what comes out is compared.

/** Paths such as `childMarkets.0.slug`; of lists the first entry stands for all. What can no longer be read makes a difference. */
export function unmappedFields(payload: unknown, make: (payload: unknown) => unknown): string[] {
  const outcome = (given: unknown): string => {
    try {
      return JSON.stringify(make(given)) ?? 'nothing'
    } catch (error) {
      return String(error)
    }
  }
  const asIs = outcome(payload)
  return leavesOf(payload).filter((path) => outcome(changedAt(payload, path)) === asIs)
}

type Branch = Record<string, unknown>
const isBranch = (value: unknown): value is Branch =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

function leavesOf(value: unknown): string[] {
  if (!isBranch(value)) return ['']
  const names = Array.isArray(value) ? ['0'] : Object.keys(value)
  return names.flatMap((name) => leavesOf(value[name]).map((rest) => (rest === '' ? name : `${name}.${rest}`)))
}

function changedAt(payload: unknown, path: string): unknown {
  const copy = structuredClone(payload)
  const names = path.split('.')
  const last = names.pop()!
  let branch = copy as Branch
  for (const name of names) branch = branch[name] as Branch
  branch[last] = other(branch[last])
  return copy
}

/** Another value of the same type: a figure stays a figure. */
function other(value: unknown): unknown {
  // Zero often means that there is none: something that could be a time.
  if (typeof value === 'number') return value === 0 ? 1_700_000_000 : value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string')
    return /\d$/.test(value) ? value.slice(0, -1) + ((Number(value.at(-1)) + 1) % 10) : `${value}x`
  if (Array.isArray(value)) return ['x']
  return value === null ? 'x' : { x: 1 }
}
