// An echoed build: the caller had the venue's own client build an order, and sends it along with the selectors. That order then is the
// artifact, including its salt, so that a signature over it is valid. It must match the selectors; what it pays may be less.
import { z } from 'zod'
import { compareDecimals, fromUnits, multiplyDecimals, toUnits } from '#core/decimal'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import { invalid } from './amounts.ts'
import { CtfMessage } from './ctfOrder.ts'
import { Address } from './walletBody.ts'

const digits = z.union([z.number().int().nonnegative(), z.string().max(78)]).transform(String)
const small = z.union([z.number(), z.string().max(2)]).transform(Number)

/** The twelve members; numbers may be numbers or text. */
export const EchoedOrder = z
  .strictObject({
    salt: digits,
    maker: Address,
    signer: Address,
    taker: z.string().max(42),
    tokenId: digits,
    makerAmount: digits,
    takerAmount: digits,
    expiration: digits,
    nonce: digits,
    feeRateBps: digits,
    side: small,
    signatureType: small,
  })
  .transform((order): unknown => order)
  .pipe(CtfMessage)

export interface Echoed<T> {
  /** As the caller sent it; kept with the execution. */
  given: JsonObject
  read: T
}

/** `shape` must be strict: whatever it accepts is stored. */
export const verifyEcho = <S extends z.ZodType>(shape: S) =>
  z
    .custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
    .transform((given, context): Echoed<z.output<S>> => {
      const parsed = shape.safeParse(given)
      if (parsed.success) return { given, read: parsed.data }
      for (const { path, message } of parsed.error.issues) {
        context.addIssue({ code: 'custom', path, message: message.slice(0, 200) })
      }
      return z.NEVER
    })

/** `name`: the value given twice. */
export const contradicts = (name: string): Fault =>
  new Fault('ARTIFACT_BOUNDS_VIOLATION', `buildResult says another ${name} than the body`)

type Same = 'maker' | 'signer' | 'tokenId' | 'side' | 'signatureType' | 'feeRateBps'

/** What an echoed order must match, decimal strings. `decimals`: of cash and of shares. */
export interface Wanted extends Pick<CtfMessage, Same> {
  price: string
  size: string
  decimals: number
  nowMs: number
}

const same: readonly Same[] = ['maker', 'signer', 'tokenId', 'side', 'signatureType', 'feeRateBps']
const priceDecimals = 18

/** Returns the order's own size, decimal string of shares. Throws ARTIFACT_BOUNDS_VIOLATION, or VALIDATION_ERROR if it has expired. */
export function checkEchoed(message: CtfMessage, { price, size, decimals, nowMs, ...wanted }: Wanted): string {
  for (const name of same) if (message[name] !== wanted[name]) throw contradicts(name)
  const amounts = [BigInt(message.makerAmount), BigInt(message.takerAmount)] as const
  const [cash, shares] = message.side === 0 ? amounts : amounts.toReversed()
  const unit = 10n ** BigInt(priceDecimals)
  if (cash === 0n || cash * unit !== shares * toUnits(price, priceDecimals)) throw contradicts('price')
  const own = fromUnits(shares, decimals)
  if (compareDecimals(own, size) > 0) throw contradicts('size')
  if (message.expiration !== '0' && compareDecimals(multiplyDecimals(message.expiration, '1000'), String(nowMs)) <= 0) {
    throw invalid('buildResult', 'has expired')
  }
  return own
}
