// What an order may state beyond price and size, in the same words at every venue: each lane declares what its venue takes, its build body has
// those fields, `describe` reads them back from the artifact, and its bounds hold them.
import { z } from 'zod'
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import { type JsonObject, SelfTradePrevention, TimeInForce } from '#schemas/executions'
import type { ExecutionVenue } from '#schemas/venues'
import type { OrderOptions } from '../../lane.ts'
import { Amount } from '../selector.ts'
import { ExpiresAt } from './walletBody.ts'

export type { OrderOptions }

export const ListedOptions = z
  .object({
    timeInForce: z.array(TimeInForce).describe('the first is the default; empty: it cannot be selected'),
    expiresAt: z.boolean(),
    market: z.boolean().describe('`type: market` with a worst price'),
    postOnly: z.boolean(),
    reduceOnly: z.boolean(),
    clientOrderId: z.string().nullable().describe('its form; null: none is taken from the caller'),
    selfTradePrevention: z.array(SelfTradePrevention),
  })
  .meta({ id: 'OrderOptions' })

export const listedOptions = (options: OrderOptions = {}): z.infer<typeof ListedOptions> => ({
  timeInForce: [...(options.timeInForce ?? [])],
  expiresAt: options.expiresAt === true,
  market: options.market === true,
  postOnly: options.postOnly === true,
  reduceOnly: options.reduceOnly === true,
  clientOrderId: options.clientOrderId ?? null,
  selfTradePrevention: [...(options.selfTradePrevention ?? [])],
})

/** Members of a build body; a lane takes those that it declares. */
export const optionFields = {
  type: z.enum(['limit', 'market']).optional(),
  /** Of a market order, which has no `price`. */
  worstPrice: Amount.optional(),
  expiresAt: ExpiresAt.optional(),
  postOnly: z.boolean().optional(),
  reduceOnly: z.boolean().optional(),
}

export const oneOfTimes = <const T extends readonly [TimeInForce, ...TimeInForce[]]>(values: T) =>
  z.enum(values).optional()

/** The fields of the build body that an option is in. */
const fieldsOf = {
  timeInForce: ['timeInForce'],
  expiresAt: ['expiresAt'],
  market: ['type', 'worstPrice'],
  postOnly: ['postOnly'],
  reduceOnly: ['reduceOnly'],
  clientOrderId: ['clientOrderId'],
  selfTradePrevention: ['selfTradePrevention'],
} as const satisfies Record<keyof OrderOptions, readonly string[]>

/** Before a body is parsed: its parser would call the field of another venue unknown. Throws VALIDATION_ERROR. */
export function checkSupportedOptions(
  { slug, orderOptions = {} }: { slug: ExecutionVenue; orderOptions?: OrderOptions },
  body: Readonly<Record<string, unknown>>,
): void {
  for (const [option, fields] of Object.entries(fieldsOf)) {
    const supported = orderOptions[option as keyof OrderOptions]
    const given = fields.find((field) => body[field] !== undefined)
    if (given === undefined) continue
    if (supported === undefined) {
      throw new Fault('VALIDATION_ERROR', `${given}: ${slug} does not take it; ${wordsOf(slug, orderOptions)}`)
    }
    const values: readonly unknown[] | null = Array.isArray(supported) ? supported : null
    if (values !== null && !values.includes(body[given])) {
      throw new Fault('VALIDATION_ERROR', `${given}: ${slug} takes ${values.join(', ')}`)
    }
  }
}

function wordsOf(slug: ExecutionVenue, options: OrderOptions): string {
  const words = Object.entries(options).map(([option, supported]) => {
    const fields = fieldsOf[option as keyof OrderOptions].join(' with ')
    return Array.isArray(supported) ? `${fields} (${supported.join(', ')})` : fields
  })
  return words.length === 0 ? `${slug} takes no order options` : `it takes ${words.join('; ')}`
}

interface Given {
  type?: 'limit' | 'market' | undefined
  price?: string | number | undefined
  worstPrice?: string | number | undefined
  timeInForce?: TimeInForce | undefined
  expiresAt?: number | undefined
  postOnly?: boolean | undefined
}

/** For `.superRefine`: fields that contradict each other. */
export function checkOptions(given: Given, { addIssue }: Pick<z.RefinementCtx, 'addIssue'>): void {
  const contradiction = contradictionIn(given)
  if (contradiction !== null) addIssue({ code: 'custom', path: [contradiction[0]], message: contradiction[1] })
}

