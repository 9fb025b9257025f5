// SX Bet's refusals of reads and their meaning: {error, message, statusCode}, as ccxt 4.5.84 reads them.
import { z } from 'zod'
import { errorTable } from '../../shared/exec/errorTable.ts'

const ErrorBody = z.object({
  error: z.string(),
  message: z.union([z.string(), z.array(z.string()).transform((all) => all.join('; '))]),
  statusCode: z.int(),
})

export const sxbetErrors = errorTable({
  alsoUnder: [],
  read(body, status) {
    const { data: error } = ErrorBody.safeParse(body)
    return error?.statusCode === status ? { text: error.message } : null
  },
  rows: [
    { text: /^(BAD_AUTH|INVALID_USER)\b/, means: 'credential' },
    { text: /^order not found$/i, means: 'order' },
  ],
  unlisted: null,
})
