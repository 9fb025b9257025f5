// Rain's refusals are its contracts' errors: what a contract answers to a call if it were sent now, and the specification's code for it.
import { Fault } from '#core/fault'
import { CallReverted, type ChainBlock, type ChainNode } from '#net/chainNode'
import type { ErrorCode } from '#schemas/errors'
import { errorNameOf } from './contracts.ts'

export interface Refusal {
  /** Null for an unknown error, for example of its token, which requires an allowance. */
  name: string | null
  text: string
}

interface Call {
  from: string
  to: string
  data: string
}

/** Null: it would succeed. */
export async function simulateRevert(node: ChainNode, call: Call, { number }: ChainBlock): Promise<Refusal | null> {
  try {
    await node.call(call, number)
    return null
  } catch (error) {
    if (!(error instanceof CallReverted)) throw error
    return refusalOf(error)
  }
}

function refusalOf({ data, message }: CallReverted): Refusal {
  const name = errorNameOf(data)
  return { name, text: name ?? message }
}

type RainCode = Extract<ErrorCode, `RAIN_${string}`>

/** Errors that only a different order, or a different time, avoids. */
export const contractErrors: ReadonlyMap<string | null, RainCode> = new Map([
  ['InvalidOption', 'RAIN_INVALID_OPTION'],
  ['InvalidOptions', 'RAIN_INVALID_OPTION'],
  ['InvalidSide', 'RAIN_INVALID_SIDE'],
  ['InvalidPrice', 'RAIN_INVALID_PRICE'],
  ['InvalidAmount', 'RAIN_INVALID_AMOUNT'],
  ['AmountTooSmall', 'RAIN_INVALID_AMOUNT'],
  ['DeadlineExpired', 'RAIN_INVALID_DEADLINE'],
  ['OrderBookPhaseNotOpen', 'RAIN_PHASE_NOT_OPEN'],
  ['SaleNotLive', 'RAIN_PHASE_NOT_OPEN'],
  ['PoolClosed', 'RAIN_PHASE_NOT_OPEN'],
  ['InvalidPoolState', 'RAIN_PHASE_NOT_OPEN'],
  ['UserBuyOrderLimitReached', 'RAIN_ORDER_LIMIT_REACHED'],
  ['UserSellOrderLimitReached', 'RAIN_ORDER_LIMIT_REACHED'],
])

/** Throws when the contract refuses the order itself. What the wallet lacks it may still acquire: that is no reason. */
export function checkOrderTaken(refusal: Refusal | null): void {
  const code = refusal === null ? undefined : contractErrors.get(refusal.name)
  if (code !== undefined) throw new Fault(code, `the pool refuses it: ${refusal!.text}`, { exchange: 'rain' })
}

/** Throws when the contract refuses regardless of the wallet's holdings. */
export function checkDone(what: string, refusal: Refusal | null): void {
  if (refusal?.name == null) return
  throw new Fault('VALIDATION_ERROR', `${what}: the pool refuses it: ${refusal.name}`, { exchange: 'rain' })
}

/** Throws: a pool that does not quote does not trade immediately. */
export function notQuoted(error: unknown): never {
  if (!(error instanceof CallReverted)) throw error
  const { name, text } = refusalOf(error)
  const code = contractErrors.get(name) ?? 'RAIN_PHASE_NOT_OPEN'
  throw new Fault(code, `the pool quotes nothing now: ${text}`, { exchange: 'rain' })
}

/** A warning of a build that is allowed although the contract refuses it now. */
export const refusedNow = (refusal: Refusal | null): string[] =>
  refusal === null ? [] : [`sent now it would be refused (${refusal.text.slice(0, 100)})`]
