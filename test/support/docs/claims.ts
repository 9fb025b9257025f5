// How each code sample of the pages is tested. A sample without an entry fails a test, and so does an entry without its sample.
//
// Samples in a programming language are run or validated; only drawings and formulas may be exempt.

export type Claim =
  /** Run by this test, exactly as printed. */
  | { ranBy: string }
  /** What the operation responds, or a part of it. */
  | { answers: string; within?: readonly string[] }
  | { refuses: true }
  /** Messages of the stream, to it or from it. */
  | { streams: true }
  /** Requests: method, path, parameters and bodies. */
  | { asks: true }
  /** Not tested, with the reason. */
  | { shown: string }

/** The beginning of a sample → how it is tested. */
type Claims = Readonly<Record<string, readonly (readonly [begins: string, claim: Claim])[]>>

const printed: Claim = { ranBy: 'test/endToEnd/readme.test.ts' }
const orders: Claim = { ranBy: 'test/endToEnd/trading.test.ts' }
const operators: Claim = { ranBy: 'test/src/cli/pages.test.ts' }
const backup: Claim = { ranBy: 'test/endToEnd/process/clusterBackup.test.ts' }
const paper: Claim = { ranBy: 'test/endToEnd/paper.test.ts' }
const backtests: Claim = { ranBy: 'test/endToEnd/process/backtest.test.ts' }
const streams: Claim = { streams: true }
const asks: Claim = { asks: true }
const drawing: Claim = { shown: 'a drawing' }
const testedByPmxtjs: Claim = { ranBy: 'test/endToEnd/clients/pmxtjs.test.ts' }
const readmes: Claim = { ranBy: 'test/endToEnd/clients/readmes.test.ts' }
const python: Claim = { ranBy: 'test/endToEnd/clients/sdkPython.test.ts' }
const typescript: Claim = { ranBy: 'test/sdk/typescript/package.test.ts' }

export const lanesWithCommands = [
  'gemini',
  'hyperliquid',
  'kalshi',
  'limitless',
  'myriad',
  'novig',
  'opinion',
  'pascal',
  'polymarket',
  'polymarket_us',
  'pred',
  'predictfun',
  'predictstreet',
  'rain',
  'xo',
]

