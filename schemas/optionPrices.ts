// Prices of options that no order book makes, as the stream tells them.
import { z } from 'zod'

export const OptionPrice = z
  .object({
    /** As the venue counts its choices; null: it does not. */
    choiceIndex: z.number().int().nullable(),
    label: z.string().nullable(),
    /** Probability. */
    price01: z.number().min(0).max(1),
    /** As the venue wrote it: a contract's integer in decimal digits, or the text of its row. */
    rawPrice: z.string().nullable(),
  })
  .meta({ id: 'OptionPrice' })
export type OptionPrice = z.infer<typeof OptionPrice>

/** The log that made the prices what they are. */
export const PriceTrigger = z
  .object({
    eventName: z.string().nullable(),
    transactionHash: z.string().nullable(),
    blockNumber: z.number().int().nullable(),
    logIndex: z.number().int().nullable(),
  })
  .meta({ id: 'PriceTrigger' })
export type PriceTrigger = z.infer<typeof PriceTrigger>

/** `data` of a `price` frame. */
export const OptionPriceData = z
  .object({
    provider: z.string(),
    marketId: z.string(),
    marketAddress: z.string(),
    prices: z.array(OptionPrice),
    /** Null: read without a log that would have caused it, at first or once more. */
    triggeredBy: PriceTrigger.nullable(),
    /** When the prices stood so: the time of the block that they were read at; of a row, when it was read. */
    asOfISO: z.iso.datetime(),
  })
  .meta({ id: 'OptionPriceData' })
export type OptionPriceData = z.infer<typeof OptionPriceData>
