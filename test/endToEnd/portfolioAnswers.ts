// Answers of the portfolio routes with every kind of unknown value, for the dashboard's page of it.
import type { Page, WebSocketRoute } from 'playwright-core'
import type { ExposureGroup, ExposureMeta } from '#schemas/exposure'
import type { OrderOverview, UnresolvedOrder } from '#schemas/orders'
import type { PortfolioPosition, VenueTotals } from '#schemas/portfolio'
import type { PortfolioData } from '#schemas/stream'

const asOf = '2026-11-30T10:00:00.000Z'
const later = '2027-01-31T00:00:00.000Z'
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const nothing = { mid: null, bid: null, last: null }

const held: PortfolioPosition = {
  ...{ venue: 'kalshi', marketId: 'RAIN', outcomeId: 'RAIN', currency: 'USD', quantity: '10', costBasis: '4.2' },
  ...{ averageCost: '0.42', costBasisFifo: '4.2', realizedPnl: '0', realizedPnlFifo: '0', fees: '0.07', bought: '10' },
  ...{ sold: '0', market: 'Will it rain on Monday?', label: 'Yes', marketStatus: 'active', resolutionDate: later },
  settlement: null,
  marks: { mid: '0.46', bid: '0.445', last: '0.45' },
  value: { mid: '4.6', bid: '4.45', last: '4.5', settlement: null },
  unrealizedPnl: { mid: '0.4', bid: '0.25', last: '0.3' },
  ...{ openedAt: asOf, updatedAt: asOf },
}
const unpriced: PortfolioPosition = {
  ...held,
  ...{ venue: 'polymarket', marketId: 'SNOW', outcomeId: 'SNOW-NO', market: 'Will it snow on Monday?', label: 'No' },
  ...{ currency: 'USDC', costBasis: null, averageCost: null, costBasisFifo: null, fees: null },
  marks: nothing,
  value: { ...nothing, settlement: null },
  unrealizedPnl: nothing,
}
const resolved = { ...unpriced, marks: nothing, value: { ...nothing, settlement: '0' }, unrealizedPnl: nothing }
const lost: PortfolioPosition = {
  ...resolved,
  ...{ marketId: 'HAIL', outcomeId: 'HAIL-YES', market: 'Will it hail on Monday?', label: 'Yes', quantity: '0' },
  ...{ marketStatus: 'resolved', realizedPnl: '-3', realizedPnlFifo: '-3', costBasis: '0', costBasisFifo: '0' },
  settlement: { value: '0', unclaimed: '0', paid: '0', at: asOf, timeSource: 'venue' },
}
const sold: PortfolioPosition = {
  ...{ ...resolved, marketId: 'WIND', outcomeId: 'WIND-YES', market: 'Will it be windy on Monday?', quantity: '0' },
  ...{ settlement: null, value: { ...nothing, settlement: null }, realizedPnl: '1.5', costBasis: '0' },
}

const all = { known: '0', unknown: 1 }
const known = (amount: string) => ({ known: amount, unknown: 0 })
const kalshi: VenueTotals = {
  ...{ venue: 'kalshi', currency: 'USD', cashFlow: '245.8', deposits: '250', fees: known('0.07') },
  ...{ realizedPnl: known('0'), realizedPnlFifo: known('0'), unclaimed: '0', positions: { open: 1, closed: 0 } },
  value: { mid: known('4.6'), bid: known('4.45'), last: known('4.5') },
  unrealizedPnl: { mid: known('0.4'), bid: known('0.25'), last: known('0.3') },
  unknown: [],
}
const polymarket: VenueTotals = {
  ...kalshi,
  ...{ venue: 'polymarket', currency: 'USDC', cashFlow: null, deposits: '0', fees: all, realizedPnl: known('-1.5') },
  ...{ value: { mid: all, bid: all, last: all }, unrealizedPnl: { mid: all, bid: all, last: all } },
  unknown: [
    { field: 'cashFlow', reason: 'amount_not_reported', count: 1 },
    { field: 'fees', reason: 'amount_not_reported', count: 1 },
    { field: 'unrealizedPnl.mid', reason: 'no_live_book', count: 1 },
  ],
}

