// Descriptions of the operation groups, for readers of the document.
import type { Json } from './shapes.ts'

const words: Readonly<Record<string, string>> = {
  system: 'Health, metrics and the documents themselves',
  markets: 'Markets, books, trades and candles of every venue, and what venues have in common',
  feeds: 'Reference prices from outside the prediction markets',
  history: 'The tape, replayed',
  arbitrage: 'Legs that cannot all lose',
  matching: 'Decisions on whether two questions are the same, by people',
  account: 'The account of the key: plan, credits, keys, usage',
  accounts: 'Account data that venues show publicly',
  funding: 'Whether an account at a venue can pay',
  portfolio: 'What an account holds over all venues, and what it is worth',
  router: 'Orders split over the venues of equal markets',
  paper: 'Accounts that trade with play money: cash, orders, fills and their evidence',
  execution: 'Orders: built unsigned, signed by the caller, relayed once',
  webhooks: 'Events sent to endpoints of the caller',
  traders: 'Who trades, who holds, who leads',
  venues: 'Venue-wide metrics',
  bridge: 'Funding a venue from another chain',
  sports: 'Games, and the bets on them across venues',
}

export const tagsOf = (names: Iterable<string>): Json[] =>
  [...new Set(names)].map((name) => ({ name, description: words[name] }))
