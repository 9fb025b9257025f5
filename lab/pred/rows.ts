// Pred's objects: list entries, a parent's own read, books. Prices are cents, sizes shares, both as text.
import type { EngineMarket, LabStatus, MarketTruth } from '../engine/market.ts'
import { digestHex, stableUuid } from '../prng.ts'
import type { PredChild, PredParent } from './marketGenerator.ts'

const plain = (number: number): string => String(Math.round(number * 1e6) / 1e6)
const cents = (micros: number): string => plain(micros / 10_000)
const iso = (ms: number): string => new Date(ms).toISOString()

/** There is no status for a closed market that is not yet resolved. */
const statuses = { open: 'active', closed: 'closed', resolved: 'resolved' } as const satisfies Record<LabStatus, string>

type Live = (child: PredChild) => EngineMarket

const stateOf = ({ children }: PredParent, live: Live): LabStatus => {
  const states = children.map((child) => live(child).status)
  return states.includes('open') ? 'open' : (states[0] ?? 'closed')
}

function parentData(parent: PredParent, live: Live) {
  const { catalog } = parent
  return {
    parent_market_id: parent.id,
    contract_address: parent.contract,
    parent_market_type: 'generic',
    parent_market_family: catalog.markets.length === 1 ? 'generic' : 'moneyline',
    canonical_name: catalog.key.replaceAll('/', '-'),
    title: catalog.title,
    status: statuses[stateOf(parent, live)],
    markets_open: iso(catalog.endMs),
    market_line: '0',
  }
}

const childName = ({ catalog, parent }: PredChild): string =>
  parent.catalog.markets.length === 1 ? catalog.question : catalog.label

const teamId = ({ key }: PredChild): string => stableUuid(`pred/team/${key}`)

/** A list entry: no prices and no volumes. */
export const entryRow = (parent: PredParent, live: Live) => ({
  league_data: { league_id: stableUuid(`pred/league/${parent.catalog.category}`) },
  parent_market_data: parentData(parent, live),
  fixture: {
    fixture_id: stableUuid(`pred/fixture/${parent.catalog.key}`),
    game_start_time: iso(parent.catalog.startMs ?? parent.catalog.endMs),
    game_status: 'scheduled',
    home_team_id: '',
    home_team_score: 0,
    away_team_id: '',
    away_team_score: 0,
    group_by: '',
    match_day: 1,
    canonical_name: parent.catalog.key.replaceAll('/', '-'),
  },
  team_data: parent.children.map((child) => ({ team_id: teamId(child), logo_url: '', theme_color: '' })),
  markets: parent.children.map((child) => ({
    market_id: child.id,
    name: childName(child),
    team_id: teamId(child),
    status: statuses[live(child).status],
  })),
})

/** USD: what both sides put into a contract. A running total, so nothing in it may follow the price. */
const turnover = (live: EngineMarket): number => live.volumeHundredths / 100

export function detailsRow(parent: PredParent, live: Live) {
  const markets = parent.children.map((child) => {
    const now = live(child)
    return {
      market_id: child.id,
      team_id: teamId(child),
      name: childName(child),
      logo_url: '',
      alternate_name: child.catalog.code,
      status: statuses[now.status],
      tick_size: '1',
      rules: '',
      ltp: now.lastTrade === null ? '0' : cents(now.lastTrade.priceMicros),
      volume: plain(turnover(now)),
      mid_price: cents(now.midMicros()),
      percentage_change: '0',
    }
  })
  const total = parent.children.reduce((sum, child) => sum + turnover(live(child)), 0)
  return {
    parent_market_data: {
      ...parentData(parent, live),
      rules: parent.catalog.rules,
      parent_market_volume: plain(total),
      contract_type: 'ctf',
      logo_url: '',
      theme_color: `#${digestHex(parent.id).slice(0, 6)}`,
    },
    markets,
  }
}

export function bookRow({ bids, asks }: MarketTruth, depth: number) {
  const side = (levels: MarketTruth['bids']) =>
    levels.slice(0, depth).map(([price, size]) => ({ price: cents(price), size: plain(size) }))
  return { success: true, bids: side(bids), asks: side(asks) }
}
