// Connects the funding routes to the venue's read. One client, owned and closed here.
import type { Config } from '#config'
import { createHttpClient } from '#net/httpClient'
import type { FundingDeps } from '#orders/funding/ports'
import { hyperliquidLane } from '#venues/hyperliquid/exec/index'
import { fetchSpotBalance } from '#venues/hyperliquid/exec/spot'
import { type Budgets, openBudgets } from './budgets.ts'

const timeoutMs = 5_000

export function openFunding(
  config: Config,
  budgets: Budgets = openBudgets(config),
): FundingDeps['funding'] & { close(): Promise<void> } {
  const http = createHttpClient({
    venue: 'hyperliquid',
    budgets: budgets('hyperliquid'),
    contactUrl: config.contactUrl,
  })
  const urls = { REST: config.venueSetting('hyperliquid', 'REST_URL') ?? hyperliquidLane.urls.REST! }
  return {
    spotBalance: (owner, signal) => fetchSpotBalance({ http, urls, signal }, owner, 'USDC', timeoutMs),
    close: () => http.close(),
  }
}
