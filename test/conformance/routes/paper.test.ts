// Routes that contact a venue for an account, or concern what is there: a paper account gets NOT_SUPPORTED from each, before anything is read.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { routes } from '#roles/routes'
import { paperAccountIdOf } from '#schemas/paper'
import { createWorld } from '#test/src/server/http/world'

const liveOnly = routes.filter((route) => route.liveOnly)

it('are these', () => {
  expect(liveOnly.map(({ operationId }) => operationId).toSorted()).toEqual([
    'createBridgeSession',
    'createPortfolioImport',
    'getBridgeSession',
    'getHyperliquidFundingSteps',
    'listOpenOrders',
    'quoteBridge',
    'reconcilePortfolio',
    'reportBridgePayment',
    'resolveExecution',
    'scheduleVenueCancel',
  ])
})

it.each(liveOnly.map((route) => [route.operationId, route] as const))('%s', async (_name, route) => {
  const world = createWorld({ families: { openOrders: true, bridge: true } })
  const accountId = paperAccountIdOf(randomUUID())
  world.verifications.next = {
    kind: 'valid',
    principal: { accountId, keyId: accountId, plan: 'enterprise', scopes: ['read', 'trade'] },
  }
  const path = route.path.replaceAll(/\{\w+\}/g, randomUUID())
  const method = route.methods[0]!
  const reply = method === 'get' ? await world.get(path) : await world.post(path, {})
  expect([reply.status, reply.json.error.code]).toEqual([501, 'NOT_SUPPORTED'])
})

/** Of a build. */
const built = ['PAPER_NO_LIVE_BOOK']
/** Of a check that an order could be sent now. */
const checked = ['PAPER_MARKET_CLOSED', 'PAPER_NO_LIVE_BOOK']

it('lists the refusals of the paper exchange at every route that a paper account can get them from', () => {
  const listed = routes.flatMap(({ operationId, errors }) => {
    const codes = errors.filter((code) => code.startsWith('PAPER_'))
    return codes.length === 0 ? [] : [[operationId, codes.toSorted()] as const]
  })
  expect(Object.fromEntries(listed)).toEqual({
    buildExecution: built,
    replaceExecution: built,
    createBracket: built,
    armConditional: checked,
    createAlgorithm: checked,
    submitExecution: [
      ...['PAPER_INSUFFICIENT_CASH', 'PAPER_MARKET_CLOSED', 'PAPER_NO_LIVE_BOOK', 'PAPER_ORDER_NOT_FOUND'],
      ...['PAPER_ORDER_NOT_OPEN', 'PAPER_POSITION_TOO_SMALL', 'PAPER_WORKING_ORDER_CAP'],
    ],
    getPaperOrder: ['PAPER_ORDER_NOT_FOUND'],
    cancelPaperOrder: ['PAPER_ORDER_NOT_FOUND', 'PAPER_ORDER_NOT_OPEN'],
  })
})
