// Markets as in the catalogs of their venues: titles, ids and fields of recorded rows, reduced to what games are read from.
import type { SportsInput } from '#sports/index'

export function market(
  venue: string,
  marketId: string,
  over: Partial<SportsInput> & { labels?: string[] } = {},
): SportsInput {
  const { labels = ['Yes', 'No'], ...rest } = over
  return {
    venue,
    marketId,
    eventId: null,
    title: '',
    description: '',
    subtitle: null,
    eventTitle: null,
    slug: null,
    eventSlug: null,
    seriesId: null,
    category: null,
    tags: [],
    status: 'active',
    outcomes: labels.map((label, at) => ({ outcomeId: `${marketId}#${at}`, label })),
    metadata: {},
    eventMetadata: {},
    ...rest,
  }
}

const sports = { category: 'Sports' }

/** A game at many venues: Detroit at Kansas City, 2026-05-10 19:20 in New York. */
export const tigersAtRoyals: SportsInput[] = [
  market('kalshi', 'KXMLBGAME-26MAY101920DETKC-DET', {
    ...sports,
    title: 'Detroit vs Kansas City Winner?',
    eventTitle: 'Detroit vs Kansas City',
    subtitle: 'Detroit',
  }),
  market('kalshi', 'KXMLBGAME-26MAY101920DETKC-KC', {
    ...sports,
    title: 'Detroit vs Kansas City Winner?',
    eventTitle: 'Detroit vs Kansas City',
    subtitle: 'Kansas City',
  }),
  market('kalshi', 'KXMLBSPREAD-26MAY101920DETKC-DET3', {
    ...sports,
    title: 'Detroit wins by over 2.5 runs?',
    eventTitle: 'Detroit vs Kansas City: Spread',
    subtitle: 'Detroit wins by over 2.5 runs',
    metadata: { strikeType: 'greater', floorStrike: 2.5 },
  }),
  market('kalshi', 'KXMLBTOTAL-26MAY101920DETKC-9', {
    ...sports,
    title: 'Detroit vs Kansas City Total Runs?',
    eventTitle: 'Detroit vs Kansas City: Total Runs',
    subtitle: 'Over 8.5 runs scored',
    metadata: { strikeType: 'greater', floorStrike: 8.5 },
  }),
  market('polymarket', '900001', {
    tags: ['Sports', 'MLB'],
    title: 'Detroit Tigers vs. Kansas City Royals',
    eventTitle: 'Detroit Tigers vs. Kansas City Royals',
    slug: 'mlb-det-kc-2026-05-10',
    labels: ['Detroit Tigers', 'Kansas City Royals'],
    metadata: { gameStartTime: '2026-05-10T23:20:00.000Z', sportsMarketType: 'moneyline' },
  }),
  market('polymarket', '900002', {
    tags: ['Sports', 'MLB'],
    title: 'Spread: Royals (-1.5)',
    eventTitle: 'Detroit Tigers vs. Kansas City Royals',
    slug: 'mlb-det-kc-2026-05-10-spread-home-1pt5',
    labels: ['Kansas City Royals', 'Detroit Tigers'],
    metadata: { gameStartTime: '2026-05-10T23:20:00.000Z', sportsMarketType: 'spreads', line: -1.5 },
  }),
  market('polymarket', '900003', {
    tags: ['Sports', 'MLB'],
    title: 'Detroit Tigers vs. Kansas City Royals: O/U 8.5',
    eventTitle: 'Detroit Tigers vs. Kansas City Royals',
    slug: 'mlb-det-kc-2026-05-10-total-8pt5',
    labels: ['Over', 'Under'],
    metadata: { gameStartTime: '2026-05-10T23:20:00.000Z', sportsMarketType: 'totals', line: 8.5 },
  }),
  market('polymarket_us', 'aec-mlb-det-kc-2026-05-10', {
    category: 'sports',
    title: 'Tigers vs Royals',
    eventTitle: 'Detroit Tigers vs. Kansas City Royals',
    labels: ['Detroit Tigers', 'Kansas City Royals'],
    metadata: { gameStartTime: '2026-05-10T23:20:00.000Z', sportsMarketType: 'moneyline' },
  }),
  market('polymarket_us', 'asc-mlb-det-kc-2026-05-10-pos-1pt5', {
    category: 'sports',
    eventTitle: 'Detroit Tigers vs. Kansas City Royals',
    labels: ['Yes', 'No'],
    metadata: { sportsMarketType: 'spreads' },
  }),
  market('sxbet', '0x01', {
    category: 'Baseball',
    tags: ['Baseball', 'MLB'],
    title: 'Kansas City Royals vs Detroit Tigers: Kansas City Royals / Detroit Tigers',
    labels: ['Kansas City Royals', 'Detroit Tigers'],
    metadata: {
      gameStartTime: '2026-05-10T23:20:00.000Z',
      teamOneName: 'Kansas City Royals',
      teamTwoName: 'Detroit Tigers',
      leagueLabel: 'MLB',
      venueTypeName: 'Winner Including Overtime',
    },
  }),
  market('sxbet', '0x02', {
    category: 'Baseball',
    tags: ['Baseball', 'MLB'],
    title: 'Kansas City Royals vs Detroit Tigers: Asian Handicap Including Overtime, …',
    labels: ['Kansas City Royals -1.5', 'Detroit Tigers +1.5'],
    metadata: {
      gameStartTime: '2026-05-10T23:20:00.000Z',
      teamOneName: 'Kansas City Royals',
      teamTwoName: 'Detroit Tigers',
      leagueLabel: 'MLB',
      venueTypeName: 'Asian Handicap Including Overtime',
      line: -1.5,
    },
  }),
  market('novig', 'n1', {
    category: 'MLB',
    tags: ['MLB'],
    title: 'Detroit Tigers @ Kansas City Royals: DET @ KC t8.5',
    eventTitle: 'Detroit Tigers @ Kansas City Royals',
    labels: ['Under 8.5', 'Over 8.5'],
    metadata: { gameStartTime: '2026-05-10T23:22:00.000Z', league: 'MLB', venueMarketType: 'TOTAL', line: 8.5 },
  }),
  market('novig', 'n2', {
    category: 'MLB',
    tags: ['MLB'],
    title: 'Detroit Tigers @ Kansas City Royals: Detroit Tigers 3.5 TEAM_TOTAL',
    eventTitle: 'Detroit Tigers @ Kansas City Royals',
    labels: ['Over 3.5', 'Under 3.5'],
    metadata: { gameStartTime: '2026-05-10T23:22:00.000Z', league: 'MLB', venueMarketType: 'TEAM_TOTAL', line: 3.5 },
  }),
  market('novig', 'n3', {
    category: 'MLB',
    tags: ['MLB'],
    title: 'Detroit Tigers @ Kansas City Royals: Tarik Skubal 7.5 STRIKEOUTS',
    eventTitle: 'Detroit Tigers @ Kansas City Royals',
    labels: ['Over 7.5', 'Under 7.5'],
    metadata: {
      gameStartTime: '2026-05-10T23:22:00.000Z',
      league: 'MLB',
      venueMarketType: 'PITCHER_STRIKEOUTS',
      line: 7.5,
    },
  }),
]
