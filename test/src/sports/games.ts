// The games listed by the tests of routes: five in the default window, three outside it.
import type { SportsInput } from '#sports/index'
import { market, tigersAtRoyals } from './markets.ts'

export const start = Date.parse('2026-05-10T12:00:00Z')
export const soccer = (id: string, title: string, at: string | null, over: Partial<SportsInput> = {}): SportsInput =>
  market('polymarket', id, {
    tags: ['Soccer', 'EPL'],
    title,
    eventTitle: title,
    labels: title.split(' vs '),
    metadata: at === null ? {} : { gameStartTime: at },
    ...over,
  })

export const inputs = [
  ...tigersAtRoyals,
  soccer('11', 'Arsenal vs Chelsea', '2026-05-10T00:00:00.000Z', { status: 'resolved' }),
  soccer('12', 'Everton vs Fulham', '2026-05-10T10:00:00.000Z'),
  soccer('13', 'Leeds vs Burnley', '2026-05-17T12:00:00.000Z'),
  soccer('14', 'Brentford vs Wolves', '2026-05-17T12:00:01.000Z'),
  soccer('15', 'Liverpool vs Brighton', null, { slug: 'epl-liv-bri-2026-05-12' }),
  soccer('16', 'Newcastle vs Sunderland', '2026-05-09T20:00:00.000Z', { eventMetadata: { gameStatus: 'postponed' } }),
  soccer('17', 'Villa vs Spurs', '2026-05-09T23:59:59.000Z', { eventMetadata: { gameStatus: 'cancelled' } }),
]
