import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { conventionOf } from '#marketData/markets/routes/callingConvention'

const schema = z.object({ limit: z.number().int().optional(), price: z.number().optional() })
const { fromQuery } = conventionOf([], schema)

describe('a number in the query of a verb', () => {
  it.each([['5'], ['0'], ['-2'], ['0.25']])('accepts %s', (text) =>
    expect(fromQuery({ price: text })).toEqual({ price: Number(text) }),
  )

  it.each([[''], ['0x10'], ['1e3'], [' 5'], ['5 '], ['05'], ['five']])(
    'keeps %j as text, which is rejected',
    (text) => {
      expect(fromQuery({ limit: text })).toEqual({ limit: text })
      expect(schema.safeParse(fromQuery({ limit: text })).success).toBe(false)
    },
  )
})
