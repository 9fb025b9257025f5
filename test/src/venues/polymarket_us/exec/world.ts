import { binaryMarket, createLaneWorld, type LaneWorld } from '#test/support/laneWorld'

/** RFC 8032 §7.1, test 1. */
export const credentials = {
  keyId: '0b2f6f0e-8f56-4c3a-9a55-1d6c1d0c7a11',
  secretKey: 'nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=',
}

export const slug = 'demo-a'
export const market = (given: Record<string, unknown> = {}) =>
  binaryMarket('polymarket_us', slug, [`${slug}:long`, `${slug}:short`], {
    tickSize: 0.001,
    sourceMetadata: { minimumTradeQty: 1, feeCoefficient: 0.0695, ...given },
  })

export async function createWorld(): Promise<LaneWorld> {
  const world = await createLaneWorld('polymarket_us', ['API'])
  world.outcomes.push(...market())
  return world
}

export const buyShort = {
  marketId: slug,
  outcomeId: `${slug}:short`,
  side: 'buy',
  type: 'limit',
  amount: 3,
  price: 0.83,
}
