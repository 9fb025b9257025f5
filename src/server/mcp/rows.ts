// Rows without what a model does not need: images, raw metadata, tags.
type Row = Readonly<Record<string, unknown>>

const only = (row: Row, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]))

const marketFields = ['marketId', 'sourceExchange', 'title', 'status', 'volume24h', 'resolutionDate', 'category', 'url']
const outcomeFields = ['outcomeId', 'label', 'price', 'bestBid', 'bestAsk']

export function marketRow(market: Row): Record<string, unknown> {
  const outcomes = (market.outcomes as Row[] | undefined) ?? []
  return { ...only(market, marketFields), outcomes: outcomes.map((outcome) => only(outcome, outcomeFields)) }
}

const descriptionMax = 2_000

/** With its rules, as far as a model reads. */
export function wholeMarket(market: Row): Record<string, unknown> {
  const { description, tickSize, liquidity, openInterest, eventId } = market
  const text = String(description ?? '')
  const rules = text.length > descriptionMax ? `${text.slice(0, descriptionMax)}…` : text
  return { ...marketRow(market), eventId, tickSize, liquidity, openInterest, description: rules }
}

/** A match of a market: the other market, their relation, and their differences. */
export function matchRow({ market, ...match }: Row): Record<string, unknown> {
  return { ...match, ...(market !== undefined && { market: marketRow(market as Row) }) }
}
