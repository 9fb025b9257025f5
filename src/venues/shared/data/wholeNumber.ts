// A whole number that a row cannot do without: an id, a time, an index.
import { z } from 'zod'

/** Also as text, which is the same number. */
export const WholeNumber = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d{1,16}$/)
      .transform(Number),
  ])
  .pipe(z.number().int())
