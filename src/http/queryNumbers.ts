// Numbers in a query. Every route reads them with these, so that one text means the same everywhere.
import { z } from 'zod'
import { plainNumber } from '#lib/plainNumber'

const read = (value: unknown): unknown => (typeof value === 'string' ? (plainNumber(value) ?? value) : value)

const refused =
  (words: string) =>
  ({ code }: { code?: string }): string | undefined =>
    code === 'invalid_type' ? words : undefined

/** `min` and `max` are let in. Refused: `0x10`, `1e3`, `05`, ` 5`, an empty text, the same name twice. */
export const queryNumber = ({ min, max }: { min: number; max: number }) =>
  z.preprocess(
    read,
    z
      .number({ error: refused('must be one number in plain digits') })
      .min(min)
      .max(max),
  )

/** As `queryNumber`, without a fraction. Without `max` any is let in, for a route that serves less than it is asked for. */
export const queryWhole = ({ min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number }) =>
  z.preprocess(
    read,
    z
      .int({ error: refused('must be one whole number in plain digits') })
      .min(min)
      .max(max),
  )

/** How many rows a page has: larger wishes are served as `max`. */
export const clampedLimit = (fallback: number, max: number) =>
  queryWhole({ min: 1 })
    .default(fallback)
    .transform((limit) => Math.min(limit, max))
