// Points a Crossbook process at the lab's venues.
import type { Lab } from '#lab/lab'

export const labEnvironment = ({ polymarket, kalshi }: Lab): Record<string, string> => ({
  // No other venues: the lab has started these two, and nothing else may be called.
  VENUES: 'polymarket,kalshi',
  CROSSBOOK_POLYMARKET_CLOB_URL: polymarket.urls.CLOB,
  CROSSBOOK_POLYMARKET_GAMMA_URL: polymarket.urls.GAMMA,
  CROSSBOOK_POLYMARKET_DATA_URL: polymarket.urls.DATA,
  CROSSBOOK_POLYMARKET_WS_URL: polymarket.urls.WS,
  CROSSBOOK_KALSHI_REST_URL: kalshi.urls.REST,
  CROSSBOOK_KALSHI_WS_URL: kalshi.urls.WS,
  CROSSBOOK_KALSHI_API_KEY_ID: kalshi.credentials.API_KEY_ID,
  CROSSBOOK_KALSHI_PRIVATE_KEY_PEM: kalshi.credentials.PRIVATE_KEY_PEM,
})
