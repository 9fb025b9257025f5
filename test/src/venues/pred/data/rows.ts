// Rows as in the venue’s OpenAPI (pred-1.gitbook.io/pred-docs, July 2026), with every documented field. Written by hand, not recorded.
export const hash = (n: number): string => `0x${n.toString(16).padStart(64, '0')}`

export const parentRow = (more: object = {}) => ({
  parent_market_id: hash(1),
  contract_address: '0x1938Af63B717B80ea62ccB4CCBf799F8a28dEFB0',
  parent_market_type: 'fixture',
  parent_market_family: 'moneyline',
  canonical_name: 'roma-vs-atalanta-2026-04-18',
  title: 'Roma vs Atalanta',
  status: 'active',
  markets_open: '2026-04-18T18:45:00Z',
  market_line: '0',
  ...more,
})

/** As nested in the parent’s own read. */
export const parentDetails = (more: object = {}) => ({
  ...parentRow(),
  rules: 'Regular time.',
  parent_market_volume: '125000.5',
  contract_type: 'ctf',
  logo_url: 'https://images.example/match.png',
  theme_color: '#112233',
  ...more,
})

export const childRow = (n: number, more: object = {}) => ({
  market_id: hash(n),
  name: `Team ${n}`,
  team_id: '7eda7e2a-0000-4000-8000-000000000000',
  status: 'active',
  ...more,
})

export const childDetails = (n: number, more: object = {}) => ({
  ...childRow(n),
  logo_url: 'https://images.example/team.png',
  alternate_name: 'ROM',
  tick_size: '1',
  rules: 'Pays if the team wins.',
  ltp: '55',
  volume: '42000.25',
  mid_price: '54.5',
  percentage_change: '-2.1',
  ...more,
})

export const entryRow = (more: object = {}) => ({
  league_data: { league_id: 'serie-a' },
  parent_market_data: parentRow(),
  fixture: {
    fixture_id: 'f-1',
    game_start_time: '2026-04-18T16:45:00Z',
    game_status: 'scheduled',
    home_team_id: 'h',
    home_team_score: 0,
    away_team_id: 'a',
    away_team_score: 0,
    group_by: 'matchday',
    match_day: 33,
    canonical_name: 'roma-vs-atalanta',
  },
  team_data: [{ team_id: 'h', logo_url: 'https://images.example/h.png', theme_color: '#fff' }],
  markets: [childRow(2), childRow(3)],
  ...more,
})

export const detailsBody = (parent: object = {}, markets: unknown[] = [childDetails(2), childDetails(3)]) => ({
  data: { parent_market_data: parentDetails(parent), markets },
})

export const bookRow = (more: object = {}) => ({
  success: true,
  bids: [
    { price: '54', size: '120.5' },
    { price: '53.5', size: '80' },
  ],
  asks: [{ price: '56', size: '10' }],
  ...more,
})