export const claims: Claims = {
  'README.md': [
    ['npm ci && npm run demo', printed],
    ['crossbook ready', printed],
    ['# the demo', printed],
    ['npm run lint', { ranBy: '.ci/run' }],
    ['schemas/', printed],
  ],
  'docs/accounts.md': [['npx crossbook accounts create', operators]],
  'docs/architecture.md': [['venue sockets, REST', drawing]],
  'docs/adding-a-venue.md': [
    ['src/venues/<venue>', { ranBy: 'test/conventions/venueSkeleton.test.ts' }],
    ['facts ─►', drawing],
    ['frame ─►', drawing],
    ['body ─►', drawing],
  ],
  'docs/arbitrage.md': [['# best rows first', printed]],
  'docs/backtests.md': [
    ['npx crossbook backtest', backtests],
    ['import type { StrategyContext }', backtests],
    ['from crossbook.models', { ranBy: 'test/endToEnd/clients/backtestPython.test.ts' }],
  ],
  'docs/bridge.md': [['export $(npx', printed]],
  'docs/bulk-orders.md': [
    ['POST /v1/exec/batch/build', asks],
    ['{"success":true', { answers: 'batchBuild' }],
  ],
  'docs/cluster.md': [
    ['npm run cluster', { ranBy: 'test/endToEnd/cluster/command.test.ts' }],
    ['CREATE ROLE', { ranBy: 'test/src/storage/postgres/documentedDatabase.test.ts' }],
    ['export KAFKA_BROKERS=', { ranBy: 'test/endToEnd/cluster/cluster.test.ts' }],
  ],
  'docs/coming-from-ccxt.md': [
    ['const url', testedByPmxtjs],
    ['// await kalshi', testedByPmxtjs],
  ],
  'docs/coming-from-pmxt.md': [
    ['import { Kalshi', testedByPmxtjs],
    ['import os', { ranBy: 'test/endToEnd/clients/pmxt.ts' }],
  ],
  'docs/conditional-orders.md': [
    ['build ─►', drawing],
    ['export WALLET_KEY', orders],
    ['POST /v1/exec/conditional ', asks],
    ['{"bookTime"', { answers: 'getConditional', within: ['data', 'triggerEvidence'] }],
    ['POST /v1/exec/conditional/bracket', asks],
    ['waiting ─the entry ended', drawing],
    ['POST /v1/exec/{venue}/orders/{executionId}/reservations', asks],
    ['npx crossbook conditional list', operators],
  ],
  'docs/decisions/0009-one-arbitrage-sequence.md': [[' compute A', drawing]],
  'docs/decisions/0020-venue-ownership.md': [[' free ──taken', drawing]],
  'docs/execution-algorithms.md': [
    ['POST /v1/exec/algorithms  ', asks],
    ['POST /v1/exec/algorithms\n', asks],
    ['running ──', drawing],
  ],
  'docs/errors.md': [['{"success":false', { refuses: true }]],
  'docs/feeds.md': [
    ['export $(npx', printed],
    ['{"op"', streams],
    ['{"type"', streams],
  ],
  'docs/history.md': [
    ['{"success":true,"asOf"', { answers: 'getHistoryCoverage' }],
    ['{"success":true,"data":[{"date"', { answers: 'listHistoryFiles' }],
    ['curl -sf -H', { ranBy: 'test/src/history/files.test.ts' }],
    ['{"op":"subscribeReplay"', streams],
  ],
  'docs/matching.md': [
    ['npx crossbook matches judgements', operators],
    ['POST /v1/matching/priceDifferences/review', asks],
    ['npx crossbook matches audit', operators],
    ['npm run eval:matching', operators],
  ],
  'docs/mcp.md': [['{ "mcpServers"', { ranBy: 'test/endToEnd/process/mcpTools.ts' }]],
  'docs/names.md': [['{"success":true', { answers: 'fetchOrderBook_get' }]],
  'docs/open-orders.md': [
    ['GET /v1/accounts', asks],
    ['export URL', orders],
  ],
  'docs/operations.md': [
    ['pg_dump', backup],
    ['pg_restore', backup],
    ['npx crossbook resume', backup],
  ],
  'docs/option-prices.md': [
    ['export $(npx', { ranBy: 'test/endToEnd/optionPrices.test.ts' }],
    ['{"op"', streams],
    ['{"type"', streams],
  ],
  'docs/pending-fills.md': [
    ['export KEY', printed],
    ['{"op"', streams],
    ['{"type":"subscribed"', streams],
    ['{"type":"trade"', streams],
  ],
  'docs/quick-start-history.md': [
    ['export URL', printed],
    ['curl -s -H "Authorization: Bearer $KEY" "$URL/v1/history/coverage', printed],
    ['curl -s -H "Authorization: Bearer $KEY" "$URL/v1/history/replay', printed],
    ['curl -s -H "Authorization: Bearer $KEY" "$URL/v1/history/files', printed],
  ],
  'docs/quick-start-stream.md': [
    ['export URL', printed],
    ['npx node', printed],
    ['{"type":"update"', streams],
    ['npx crossbook arb', printed],
  ],
  'docs/router.md': [
    ['POST /v1/router/plan ', asks],
    ['POST /v1/router/plan\n', asks],
    ['POST /v1/router/arbitrage/{clusterId}\n', asks],
    ['import { createClient, executeGroup', typescript],
  ],
  'docs/exposure.md': [['GET /v1/portfolio/exposure', asks]],
  'docs/reconciliation.md': [['POST /v1/portfolio/reconcile', asks]],
  'docs/portfolio.md': [
    ['GET /v1/portfolio/positions', asks],
    ['POST /v1/portfolio/imports', asks],
  ],
  'docs/quick-start-trading.md': [['export KEY', printed]],
  'docs/sports.md': [['export $(npx', { ranBy: 'test/endToEnd/sports.test.ts' }]],
  'docs/stream.md': [
    ['{"op"', streams],
    ['{"type"', streams],
  ],
  'docs/first-strategy.md': [['# a paper key', paper]],
  'docs/paper-fill-model.md': [['part ahead =', { shown: 'a formula' }]],
  'docs/paper-trading.md': [['npx crossbook keys create', operators]],
  'docs/risk-limits.md': [
    ['npx crossbook limits set', operators],
    ['GET /v1/admin/risk-limits', asks],
  ],
  'docs/structures.md': [['curl -s', printed]],
  'docs/trader-scores.md': [['edge =', { shown: 'a formula' }]],
  'docs/traders.md': [['export $(npx', printed]],
  'docs/trading.md': [
    ['POST /v1/exec/{venue}/orders/build ─►', drawing],
    ['POST /v1/exec/halt', asks],
    ['npx crossbook halt', operators],
    ['export URL', orders],
    ...lanesWithCommands.map((venue) => [`eval "$(npx node docs/examples/quote.mjs ${venue})"`, orders] as const),
    ['eval "$(npx node docs/examples/login.mjs sxbet)"', orders],
  ],
  'docs/venue-metrics.md': [
    ['GET /v1/venues/metrics', asks],
    ['export URL', orders],
  ],
  'docs/venues.md': [['npx crossbook keys create', operators]],
  'docs/webhooks.md': [
    ['POST /v1/webhooks', asks],
    ['PATCH /v1/webhooks', asks],
    ['Content-Type', { ranBy: 'test/src/platform/webhooks/signature.test.ts' }],
    ['import { Webhook }', { ranBy: 'test/src/platform/webhooks/signature.test.ts' }],
    ['const wanted', { ranBy: 'test/src/platform/webhooks/signature.test.ts' }],
  ],
  'sdk/python/README.md': [
    ['pip install', python],
    ['from crossbook import Crossbook', readmes],
    ['export CROSSBOOK_URL', python],
    ['async with', readmes],
    ['client.history.rows', readmes],
    ['from crossbook.signing', readmes],
    ['from crossbook.webhooks', readmes],
  ],
  'sdk/typescript/README.md': [
    ["import { createClient } from '@crossbook/client'\n\nconst client", typescript],
    ['npm run sdk:build', orders],
    ['import { ApiError', typescript],
    ["import { createClient } from '@crossbook/client'\n\nconst stream", typescript],
    ['import { createClient, type Signer', typescript],
    ['import { verifyWebhook', typescript],
  ],
  'lab/README.md': [['npx node lab/main.ts', { ranBy: 'test/lab/lab.test.ts' }]],
}
