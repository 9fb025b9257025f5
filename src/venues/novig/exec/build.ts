// An order as the body to send. Every order is a purchase: selling an outcome at p is buying the other of the two at 1 − p.
import { compareDecimals, isOnStep, multiplyDecimals, subtractDecimals } from '#core/decimal'
import type { Built, LaneContext } from '../../lane.ts'
import { checkAtMost, checkBetween, checkStep, decimalOf } from '../../shared/exec/amounts.ts'
import { moneyAtRisk } from '../../shared/exposure.ts'
import { boundsOf, type OrderArtifact, priceStep } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { Facts } from './facts.ts'

const words = { 'good-til-cancel': 'GTC', 'fill-or-kill': 'FOK', 'immediate-or-cancel': 'IOC' } as const

export function build({ randomBytes }: LaneContext, body: OrderBody, facts: Facts): Built {
  const { marketId, outcomeId, otherId, side: outcomeSide } = facts
  const { isBuy } = body
  const price = readPrice(body.price)
  const size = readSize(body.size)
  const unsigned: OrderArtifact = {
    outcomeId: isBuy ? outcomeId : otherId,
    price: Number(isBuy ? price : subtractDecimals('1', price)),
    qty: Number(multiplyDecimals(size, centsPerContract)),
    currency: 'CASH',
    tif: words[body.timeInForce],
    flags: newFlags(randomBytes(8)),
  }
  const terms = { marketId, outcomeId, outcomeSide, isBuy, price, size }
  return {
    unsigned,
    terms,
    // The venue equates its CASH with dollars.
    notionalUsd: moneyAtRisk({ ...terms, closesOnly: false }),
    feeEstimate: null,
    bounds: boundsOf(unsigned),
    clientRef: unsigned.flags,
    warnings: warningsOf(price),
    owner: null,
  }
}

const centsPerContract = '100'
const sizeStep = '0.01'
const sizeMax = '1000000000'

/** The venue's list of prices requires a token: it is held when the order is sent (grid.ts). */
function readPrice(given: number | string): string {
  const price = decimalOf('price', given)
  checkBetween('price', price, priceStep, subtractDecimals('1', priceStep))
  checkStep('price', price, priceStep)
  return price
}

const wideStep = '0.005'

/** Steps as documented since June 2026; the list decides. */
function warningsOf(price: string): string[] {
  const isWide = compareDecimals(price, '0.05') > 0 && compareDecimals(price, '0.95') < 0
  if (!isWide || isOnStep(price, wideStep)) return []
  return [
    `price: the venue documents steps of ${wideStep} between 0.05 and 0.95; its list of prices decides when the order is sent`,
  ]
}

function readSize(given: number | string): string {
  const size = decimalOf('size', given)
  checkAtMost('size', size, sizeMax)
  checkBetween('size', size, sizeStep, sizeMax)
  checkStep('size', size, sizeStep)
  return size
}

const letters = '0123456789abcdefghijklmnopqrstuv'
/** Forty random bits. */
const newFlags = (bytes: Uint8Array): string => Array.from(bytes, (byte) => letters[byte % 32]).join('')
