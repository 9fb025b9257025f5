// Text of callers that others read.
import { z } from 'zod'

/** One line of plain text. A check and no pattern: Python's `re` does not know `\p{C}`, and the document is read there, too. */
export const plainLine = (lengthMax: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(lengthMax)
    .refine((text) => /^[^\p{C}]*$/u.test(text), 'must be one line of plain text')
