// Prices of options without an order book, as streamed.
import { z } from 'zod'

export const OptionPrice = z
  .object({
    /** The venue's index of the choice; null when it has none. */
    choiceIndex: z.number().int().nullable(),
    label: z.string().nullable(),
    /** Probability. */
    price01: z.number().min(0).max(1),
    /** As the venue wrote it: a contract's integer in decimal digits, or the text of its row. */
    rawPrice: z.string().nullable(),
  })
  .meta({ id: 'OptionPrice' })
export type OptionPrice = z.infer<typeof OptionPrice>

/** The log that caused the prices. */
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
    /** Null: read without a triggering log, initially or on a re-read. */
    triggeredBy: PriceTrigger.nullable(),
    /** When the prices were valid: the time of the block they were read at; for a row, when it was read. */
    asOfISO: z.iso.datetime(),
  })
  .meta({ id: 'OptionPriceData' })
export type OptionPriceData = z.infer<typeof OptionPriceData>
