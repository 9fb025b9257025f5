// Portfolios as a reader returns them, and sockets that keep what they take.
import type { AccountPortfolio, MarkedPosition } from '#portfolio/ports'
import type { PortfolioPeer } from '#portfolio/stream/subscriber'
import { PortfolioData } from '#schemas/stream'

const unmarked = { mid: null, bid: null, last: null }

export const position = (outcomeId: string, quantity: string, more: Partial<MarkedPosition> = {}): MarkedPosition => ({
  venue: 'kalshi',
  marketId: 'm',
  outcomeId,
  currency: 'USD',
  quantity,
  costBasis: '1',
  averageCost: '0.1',
  costBasisFifo: '1',
  realizedPnl: '0',
  realizedPnlFifo: '0',
  fees: '0',
  bought: quantity,
  sold: '0',
  settlement: null,
  openedAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  market: 'Will it rain?',
  label: 'Yes',
  marketStatus: 'active',
  resolutionDate: null,
  marks: unmarked,
  value: { ...unmarked, settlement: null },
  unrealizedPnl: unmarked,
  ...more,
})

export const portfolioOf = (
  positions: readonly MarkedPosition[],
  more: Partial<AccountPortfolio> = {},
): AccountPortfolio => ({
  asOf: 1_790_000_000_000,
  ledger: { positions, cash: [] },
  positions,
  unexplained: [],
  unreadable: [],
  unreadableExchanges: [],
  entries: [],
  settlementTimes: [],
  unavailable: [],
  ...more,
})

export interface TestPeer {
  peer: PortfolioPeer
  /** Data of its frames, each as the schema has it. */
  received: PortfolioData[]
  socket: { takes: boolean }
}

export function testPeer(accountId = 'a', id = 1): TestPeer {
  const received: PortfolioData[] = []
  const socket = { takes: true }
  const offer = (_topic: string, frame: Buffer) => {
    if (!socket.takes) return 'dropped' as const
    received.push(PortfolioData.parse(JSON.parse(String(frame)).data))
    return 'sent' as const
  }
  return { peer: { id, principal: () => ({ accountId }), offer }, received, socket }
}
