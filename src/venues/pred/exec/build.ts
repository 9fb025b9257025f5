// An order as unsigned typed data for its parent's own exchange. There is one book per market, of its long side: buying NO at p is short at 1 −
// p, and so is selling YES at 1 − p. How the venue offsets a short against a held long is undocumented, so a sale counts in full.
import { compareDecimals, subtractDecimals, toUnits } from '#core/decimal'
import type { Built, LaneContext } from '../../lane.ts'
import { checkAtMost, checkProbability, checkStep, decimalOf, invalid } from '../../shared/exec/amounts.ts'
import type { Hex } from '../../shared/exec/typedOrder.ts'
import { moneyAtRisk } from '../../shared/exposure.ts'
import { boundsOf } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { Facts } from './facts.ts'
import { chainIn, type OrderMessage, orderOn, signatureType } from './typedData.ts'

const platformKeyWarning =
  'pred gives access tokens to holders of its platform key: hosted submit of an order whose maker is your own Safe needs a token of that Safe, and may be refused'

const zeroAddress: Hex = `0x${'0'.repeat(40)}`
/** Of prices and quantities as signed. */
const decimals = 6

export function build({ randomBytes, settings }: LaneContext, body: OrderBody, facts: Facts): Built {
  const { marketId, outcomeId, side: outcomeSide, parentMarketId, questionId, exchange, tick } = facts
  const { isBuy, owner, signer } = body
  const price = decimalOf('price', body.price)
  checkProbability('price', price)
  const longPrice = outcomeSide === 'YES' ? price : subtractDecimals('1', price)
  checkStep('price', longPrice, tick, `must be a multiple of the market's tick ${tick}`)
  const size = readSize(body.size)
  const message: OrderMessage = {
    salt: saltOf(randomBytes(8)),
    maker: owner,
    signer,
    taker: zeroAddress,
    price: toUnits(longPrice, decimals).toString(),
    quantity: toUnits(size, decimals).toString(),
    expiration: '0',
    nonce: '0',
    questionId,
    feeRateBps: '0',
    intent: isBuy === (outcomeSide === 'YES') ? 0 : 1,
    signatureType,
  }
  const terms = { marketId, outcomeId, outcomeSide, isBuy, price, size }
  const unsigned = { ...orderOn(chainIn(settings)).unsigned(message, exchange), post: { parentMarketId } }
  return {
    unsigned,
    terms,
    notionalUsd: moneyAtRisk({ ...terms, closesOnly: false }),
    // Orders are signed with a rate of 0; whether that is all is undocumented.
    feeEstimate: null,
    bounds: { ...boundsOf(unsigned), tick: toUnits(tick, decimals).toString() },
    clientRef: message.salt,
    warnings: [platformKeyWarning],
    owner,
  }
}

/** "02" and ten digits, as an integer: the venue's idempotency key. */
const saltOf = (bytes: Uint8Array): string =>
  (20_000_000_000n + (Buffer.from(bytes).readBigUInt64BE(0) % 10_000_000_000n)).toString()

const sizeMin = '5'
/** Undocumented. */
const sizeMax = '1000000000'

function readSize(given: number | string): string {
  const size = decimalOf('size', given)
  checkAtMost('size', size, sizeMax)
  checkStep('size', size, '0.1', 'must have one decimal at most')
  if (compareDecimals(size, sizeMin) < 0) throw invalid('size', `pred takes ${sizeMin} shares at least`)
  return size
}
