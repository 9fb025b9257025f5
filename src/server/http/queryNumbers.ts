// Numbers in a query. Every route uses these, so that one text means the same everywhere.
import { z } from 'zod'
import { parseDecimalNumber } from '#core/parseDecimal'

const read = (value: unknown): unknown => (typeof value === 'string' ? (parseDecimalNumber(value) ?? value) : value)

const refused =
  (words: string) =>
  ({ code }: { code?: string }): string | undefined =>
    code === 'invalid_type' ? words : undefined

/** Inclusive `min` and `max`. Refused: `0x10`, `1e3`, `05`, ` 5`, an empty text, a repeated name. */
export const queryNumber = ({ min, max }: { min: number; max: number }) =>
  z.preprocess(
    read,
    z
      .number({ error: refused('must be one number in plain digits') })
      .min(min)
      .max(max),
  )

/** Like `queryNumber`, for integers. Without `max` any is accepted, for a route that caps the value itself. */
export const queryWhole = ({ min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number }) =>
  z.preprocess(
    read,
    z
      .int({ error: refused('must be one whole number in plain digits') })
      .min(min)
      .max(max),
  )

/** Page size: larger limits are capped at `max`. */
export const clampedLimit = (fallback: number, max: number) =>
  queryWhole({ min: 1 })
    .default(fallback)
    .transform((limit) => Math.min(limit, max))