const snapshot: PortfolioData = {
  ...{ kind: 'snapshot', reason: 'subscribed', seq: 1, asOf, unavailable: ['books:polymarket'], truncated: false },
  ...{ positions: [held, unpriced], summary: [kalshi, polymarket], part: { i: 1, n: 1 } },
}
/** The position at Kalshi gains, the other one is closed. */
const change: PortfolioData = {
  ...{ kind: 'change', seq: 2, asOf, unavailable: [], summary: [], removedSummary: [] },
  positions: [{ ...held, marks: { ...held.marks, mid: '0.51' }, unrealizedPnl: { ...held.unrealizedPnl, mid: '0.9' } }],
  removed: [{ venue: 'polymarket', marketId: 'SNOW', outcomeId: 'SNOW-NO' }],
}

const fields = {
  ...{
    success: true,
    asOf,
    provenance: { source: 'journal', entries: ['journal'] },
    unavailable: ['books:polymarket'],
  },
  gaps: {
    unexplained: {
      total: 1,
      orders: [{ executionId: id(1), venue: 'polymarket', marketId: 'SNOW', outcomeId: 'SNOW-NO', size: '2' }],
    },
    unreadable: { total: 0, fills: [] },
    exchanges: { total: 0, executions: [] },
  },
}

const inGroup = ({ venue, marketId, outcomeId, market, label, quantity, costBasis }: PortfolioPosition) => ({
  ...{ venue, marketId, outcomeId, market, label, quantity, costBasis, payout: null, resolutionDate: later },
})
const exact: ExposureGroup = {
  ...{ by: 'group', groupId: 'kalshi:RAIN', currency: 'USD', venues: ['kalshi', 'polymarket'], worstCase: '10' },
  ...{ bestCase: '10', isExact: true, bounds: [], lockedProfit: '0.7', bestProfit: '0.7', capitalUsed: '9.3' },
  ...{ unknownCosts: 0, share: 0.75, settlesAt: later, daysToSettlement: 61.58, hasAllOutcomes: true },
  outcomes: [
    { payoff: '10', profit: '0.7', pays: [{ venue: 'kalshi', marketId: 'RAIN', outcomeId: 'RAIN' }] },
    { payoff: '10', profit: '0.7', pays: [{ venue: 'polymarket', marketId: 'DRY', outcomeId: 'DRY-NO' }] },
  ],
  positions: [
    { ...inGroup(held), inWorstCase: '10', inBestCase: '0' },
    {
      ...{ ...inGroup(held), venue: 'polymarket', marketId: 'DRY', outcomeId: 'DRY-NO', label: 'No', costBasis: '5.1' },
      ...{ market: 'Rain on Monday?', inWorstCase: '0', inBestCase: '10' },
    },
  ],
  relations: [{ id: 'kalshi:RAIN = polymarket:DRY', kind: 'same', band: 'verified', reason: null }],
  relationCount: 1,
  notCovered: [{ reason: 'void_or_split', markets: ['kalshi:RAIN', 'polymarket:DRY'] }],
  minorRelations: {
    ...{ count: 1, groups: ['polymarket:SNOW'], worstCase: '12', bestCase: '20', isExact: false, lockedProfit: null },
    ...{
      bounds: ['search_limit'],
      relations: [{ id: 'r2', kind: 'implies', band: 'minor', reason: 'a word differs' }],
    },
  },
}
const bounded: ExposureGroup = {
  ...{ ...exact, groupId: 'polymarket:SNOW', currency: 'USDC', venues: ['polymarket'], worstCase: '0', isExact: false },
  ...{ bounds: ['payout_unknown'], lockedProfit: null, bestProfit: null, capitalUsed: null, unknownCosts: 1 },
  ...{ share: null, settlesAt: null, daysToSettlement: null, relations: [], relationCount: 0, minorRelations: null },
  ...{
    outcomes: [],
    hasAllOutcomes: false,
    positions: [{ ...inGroup(unpriced), inWorstCase: null, inBestCase: null }],
  },
}
const capital = { currency: 'USD', unknownCosts: 0 }
const meta: ExposureMeta = {
  ...{ positions: 3, groups: 2 },
  concentration: {
    venues: [
      { ...capital, venue: 'kalshi', capitalUsed: '4.2', share: 0.45 },
      { ...capital, venue: 'polymarket', capitalUsed: '5.1', share: 0.55 },
      { venue: 'polymarket', currency: 'USDC', capitalUsed: '0', unknownCosts: 1, share: null },
    ],
    events: [],
    groups: [],
  },
}