function contradictionIn(given: Given): readonly [field: keyof Given, message: string] | null {
  const { type, price, worstPrice, timeInForce, expiresAt = 0, postOnly } = given
  const isMarket = type === 'market'
  if (isMarket && price !== undefined) return ['price', 'a market order has worstPrice instead']
  if (isMarket && worstPrice === undefined) return ['worstPrice', 'a market order needs one']
  if (!isMarket && worstPrice !== undefined) return ['worstPrice', 'belongs to type market; a limit order has price']
  if (!isMarket && price === undefined) return ['price', 'is missing']
  const rests = !isMarket && timeInForce !== 'immediate-or-cancel' && timeInForce !== 'fill-or-kill'
  if (isMarket && (timeInForce === 'good-til-cancel' || timeInForce === 'good-til-date')) {
    return ['timeInForce', 'a market order never rests']
  }
  if (postOnly === true && !rests) return ['postOnly', 'an order that never rests cannot be post-only']
  if (timeInForce === 'good-til-date' && expiresAt === 0) return ['expiresAt', 'good-til-date needs one']
  if (expiresAt !== 0 && (isMarket || (timeInForce !== undefined && timeInForce !== 'good-til-date'))) {
    return ['expiresAt', 'belongs to a good-til-date order']
  }
  return null
}

type TimeOf<G extends Given> = NonNullable<G['timeInForce']> | ('expiresAt' extends keyof G ? 'good-til-date' : never)

/** For `.transform`, after `checkOptions`: one price, and the time in force that follows from all fields. */
export function withOptions<G extends Given>(given: G) {
  const { type, price, worstPrice, timeInForce, expiresAt = 0, postOnly, ...rest } = given
  const usual: TimeInForce =
    type === 'market' ? 'immediate-or-cancel' : expiresAt === 0 ? 'good-til-cancel' : 'good-til-date'
  return {
    ...rest,
    price: (price ?? worstPrice)!,
    // A lane that takes neither a type nor an expiry has the first default alone.
    timeInForce: (timeInForce ?? usual) as TimeOf<G>,
    /** Unix seconds; 0: it does not expire. */
    expiresAt,
    postOnly: postOnly === true,
  }
}

/** `expiresAt`: Unix seconds, or 0, which needs no time. Throws VALIDATION_ERROR. */
export function checkExpiry(expiresAt: number, clock: Pick<Clock, 'now'>): void {
  if (expiresAt === 0 || expiresAt * 1_000 > clock.now()) return
  throw new Fault('VALIDATION_ERROR', 'expiresAt: is in the past')
}

/** The words of Polymarket's CLOB and those that follow it, by ours and the other way. */
export const clobWords = {
  'good-til-cancel': 'GTC',
  'good-til-date': 'GTD',
  'fill-or-kill': 'FOK',
  'immediate-or-cancel': 'FAK',
} as const satisfies Record<TimeInForce, string>
export const clobTimes = {
  GTC: 'good-til-cancel',
  GTD: 'good-til-date',
  FOK: 'fill-or-kill',
  FAK: 'immediate-or-cancel',
} as const

/** The options of an artifact, for its bounds and its description. */
export interface StatedOptions {
  timeInForce?: TimeInForce | undefined
  /** Unix seconds. */
  expiresAt?: number | undefined
  postOnly?: boolean | undefined
  reduceOnly?: boolean | undefined
  clientOrderId?: string | undefined
  selfTradePrevention?: SelfTradePrevention | undefined
}

/** For `boundsOf`. What is usual is left out: bounds of earlier builds do not hold it. */
export function heldOptions(stated: StatedOptions): JsonObject {
  const held = Object.entries(stated).filter(
    ([, value]) => value !== undefined && value !== false && value !== 0 && value !== 'good-til-cancel',
  )
  return held.length === 0 ? {} : { options: Object.fromEntries(held) as JsonObject }
}

/** The name of an option that differs from what was built; null for none. */
export function changedOption(found: unknown, held: unknown): string | null {
  const [now, then] = [found, held].map((options) => (options ?? {}) as Readonly<Record<string, unknown>>)
  // Builds from before client order ids were held have none.
  const names = Object.keys({ ...now, ...then }).filter((name) => name !== 'clientOrderId' || name in then!)
  return names.find((name) => now![name] !== then![name]) ?? null
}

/** For `describe`: the members that are left out unless the artifact states them. */
export const describedOptions = ({
  postOnly,
  reduceOnly,
  clientOrderId,
  selfTradePrevention,
}: Omit<StatedOptions, 'timeInForce' | 'expiresAt'>) => ({
  ...(postOnly === true && { postOnly }),
  ...(reduceOnly === true && { reduceOnly }),
  ...(clientOrderId !== undefined && { clientOrderId }),
  ...(selfTradePrevention !== undefined && { selfTradePrevention }),
})
