// The scope that every route with an effect requires: a new route is added here by hand, after considering its scope.
import { expect, it } from 'vitest'
import { routes } from '#roles/routes'

/**
 * `read and trade`: `read`, and also `trade` if the endpoint has events about orders (test/src/platform/webhooks/care.test.ts). The bridge moves no
 * money itself: its sessions are paid by the caller's wallet.
 */
const scopes: Readonly<Record<string, 'trade' | 'read' | 'read and trade' | 'review' | 'admin'>> = {
  getHyperliquidFundingSteps: 'trade',
  buildExecution: 'trade',
  submitExecution: 'trade',
  refreshExecution: 'trade',
  resolveExecution: 'trade',
  cancelExecution: 'trade',
  discardExecution: 'trade',
  modifyExecution: 'trade',
  createReservation: 'trade',
  deleteReservation: 'trade',
  haltTrading: 'trade',
  resumeTrading: 'trade',
  batchBuild: 'trade',
  batchSubmit: 'trade',
  cancelAll: 'trade',
  replaceExecution: 'trade',
  setCancelAfter: 'trade',
  scheduleVenueCancel: 'trade',
  armConditional: 'trade',
  cancelConditional: 'trade',
  createBracket: 'trade',
  cancelBracket: 'trade',
  createAlgorithm: 'trade',
  cancelAlgorithm: 'trade',
  routerPlan: 'trade',
  routerArbitrage: 'trade',
  routerStructure: 'trade',
  closeRouterGroup: 'trade',
  resetPaperAccount: 'trade',
  depositPaperCash: 'trade',
  cancelPaperOrder: 'trade',
  reportConditional: 'trade',
  createPortfolioImport: 'trade',
  createWebhook: 'read and trade',
  updateWebhook: 'read and trade',
  deleteWebhook: 'read and trade',
  rotateWebhookSecret: 'read and trade',
  testWebhook: 'read and trade',
  resendWebhookDelivery: 'read and trade',
  quoteBridge: 'read',
  createBridgeSession: 'read',
  reportBridgePayment: 'read',
  decideTemplatePair: 'review',
  withdrawTemplateDecision: 'review',
  importTemplateDecisions: 'review',
  reviewPriceDifference: 'review',
  reconcilePortfolio: 'trade',
  setRiskLimit: 'admin',
  removeRiskLimit: 'admin',
}

/** Reads can also be called by POST; those have no effect. */
const isRead = ({ methods }: (typeof routes)[number]): boolean => methods.includes('get')

it('every route with an effect requires the scope listed for it, and no other route is listed', () => {
  const found = routes
    .filter((route) => !isRead(route))
    .map(({ operationId, access }) => [operationId, access === 'public' ? 'public' : access.scope])
  const listed = Object.entries(scopes).map(([operationId, scope]) => [
    operationId,
    scope === 'read and trade' ? 'read' : scope,
  ])
  expect(found.toSorted()).toEqual(listed.toSorted())
})
