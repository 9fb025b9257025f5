import { expect, it } from 'vitest'
import { routes } from '#roles/routes'

it('a call costs one credit unless it is listed here', () => {
  const weights: Record<string, string[]> = {}
  for (const { operationId, access, served } of routes) {
    if (access === 'public' || access.credits === 1 || !served) continue
    weights[access.credits] ??= []
    weights[access.credits]!.push(operationId)
  }
  for (const names of Object.values(weights)) names.sort()
  expect(weights).toEqual({
    // State, and every call that cancels or returns something: an account without credits can still close its positions.
    0: [
      'batchSubmit',
      'cancelAlgorithm',
      'cancelAll',
      'cancelBracket',
      'cancelConditional',
      'cancelExecution',
      'cancelPaperOrder',
      'close',
      'createReservation',
      'deleteReservation',
      'deleteWebhook',
      'discardExecution',
      'getAccount',
      'getAccountUsage',
      'getCancelAfter',
      'getHalts',
      'getStatus',
      'haltTrading',
      'has',
      'listAccountKeys',
      'listFeeds',
      'listRiskLimits',
      'listVenues',
      'removeRiskLimit',
      'reportBridgePayment',
      'reportConditional',
      'resumeTrading',
      'scheduleVenueCancel',
      'setCancelAfter',
      'setRiskLimit',
      'submitExecution',
      'updateWebhook',
    ],
    2: [
      'armConditional',
      'batchBuild',
      'buildExecution',
      'closeRouterGroup',
      'compareFixture',
      'compareMarketPrices',
      'createAlgorithm',
      'createBracket',
      'fetchFeedTickers',
      'fetchHedges',
      'fetchMarketMatches',
      'fetchMatchedMarkets',
      'fetchMatchedPrices',
      'fetchMatches',
      'fetchOracleHistory',
      'fetchRelatedMarkets',
      'getHistoryCoverage',
      'getScoreLeaderboard',
      'getTraderLeaderboard',
      'getTraderWallet',
      'listOpenOrders',
      'listSmartMoney',
      'listStructures',
      'listTraderHolders',
      'listTraderTrades',
      'listWalletTrades',
      'modifyExecution',
      'replaceExecution',
      'routerArbitrage',
      'routerPlan',
      'routerStructure',
    ],
    5: ['fetchArbitrage', 'fetchEventMatches', 'fetchOrderBooks', 'getSportsScreen'],
    10: ['downloadHistoryFile', 'loadMarkets', 'replayArbitrage', 'replayHistory'],
  })
})
