// The CLOB's refusals and their meaning: {error}; an order refused in a 200 comes with its errorMsg.
// https://docs.polymarket.com/resources/error-codes
import type { LaneExecution, RelayOutcome } from '../../lane.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { type ErrorCodes, limitsRequests, outcomeOf, type Refusal } from '../../shared/exec/relay.ts'
import { ClobCanceled, ClobError, ClobPlaced } from './wire.ts'

/** The key was rejected, or belongs to another account. */
const aboutKey = /invalid api key|unauthorized|invalid L1 request|(owner|signer address) .*of the API KEY/i
/**
 * The texts that reject an order or a cancellation: documented, or reported by users of the venue's own clients, including the older symbolic
 * ones. Anything else in a 400 proves nothing: `Duplicated.` is about our own hash, `context canceled` and a delayed match about an order that
 * may rest.
 */
const aboutOrder = new RegExp(
  [
    '^invalid (order payload|signature|expiration|nonce|orderID)',
    'address (banned|in closed only mode)',
    '^order_version_mismatch',
    'is invalid\\. (price|size) \\(',
    'crosses (the )?book',
    'not enough balance',
    'order canceled in the CTF exchange contract',
    'market is not yet ready to process new orders',
    "couldn't be fully filled\\. FOK",
    'no orders found to match with FAK',
    'invalid amount for a marketable BUY order',
    '^invalid amounts, ',
    '^invalid fee rate',
    '^(maker|signer) address not allowed',
    'the orderbook .* does not exist',
    '^market .* is (closed|resolved|archived)',
    '^(the )?market is (closed|not accepting (new )?orders|not active|paused)',
    '^too many orders in payload',
    '^(INVALID_ORDER_(MIN_TICK_SIZE|MIN_SIZE|NOT_ENOUGH_BALANCE|EXPIRATION)|FOK_ORDER_NOT_FILLED_ERROR|MARKET_NOT_READY)',
  ].join('|'),
  'i',
)
/** The venue turns any "not found" into a 404: these two are about the order's market. */
const noMarket = /no orderbook exists|market not found/i
const notReady = /restart|^service not ready/i
/** The edge blocks regions in its own words; this is the API's. */
const blockedRegion = /^trading restricted in your region/i
const tooMany = /^too many requests$/i
const takesNone = 'polymarket takes no such orders now; nothing was placed'
const engineNotReady = 'the matching engine is not ready; nothing was placed'
/** A 503 proves nothing, unless the venue says that it takes no orders. */
const closedForOrders = /trading is currently (disabled|cancel-only)|post-only mode/i

/** Any other 403 comes from the edge in front of the venue. */
export const clobErrors: ErrorCodes = {
  alsoUnder: [425, 429, 503],
  refusal(body, status) {
    const parsed = ClobError.safeParse(body)
    if (!parsed.success) return null
    const { error: text } = parsed.data
    if (status === 400) return refusalOf(text)
    if (status === 401) return { means: aboutKey.test(text) ? 'credential' : 'unclear', text }
    if (status === 403) return { means: blockedRegion.test(text) ? 'order' : 'unclear', text }
    if (status === 404) return { means: noMarket.test(text) ? 'order' : 'unclear', text }
    if (status === 425 && notReady.test(text)) return { means: 'notLookedAt', text: engineNotReady }
    if (status === 429 && tooMany.test(text)) return { means: 'notLookedAt', text: limitsRequests }
    if (status === 503 && closedForOrders.test(text)) return { means: 'notLookedAt', text: takesNone }
    return { means: 'unclear', text }
  },
}

/** Accounts made since May 2026 trade through a deposit wallet. */
const otherWallet = /deposit wallet/i
const walletAdvice = 'build the order with signatureType 3 and your deposit wallet as funder'

function refusalOf(text: string): Refusal {
  if (aboutKey.test(text)) return { means: 'credential', text }
  if (!aboutOrder.test(text)) return { means: 'unclear', text }
  return { means: 'order', text: otherWallet.test(text) ? `${text}: ${walletAdvice}` : text }
}

export function acceptOrder(body: unknown, { terms }: LaneExecution): RelayOutcome | null {
  const answer = ClobPlaced.safeParse(body)
  if (!answer.success) return null
  const { success, orderID, errorMsg, makingAmount, takingAmount } = answer.data
  if (success && orderID) return filledSize(orderID, terms?.isBuy ? takingAmount : makingAmount, terms?.size)
  return errorMsg ? outcomeOf(refusalOf(errorMsg)) : null
}

export function acceptCancel(body: unknown, orderID: string): RelayOutcome | null {
  const answer = ClobCanceled.safeParse(body)
  if (!answer.success) return null
  const same = (id: string): boolean => id.toLowerCase() === orderID.toLowerCase()
  if (answer.data.canceled.some(same)) return filledSize(orderID)
  const [, reason] = Object.entries(answer.data.not_canceled ?? {}).find(([id]) => same(id)) ?? []
  return reason === undefined ? null : { kind: 'rejected', reason: reason || 'not canceled' }
}
