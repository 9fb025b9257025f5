// The list of routes. A new route is a file in its feature (related operations may share one) and a line in the list that the feature's index.ts
// exports, or here if it exports none. A new feature also adds its dependencies to RouteDeps. OpenAPI and the refusal tests follow automatically.

import { listStructures, type StructureRouteDeps } from '#arbitrage/routes/listStructures'
import { getHistoryCoverage } from '#history/routes/getHistoryCoverage'
import { downloadHistoryFile, listHistoryFiles } from '#history/routes/historyFiles'
import { replayArbitrage } from '#history/routes/replayArbitrage'
import { type HistoryDeps, replayHistory } from '#history/routes/replayHistory'
import { type FeedsRouteDeps, feedRoutes } from '#marketData/feeds/index'
import { type MarketsDeps, marketRoutes } from '#marketData/markets/index'
import { getVenueMetrics, type VenueMetricsRouteDeps } from '#marketData/venueMetrics/index'
import { type MatchReviewRouteDeps, matchReviewRoutes } from '#matching/decide/review/index'
import { type AlgorithmRouteDeps, algorithmRoutes } from '#orders/algorithms/index'
import { type BridgeRouteDeps, bridgeRoutes } from '#orders/bridge/index'
import {
  type BracketRouteDeps,
  bracketRoutes,
  type ConditionalRouteDeps,
  conditionalRoutes,
} from '#orders/conditional/index'
import { type CancelAllRouteDeps, type ExecutionsRouteDeps, executionRoutes } from '#orders/executions/index'
import { type FundingDeps, getSpotFundingSteps } from '#orders/funding/index'
import { listOpenOrders, type OpenOrdersRouteDeps } from '#orders/openOrders/index'
import { type RiskRouteDeps, riskRoutes } from '#orders/risk/index'
import { type PaperRouteDeps, paperRoutes } from '#paper/index'
import { type AccountsDeps, getAccount, getAccountUsage, listAccountKeys } from '#platform/accounts/index'
import { type WebhooksRouteDeps, webhookRoutes } from '#platform/webhooks/index'
import { type ExposureRouteDeps, exposureRoutes } from '#portfolio/exposure/index'
import { type PortfolioRouteDeps, portfolioRoutes } from '#portfolio/index'
import { type ReconciliationRouteDeps, reconciliationRoutes } from '#portfolio/reconciliation/index'
import { redeemableRoutes } from '#portfolio/redeemable/index'
import { type RouterRouteDeps, routerRoutes } from '#router/index'
import type { Route } from '#server/http/defineRoute'
import { getAsyncApi, getOpenApi } from '#server/http/routes/getDocuments'
import { getHealth } from '#server/http/routes/getHealth'
import { getIndex } from '#server/http/routes/getIndex'
import { getMetrics } from '#server/http/routes/getMetrics'
import { getReady } from '#server/http/routes/getReady'
import { getStatus } from '#server/http/routes/getStatus'
import type { SystemDeps } from '#server/http/routes/ports'
import { type SportsRouteDeps, sportsRoutes } from '#sports/index'
import { type TradersRouteDeps, traderRoutes } from '#traders/index'

export type RouteDeps = SystemDeps &
  MarketsDeps &
  HistoryDeps &
  FundingDeps &
  ExecutionsRouteDeps &
  CancelAllRouteDeps &
  ConditionalRouteDeps &
  BracketRouteDeps &
  AlgorithmRouteDeps &
  RouterRouteDeps &
  WebhooksRouteDeps &
  TradersRouteDeps &
  AccountsDeps &
  FeedsRouteDeps &
  OpenOrdersRouteDeps &
  VenueMetricsRouteDeps &
  BridgeRouteDeps &
  SportsRouteDeps &
  StructureRouteDeps &
  MatchReviewRouteDeps &
  PortfolioRouteDeps &
  ReconciliationRouteDeps &
  ExposureRouteDeps &
  RiskRouteDeps &
  PaperRouteDeps

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
  ...bracketRoutes,
  ...algorithmRoutes,
  ...routerRoutes,
  ...webhookRoutes,
  ...traderRoutes,
  listOpenOrders,
  getVenueMetrics,
  ...bridgeRoutes,
  ...sportsRoutes,
  ...matchReviewRoutes,
  ...portfolioRoutes,
  ...reconciliationRoutes,
  ...redeemableRoutes,
  ...exposureRoutes,
  ...riskRoutes,
  ...paperRoutes,
]
