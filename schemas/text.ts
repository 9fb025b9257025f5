// Free text from callers that is shown to others.
import { z } from 'zod'

/**
 * One line of plain text. A refinement rather than a pattern: Python's `re` has no `\p{C}`, and the document is read there too.
 */
export const singleLineText = (lengthMax: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(lengthMax)
    .refine((text) => /^[^\p{C}]*$/u.test(text), 'must be one line of plain text')
