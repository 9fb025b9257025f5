// The list of routes. A new route is one file in its feature and one line here; OpenAPI and the refusal tests follow automatically.

import { type AccountsDeps, getAccount, getAccountUsage, listAccountKeys } from '#accounts/index'
import { listStructures, type StructureRouteDeps } from '#arbitrage/routes/listStructures'
import { type BridgeRouteDeps, bridgeRoutes } from '#bridge/index'
import { type ConditionalRouteDeps, conditionalRoutes } from '#conditional/index'
import { type ExecutionsRouteDeps, executionRoutes } from '#executions/index'
import { type FeedsRouteDeps, feedRoutes } from '#feeds/index'
import { type FundingDeps, getSpotFundingSteps } from '#funding/index'
import { getHistoryCoverage } from '#history/routes/getHistoryCoverage'
import { downloadHistoryFile, listHistoryFiles } from '#history/routes/historyFiles'
import { replayArbitrage } from '#history/routes/replayArbitrage'
import { type HistoryDeps, replayHistory } from '#history/routes/replayHistory'
import { type MarketsDeps, marketRoutes } from '#markets/index'
import { listOpenOrders, type OpenOrdersRouteDeps } from '#openOrders/index'
import { type SportsRouteDeps, sportsRoutes } from '#sports/index'
import { type TradersRouteDeps, traderRoutes } from '#traders/index'
import { getVenueMetrics, type VenueMetricsRouteDeps } from '#venueMetrics/index'
import { type WebhooksRouteDeps, webhookRoutes } from '#webhooks/index'
import type { Route } from './defineRoute.ts'
import { getAsyncApi, getOpenApi } from './routes/getDocuments.ts'
import { getHealth } from './routes/getHealth.ts'
import { getIndex } from './routes/getIndex.ts'
import { getMetrics } from './routes/getMetrics.ts'
import { getReady } from './routes/getReady.ts'
import { getStatus } from './routes/getStatus.ts'
import type { SystemDeps } from './routes/ports.ts'

export type RouteDeps = SystemDeps &
  MarketsDeps &
  HistoryDeps &
  FundingDeps &
  ExecutionsRouteDeps &
  ConditionalRouteDeps &
  WebhooksRouteDeps &
  TradersRouteDeps &
  AccountsDeps &
  FeedsRouteDeps &
  OpenOrdersRouteDeps &
  VenueMetricsRouteDeps &
  BridgeRouteDeps &
  SportsRouteDeps &
  StructureRouteDeps

export const routes: readonly Route<RouteDeps>[] = [
  getIndex,
  getHealth,
  getReady,
  getMetrics,
  getStatus,
  getOpenApi(() => routes),
  getAsyncApi,
  ...marketRoutes,
  ...feedRoutes,
  replayHistory,
  replayArbitrage,
  getHistoryCoverage,
  listHistoryFiles,
  downloadHistoryFile,
  listStructures,
  getAccount,
  getAccountUsage,
  listAccountKeys,
  getSpotFundingSteps,
  ...executionRoutes,
  ...conditionalRoutes,
  ...webhookRoutes,
  ...traderRoutes,
  listOpenOrders,
  getVenueMetrics,
  ...bridgeRoutes,
  ...sportsRoutes,
]
