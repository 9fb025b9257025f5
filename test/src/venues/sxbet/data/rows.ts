// Rows from SX Bet’s documentation and ccxt’s comments (MIT): a spread seen in 2026, and the documented total with a reported result.
export const spread = {
  status: 'ACTIVE',
  marketHash: '0x7154aa3580267e276cccd0f4f826464a05e3efd8e1c81d7717bef6b5ae88b07d',
  outcomeOneName: 'Los Angeles Rams -2.5',
  outcomeTwoName: 'San Francisco 49ers +2.5',
  outcomeVoidName: 'NO_CONTEST',
  teamOneName: 'Los Angeles Rams',
  teamTwoName: 'San Francisco 49ers',
  type: 342,
  gameTime: 1_789_086_900,
  line: -2.5,
  sportXeventId: 'L18870109',
  liveEnabled: true,
  sportLabel: 'Football',
  sportId: 8,
  leagueId: 243,
  leagueLabel: 'NFL',
  mainLine: true,
  isQuarterLineMarket: false,
  group1: 'NFL',
}

export const winner = {
  ...spread,
  marketHash: `0x${'a'.repeat(64)}`,
  outcomeOneName: 'Los Angeles Rams',
  outcomeTwoName: 'San Francisco 49ers',
  type: 226,
  line: undefined,
  mainLine: undefined,
}

export const reported = {
  status: 'ACTIVE',
  marketHash: '0x3cba25f2253035b015b9bb555c1bf900f6737704d57425dd2a5b60e929c33b81',
  outcomeOneName: 'Over 2.5',
  outcomeTwoName: 'Under 2.5',
  outcomeVoidName: 'NO_GAME_OR_EVEN',
  teamOneName: 'Aston Villa',
  teamTwoName: 'Burnley',
  type: 2,
  gameTime: 1_608_228_000,
  line: 2.5,
  reportedDate: 1_608_234_719,
  outcome: 2,
  teamOneScore: 0,
  teamTwoScore: 0,
  sportXeventId: 'L6247212',
  liveEnabled: false,
  sportLabel: 'Soccer',
  sportId: 5,
  leagueId: 29,
  leagueLabel: 'English Premier League',
  group1: 'English Premier League',
}

export const book = {
  marketHash: spread.marketHash,
  version: '00000060000000012',
  outcomeOne: [{ percentageOdds: '50250000000000000000', size: '5000000' }],
  outcomeTwo: [{ percentageOdds: '48000000000000000000', size: '3000000' }],
}

/** With the fields that ccxt reads, and those that two clients saw on the trade list in 2026. */
export const trade = {
  tradeId: '0xac6b',
  marketHash: spread.marketHash,
  eventId: spread.sportXeventId,
  isBettingOutcomeOne: true,
  outcomeLabel: spread.outcomeOneName,
  totalStake: '1000000',
  totalReturn: '2500000',
  weightedAverageOdds: '40000000000000000000',
  betTime: '2026-07-31T18:22:41.000Z',
  gameTime: 1_789_086_900,
  status: 'LOCKED',
  isParlay: false,
  type: 342,
  sportId: 8,
  leagueLabel: 'NFL',
  teamOneName: spread.teamOneName,
  teamTwoName: spread.teamTwoName,
}
