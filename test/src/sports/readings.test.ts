import { describe, expect, it } from 'vitest'
import type { SportsInput } from '#sports/index'
import { market } from './markets.ts'
import { describeReading } from './venueMetadata.ts'

const at = { gameStartTime: '2026-05-10T18:00:00.000Z' }
const soccer = { category: 'Sports', tags: ['Soccer', 'EPL'], eventTitle: 'Arsenal FC vs. Chelsea FC' }
const us = (slug: string, type: string, labels = ['Yes', 'No']) =>
  market('polymarket_us', slug, {
    category: 'sports',
    eventTitle: 'Lakers vs. Thunder',
    labels,
    metadata: { ...at, sportsMarketType: type },
  })
const sx = (type: string, labels: string[], more: object = {}) =>
  market('sxbet', '0x1', {
    category: 'Soccer',
    labels,
    metadata: {
      ...at,
      teamOneName: 'Arsenal',
      teamTwoName: 'Chelsea',
      leagueLabel: 'English Premier League',
      venueTypeName: type,
      ...more,
    },
  })
const nfl = (type: string, title: string, labels: string[], line: number | null) =>
  market('novig', 'x', {
    category: 'NFL',
    tags: ['NFL'],
    title: `Chicago Bears @ Las Vegas Raiders: ${title}`,
    eventTitle: 'Chicago Bears @ Las Vegas Raiders',
    labels,
    metadata: { ...at, league: 'NFL', venueMarketType: type, ...(line === null ? {} : { line }) },
  })
const kalshi = (
  id: string,
  eventTitle: string,
  subtitle: string | null,
  more: Readonly<Record<string, unknown>> = {},
) => market('kalshi', id, { category: 'Sports', title: subtitle ?? eventTitle, eventTitle, subtitle, metadata: more })
const poly = (title: string, type: string | null, labels: string[], more: Partial<SportsInput> = {}) =>
  market('polymarket', '1', {
    tags: ['Sports'],
    title,
    eventTitle: 'Trail Blazers vs. Kings',
    slug: 'nba-por-sac-2026-05-10',
    labels,
    ...more,
    metadata: { ...at, sportsMarketType: type, ...more.metadata },
  })

