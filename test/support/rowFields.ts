// The fields of a venue's rows, and rows with one of them changed, as a venue may change its responses from one day to the next.

/**
 * Fields without which a row has no id, no title or no outcomes, by the end of their path. The rows of a list that only adds to the markets, such as
 * series, have their own.
 */
export const essentialFields: Readonly<Record<string, RegExp>> = {
  gemini: /(?:^|\.)(?:instrumentSymbol|ticker|title|contracts)$/,
  // Outcomes that are only fallbacks, not markets, are marked in the questions.
  hyperliquid: /(?:^|\.)(?:outcome|name|sideSpecs.*|outcomes|questions)$/,
  kalshi: /(?:^|\.)(?:ticker|(?<!markets\.)event_ticker|title|markets)$/,
  limitless: /(?:^|\.)(?:slug|title|address|markets|tradeType)$/,
  myriad: /(?:^|\.)(?:id|networkId|title|outcomes|tradingModel|markets|slug)$/,
  novig: /(?:^|\.)(?:id|eventId|marketId|outcomeId|description|outcomes.*|markets)$/,
  opinion: /(?:^|\.)(?:marketId|marketTitle|yesTokenId|noTokenId|childMarkets|marketType)$/,
  pascal: /(?:^|\.)symbol$/,
  polymarket: /(?:^|\.)(?:id|question|outcomes|clobTokenIds|markets)$/,
  polymarket_us: /(?:^|\.)(?:id|slug|marketSides|long|markets)$/,
  pred: /(?:^|\.)(?:parent_market_id|title|market_id|name|markets|parent_market_data)$/,
  predictfun: /(?:^|\.)(?:id|title|slug|outcomes|name|markets)$/,
  predictstreet: /(?:^|\.)(?:id|eventId|symbol|slug|title|outcomeLabels|markets)$/,
  rain: /(?:^|\.)(?:contractAddress|optionName|choiceIndex|options)$/,
  sxbet: /(?:^|\.)(?:marketHash|outcomeOneName|outcomeTwoName)$/,
  xo: /(?:^|\.)(?:id|title|outcomes|outcomeTokenId)$/,
}

/** Names of the fields that lead to a value; `*` means every row of a list. */
export type Path = readonly string[]

/** Whether a row of the venue may be lost without the field at this path. */
export const isEssential = (slug: string, path: Path): boolean =>
  essentialFields[slug]!.test(path.filter((name) => name !== '*').join('.'))

/** Paths of the fields in rows, each once. With `isRow` the body is a row itself, and all of its fields count; otherwise only lists have rows. */
export function fieldsIn(body: unknown, isRow = false): Path[] {
  const found = new Map<string, Path>()
  const visit = (value: unknown, path: Path, inRow: boolean): void => {
    if (Array.isArray(value)) {
      for (const one of value.slice(0, 5)) visit(one, [...path, '*'], true)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        const inner = [...path, name]
        if (inRow) found.set(inner.join('.'), inner)
        visit(member, inner, inRow)
      }
    }
  }
  visit(body, [], isRow)
  return [...found.values()]
}

/** Marks a removed key. */
export const absent = Symbol('absent')

const without = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))
    : body

/** The same body with another value at the path. `to` may be a function of the value. */
export function changed(body: unknown, path: Path, to: unknown): unknown {
  const [head, ...rest] = path
  if (head === undefined) return typeof to === 'function' ? to(body) : to
  if (to === absent && rest.length === 0 && head !== '*') return without(body, head)
  if (head === '*') return Array.isArray(body) ? body.map((one) => changed(one, rest, to)) : body
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !Object.hasOwn(body, head)) return body
  return { ...body, [head]: changed((body as Record<string, unknown>)[head], rest, to) }
}

/** Whether `to` changes any value at the path; otherwise `changed` returns an equal body, which need not be read again. */
export const isChanged = (body: unknown, path: Path, to: (value: unknown) => unknown): boolean =>
  valuesAt(body, path).some((value) => to(value) !== value)

function valuesAt(body: unknown, path: Path): unknown[] {
  const [head, ...rest] = path
  if (head === undefined) return [body]
  if (head === '*') return Array.isArray(body) ? body.flatMap((one) => valuesAt(one, rest)) : []
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !Object.hasOwn(body, head)) return []
  return valuesAt((body as Record<string, unknown>)[head], rest)
}

/** A number in the format that many venues use. */
export const asText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value)
