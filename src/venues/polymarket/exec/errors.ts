// The CLOB's refusals and their meaning: {error}; an order refused in a 200 comes with its errorMsg.
// https://docs.polymarket.com/resources/error-codes
import type { LaneExecution, RelayOutcome } from '../../lane.ts'
import { errorTable, findRefusal } from '../../shared/exec/errorTable.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { limitsRequests, outcomeOf } from '../../shared/exec/relay.ts'
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
/** Accounts made since May 2026 trade through a deposit wallet. */
const otherWallet = /deposit wallet/i
const walletAdvice = 'build the order with signatureType 3 and your deposit wallet as funder'

/** Any other 403 comes from the edge in front of the venue. */
export const clobErrors = errorTable({
  alsoUnder: [425, 429, 503],
  read(body) {
    const { data } = ClobError.safeParse(body)
    return data === undefined ? null : { text: data.error }
  },
  rows: [
    { status: [400, 401], text: aboutKey, means: 'credential' },
    {
      status: [400],
      text: (text) => aboutOrder.test(text) && otherWallet.test(text),
      means: 'order',
      shownAs: `{text}: ${walletAdvice}`,
    },
    { status: [400], text: aboutOrder, means: 'order' },
    // The edge blocks regions in its own words; this is the API's.
    { status: [403], text: /^trading restricted in your region/i, means: 'order' },
    // The venue turns any "not found" into a 404: these two are about the order's market.
    { status: [404], text: /no orderbook exists|market not found/i, means: 'order' },
    {
      status: [425],
      text: /restart|^service not ready/i,
      means: 'notLookedAt',
      shownAs: 'the matching engine is not ready; nothing was placed',
    },
    { status: [429], text: /^too many requests$/i, means: 'notLookedAt', shownAs: limitsRequests },
    // A 503 proves nothing, unless the venue says that it takes no orders.
    {
      status: [503],
      text: /trading is currently (disabled|cancel-only)|post-only mode/i,
      means: 'notLookedAt',
      shownAs: 'polymarket takes no such orders now; nothing was placed',
    },
  ],
})

export function acceptOrder(body: unknown, { terms }: LaneExecution): RelayOutcome | null {
  const answer = ClobPlaced.safeParse(body)
  if (!answer.success) return null
  const { success, orderID, errorMsg, makingAmount, takingAmount } = answer.data
  if (success && orderID) return filledSize(orderID, terms?.isBuy ? takingAmount : makingAmount, terms?.size)
  const refusal = errorMsg ? findRefusal(clobErrors.rows, { text: errorMsg }, 400) : null
  return refusal === null ? null : outcomeOf(refusal)
}

export function acceptCancel(body: unknown, orderID: string): RelayOutcome | null {
  const answer = ClobCanceled.safeParse(body)
  if (!answer.success) return null
  const same = (id: string): boolean => id.toLowerCase() === orderID.toLowerCase()
  if (answer.data.canceled.some(same)) return filledSize(orderID)
  const [, reason] = Object.entries(answer.data.not_canceled ?? {}).find(([id]) => same(id)) ?? []
  return reason === undefined ? null : { kind: 'rejected', reason: reason || 'not canceled' }
}