describe('parses a market as its venue means it', () => {
  it.each<[string, SportsInput, string]>([
    // Two teams, each an outcome.
    [
      'moneyline of two sides',
      poly('Trail Blazers vs. Kings', 'moneyline', ['Trail Blazers', 'Kings']),
      'moneyline game one/two',
    ],
    [
      'the other one first',
      poly('Trail Blazers vs. Kings', 'moneyline', ['Kings', 'Trail Blazers']),
      'moneyline game two/one',
    ],
    [
      'total',
      poly('Trail Blazers vs. Kings: O/U 239.5', 'totals', ['Over', 'Under'], { metadata: { line: 239.5 } }),
      'total game 239.5 over/under',
    ],
    [
      'spread with a sign in the title',
      poly('Spread: Kings (-11.5)', 'spreads', ['Kings', 'Trail Blazers'], { metadata: { line: 11.5 } }),
      'spread game 11.5 two/one',
    ],
    [
      'spread of the first',
      poly('Spread: Trail Blazers (-2.5)', 'spreads', ['Trail Blazers', 'Kings'], { metadata: { line: -2.5 } }),
      'spread game -2.5 one/two',
    ],
    [
      'team total',
      poly('Kings Team Total: O/U 110.5', 'team_totals', ['Over', 'Under'], { metadata: { line: 110.5 } }),
      'team_total game of 1 110.5 over/under',
    ],
    [
      'first half',
      poly('Trail Blazers vs. Kings: 1H Moneyline', 'first_half_moneyline', ['Trail Blazers', 'Kings']),
      'moneyline half_1 one/two',
    ],
    [
      'a player',
      poly('Deni Avdija: Points O/U 25.5', 'points', ['Over', 'Under'], { metadata: { line: 25.5 } }),
      'market_type',
    ],
    // Esports and tennis count several things.
    [
      'maps',
      poly('Games Total: O/U 2.5', 'totals', ['Over', 'Under'], {
        tags: ['Esports'],
        slug: 'cs2-sin2-fc-2026-05-10-total-games-2pt5',
        eventTitle: 'Counter-Strike: SINNERS vs FURIA (BO3)',
        metadata: { line: 2.5 },
      }),
      'total_maps game 2.5 over/under',
    ],
    [
      'rounds of a map',
      poly('Total Rounds Over/Under 46.5', 'round_over_under_match', ['Over', 'Under'], {
        slug: 'cs2-hero-furia-2026-05-10-total-rounds',
        eventTitle: 'Counter-Strike: Heroic vs FURIA (BO3)',
        metadata: { line: 46.5 },
      }),
      'total_rounds game 46.5 over/under',
    ],
    [
      'games of a set',
      poly('Set 1 Games: O/U 9.5', 'tennis_first_set_totals', ['Over', 'Under'], {
        slug: 'atp-rublev-fokina-2026-05-10',
        eventTitle: 'ATP: Andrey Rublev vs Alejandro Fokina',
        metadata: { line: 9.5 },
      }),
      'total_games set_1 9.5 over/under',
    ],
    [
      'sets',
      poly('Total Sets: O/U 2.5', 'tennis_set_totals', ['Over', 'Under'], {
        slug: 'atp-rublev-fokina-2026-05-10',
        eventTitle: 'ATP: Andrey Rublev vs Alejandro Fokina',
        metadata: { line: 2.5 },
      }),
      'total_sets game 2.5 over/under',
    ],
    [
      'kills',
      poly('Total Kills O/U 50.5', 'kill_over_under_game', ['Over', 'Under'], {
        slug: 'lol-t1-gen-2026-05-10',
        eventTitle: 'LoL: T1 vs Gen.G (BO3)',
        metadata: { line: 50.5 },
      }),
      'market_type',
    ],
    // Three results: No of a side is none of them.
    [
      'home wins',
      market('polymarket', '2', { ...soccer, title: 'Will Arsenal FC win on 2026-05-10?', metadata: at }),
      'moneyline game one',
    ],
    [
      'a draw',
      market('polymarket', '3', { ...soccer, title: 'Will Arsenal FC vs. Chelsea FC end in a draw?', metadata: at }),
      'moneyline game draw',
    ],
    [
      'both score',
      market('polymarket', '4', {
        ...soccer,
        title: 'Arsenal FC vs. Chelsea FC: Both Teams to Score',
        metadata: { ...at, sportsMarketType: 'both_teams_to_score' },
      }),
      'both_score game yes/no',
    ],
    ['1X2, a side', sx('1X2', ['Arsenal', 'Not Arsenal']), 'moneyline game one'],
    ['1X2, the draw', sx('1X2', ['Tie', 'Not Tie']), 'moneyline game draw'],
    ['two of three', sx('Winner', ['Arsenal', 'Chelsea']), 'draw_no_bet game one/two'],
    ['who advances', sx('To Qualify', ['Arsenal', 'Chelsea']), 'to_advance game one/two'],
    [
      'a quarter line',
      sx('Asian Handicap', ['Arsenal -0.25', 'Chelsea +0.25'], { line: -0.25 }),
      'spread game -0.25 one/two',
    ],
    ['half time', sx('Under/Over Halftime', ['Over 1.5', 'Under 1.5'], { line: 1.5 }), 'total half_1 1.5 over/under'],
    [
      'an outright',
      market('sxbet', '0x9', {
        category: 'Soccer',
        title: 'EPL: Arsenal',
        labels: ['Arsenal', 'The Field'],
        metadata: { ...at, teamOneName: 'Arsenal', teamTwoName: 'The Field', leagueLabel: 'English Premier League' },
      }),
      'no_teams',
    ],
    // Codes and signs in labels.
    ['a code and its handicap', nfl('SPREAD', 'LV +6.5', ['LV +6.5', 'CHI -6.5'], 6.5), 'spread game -6.5 two/one'],
    ['under first', nfl('TOTAL', 'CHI @ LV t44.5', ['Under 44.5', 'Over 44.5'], 44.5), 'total game 44.5 under/over'],
    [
      'the first half',
      nfl('MONEY_1H', 'CHI @ LV', ['Chicago Bears', 'Las Vegas Raiders'], null),
      'moneyline half_1 one/two',
    ],
    ['a touchdown', nfl('FIRST_TOUCHDOWN_SCORER', 'Ashton Jeanty', ['Yes', 'No'], null), 'market_type'],
    // Tickers.
    [
      'a ticker’s side',
      kalshi('KXNBAGAME-26MAY19CLENYK-NYK', 'Game 1: Cleveland at New York', 'New York'),
      'moneyline game two/one',
    ],
    [
      'by over',
      kalshi(
        'KXNBASPREAD-26MAY19CLENYK-NYK6',
        'Game 1: Cleveland at New York: Spread',
        'New York wins by over 5.5 Points',
        { strikeType: 'greater', floorStrike: 5.5 },
      ),
      'spread game 5.5 two/one',
    ],
    [
      'a whole number that must be exceeded',
      kalshi(
        'KXNBASPREAD-26MAY19CLENYK-NYK5',
        'Game 1: Cleveland at New York: Spread',
        'New York wins by over 5 Points',
        { strikeType: 'greater', floorStrike: 5 },
      ),
      'spread game 5.5 two/one',
    ],
    [
      'a half',
      kalshi(
        'KXNBA1HSPREAD-26MAY19CLENYK-CLE3',
        'Cleveland vs New York: First Half Spread',
        'Cleveland wins 1H by over 2.5 Points',
        { strikeType: 'greater', floorStrike: 2.5 },
      ),
      'spread half_1 -2.5 one/two',
    ],
    [
      'five innings',
      kalshi(
        'KXMLBF5SPREAD-26MAY192140SFAZ-AZ2',
        'San Francisco vs Arizona: First 5 Spread',
        'Arizona wins first 5 innings by over 1.5 runs',
        { strikeType: 'greater', floorStrike: 1.5 },
      ),
      'spread innings_1_5 1.5 two/one',
    ],
    [
      'games of a match',
      kalshi(
        'KXATPGSPREAD-26MAY19UGOTIA-TIA5',
        'Camilo Ugo Carabelli vs Frances Tiafoe: Game Spread',
        'Frances Tiafoe wins by over 4.5 games',
        { strikeType: 'greater', floorStrike: 4.5 },
      ),
      'spread_games game 4.5 two/one',
    ],
    ['a map', kalshi('KXCS2MAP-26MAY111130BBB8-2-B8', 'BetBoom vs B8: Map 2', 'B8'), 'moneyline map_2 two/one'],
    [
      'a total',
      kalshi('KXMLBTOTAL-26AUG091435BALTEX-12', 'Baltimore vs Texas: Total Runs', 'Over 11.5 runs scored', {
        strikeType: 'greater',
        floorStrike: 11.5,
      }),
      'total game 11.5 over/under',
    ],
    ['three results', kalshi('KXEPLGAME-26MAY24WHULEE-TIE', 'West Ham vs Leeds United', 'Tie'), 'moneyline game draw'],
    [
      'a player of a ticker',
      kalshi('KXWNBAPTS-26AUG09LVNY-NYBSTEWART30-15', 'Las Vegas vs New York: Points', 'Breanna Stewart: 15+'),
      'market_type',
    ],
    [
      'a series',
      kalshi(
        'KXNBASERIESSPREAD-26CLENYKECF-CLE2',
        'Series Game Spread: Cleveland (4) vs New York (3)',
        'Cleveland wins by over 1.5 games',
      ),
      'no_date',
    ],
    ['the overall winner', kalshi('KXNBA-27-BKN', 'Pro Basketball Champion', 'Brooklyn'), 'no_teams'],
    // Slugs that contain everything.
    ['a long side', us('aec-nba-lal-okc-2026-05-11', 'moneyline', ['Lakers', 'Thunder']), 'moneyline game one/two'],
    ['a long side without a label', us('aec-nba-okc-lal-2026-05-11', 'moneyline'), 'moneyline game two/one'],
    ['points given', us('asc-nba-lal-okc-2026-05-11-neg-3pt5', 'spreads'), 'spread game -3.5 one/two'],
    ['points received', us('asc-nba-lal-okc-2026-05-11-pos-3pt5', 'spreads'), 'spread game 3.5 one/two'],
    ['a sum', us('tsc-nba-lal-okc-2026-05-11-213pt5', 'totals'), 'total game 213.5 over/under'],
    // Not a sport, or not a game.
    [
      'a price',
      market('kalshi', 'KXBTCD-26MAY1017-T100000', { category: 'Crypto', title: 'Bitcoin above $100,000?' }),
      'no sport',
    ],
    [
      'letters that look like a league',
      market('kalshi', 'KXVALUE-26MAY10-A', { category: 'Economics', title: 'Value of it?' }),
      'no sport',
    ],
    ['a game without a date', market('xo', '7', { category: 'Sports', title: 'Lakers vs Celtics' }), 'no_date'],
  ])('%s', (_, input, expected) => {
    expect(describeReading(input)).toBe(expected)
  })
})
