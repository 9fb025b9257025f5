// The queries of the site's own GraphQL that are used here: the leaderboard, by points, and one account. It takes no key.
import { type LabReply, type LabRoute, ok } from '../venueServer.ts'
import { syntheticTraders } from './rows.ts'

const leadersMax = 100
const refused = (message: string): LabReply => ok({ data: null, errors: [{ message }] })

export const graphqlRoute: LabRoute = {
  method: 'POST',
  path: '/graphql',
  handle({ body }) {
    const query = String((body as { query?: unknown } | undefined)?.query ?? '')
    const first = /leaderboard\(pagination: \{ first: (\d+)/.exec(query)?.[1]
    if (first !== undefined) return leaders(Number(first))
    const address = /account\(address: "(0x[0-9a-fA-F]{40})"\)/.exec(query)?.[1]
    return address === undefined ? refused('Cannot query field') : accountOf(address)
  },
}

function leaders(first: number): LabReply {
  if (first > leadersMax) return refused('first must not exceed 100')
  const ranked = syntheticTraders.all.toSorted((a, b) => b.volume - a.volume)
  const edges = ranked.slice(0, first).map(({ name, wallet, volume }, index) => ({
    node: { rank: index + 1, totalPoints: Math.round(volume / 10), account: { name, address: wallet } },
  }))
  return ok({
    data: { leaderboard: { edges, pageInfo: { hasNextPage: first < ranked.length, endCursor: String(first) } } },
  })
}

function accountOf(address: string): LabReply {
  const trader = syntheticTraders.find(address)
  const statistics = trader && { pnlUsd: trader.profit, volumeUsd: trader.volume, marketsCount: 7 }
  return ok({ data: { account: trader && { name: trader.name, statistics } } })
}
