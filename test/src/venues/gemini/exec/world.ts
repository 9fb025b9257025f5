import { binaryMarket, createLaneWorld, type LaneWorld, type Seen } from '#test/support/laneWorld'

export const credentials = { apiKey: 'account-throwaway', apiSecret: 'test-secret' }

export const symbol = 'GEMI-TESTEV26-AAA'
export const market = (
  sourceMetadata: Record<string, unknown> = { instrumentSymbol: symbol },
  tickSize: number | null = 0.01,
) => binaryMarket('gemini', symbol, [symbol, `${symbol}-NO`], { tickSize, sourceMetadata })

export async function createWorld(): Promise<LaneWorld> {
  const world = await createLaneWorld('gemini', ['REST'])
  world.outcomes.push(...market())
  return world
}

export const buy = { outcome: symbol, outcomeSide: 'YES', isBuy: true, price: '0.20', size: 10 }

/** The text that is signed. */
export const payloadOf = ({ headers }: Pick<Seen, 'headers'>): string =>
  Buffer.from(String(headers['x-gemini-payload']), 'base64').toString()
