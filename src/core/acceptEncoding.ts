// The supported content coding that a client prefers most (RFC 9110, 12.5.3).

/** Null: identity. On a tie the first of `offered` wins; a client without the header gets none. */
export function acceptedEncoding<T extends string>(header: string | undefined, offered: readonly T[]): T | null {
  if (header === undefined) return null
  const weights = new Map<string, number>()
  for (const part of header.split(',', partsMax)) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, weightOf(parameters))
  }
  let best: T | null = null
  let most = 0
  for (const coding of offered) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    if (weight <= most) continue
    best = coding
    most = weight
  }
  const identity = weights.get('identity') ?? 0
  return identity > most ? null : best
}

/** No client names more. */
const partsMax = 16

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  if (weight === undefined) return 1
  const value = Number(weight.slice(2))
  return value >= 0 && value <= 1 ? value : 0
}
