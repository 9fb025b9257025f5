// A contract's answer to a call if it were sent now, by its own errors.
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

/** Only a different order, or a different time, helps here. */
const codes: ReadonlyMap<string | null, RainCode> = new Map([
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
  const code = refusal === null ? undefined : codes.get(refusal.name)
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
  const code = codes.get(name) ?? 'RAIN_PHASE_NOT_OPEN'
  throw new Fault(code, `the pool quotes nothing now: ${text}`, { exchange: 'rain' })
}