const order: OrderOverview = {
  ...{ executionId: id(2), venue: 'kalshi', intent: 'order', status: 'filled', marketId: 'RAIN', outcomeId: 'RAIN' },
  ...{ market: 'Will it rain on Monday?', label: 'Yes', side: 'buy', price: '0.43', size: '10', matchedSize: '10' },
  ...{ remainingSize: '0', averagePrice: '0.42', timeInForce: null, expiresAt: null, venueRef: 'V1', error: null },
  ...{ conditionalId: null, groupId: null, targetExecutionId: null, targetOf: [] },
  ...{ createdAt: asOf, updatedAt: asOf, statusSince: asOf },
}
const unresolved: UnresolvedOrder = {
  ...{ executionId: id(3), venue: 'polymarket', intent: 'order', status: 'submitted', venueRef: null },
  ...{ targetExecutionId: null, conditionalId: null, groupId: null, marketId: 'SNOW', outcomeId: 'SNOW-NO' },
  ...{ side: 'buy', price: '0.3', size: '20', matchedSize: null, response: 'timed out', missingSince: null },
  waitsFor: { code: 'late_copy_possible', text: 'the venue may still accept a late copy' },
  ...{ since: asOf, until: later },
  actions: [
    { kind: 'wait', until: later },
    {
      ...{ kind: 'resolve', method: 'POST', path: `/v1/exec/polymarket/orders/${id(3)}/resolve` },
      ...{ fields: ['outcome', 'reason'], outcomes: ['failed', 'filled'], from: null },
    },
  ],
}

export interface MockedPortfolio {
  /** Sends the change on the stream. */
  sendChange(): void
  /** Loses the stream, and refuses it from then on. */
  loseStream(): void
  /** Stops answering for the server. */
  end(): Promise<void>
}

const routes = /\/v1\/(portfolio\/|exec\/orders)/

/** Answers the portfolio's routes and its channel in place of the server, on a page that shows no stream yet. */
export async function mockPortfolio(page: Page): Promise<MockedPortfolio> {
  const sockets = new Set<WebSocketRoute>()
  let isLost = false
  const send = (socket: WebSocketRoute, frame: object): void => socket.send(JSON.stringify(frame))
  await page.routeWebSocket('**/v1/stream', (socket) => {
    if (isLost) return void socket.close({ code: 1001 })
    sockets.add(socket)
    socket.onMessage((message) => {
      const { op } = JSON.parse(String(message)) as { op: string }
      if (op === 'auth') send(socket, { type: 'auth', status: 'ok' })
      if (op === 'subscribePortfolio') send(socket, { type: 'portfolio', ts: 1, data: snapshot })
    })
  })
  await page.route(routes, (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    if (pathname === '/v1/portfolio/summary') {
      return route.fulfill({ json: { ...fields, data: { byVenue: [kalshi, polymarket], byCurrency: [] } } })
    }
    if (pathname === '/v1/portfolio/fills') {
      const headers = { 'content-type': 'text/csv', 'x-unexplained-orders': '1' }
      const isLast = searchParams.has('cursor')
      return route.fulfill({
        headers: { ...headers, ...(!isLast && { 'x-next-cursor': 'next' }) },
        body: `fillId,size\r\n${isLast ? 'F2,7' : 'F1,3'}\r\n`,
      })
    }
    if (pathname === '/v1/portfolio/positions') {
      const rows = { open: [held, unpriced], closed: [lost, sold], all: [held, unpriced, lost, sold] }
      return route.fulfill({
        json: { ...fields, data: rows[(searchParams.get('status') ?? 'open') as keyof typeof rows] },
      })
    }
    if (pathname === '/v1/portfolio/exposure') {
      return route.fulfill({ json: { ...fields, unavailable: ['matches'], meta, data: [exact, bounded] } })
    }
    const data = pathname.endsWith('/in-doubt') ? [unresolved] : [order]
    return route.fulfill({ json: { success: true, data } })
  })
  return {
    sendChange() {
      for (const socket of sockets) send(socket, { type: 'portfolio', ts: 2, data: change })
    },
    loseStream() {
      isLost = true
      for (const socket of sockets) void socket.close({ code: 1001 })
      sockets.clear()
    },
    async end() {
      await page.unroute(routes)
      isLost = true
      for (const socket of sockets) void socket.close({ code: 1001 })
    },
  }
}
