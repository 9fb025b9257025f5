// The id of a paper order in the form of its venue, so that the venue's own cancel and modify artifacts can name it. Derived from the
// execution: the same order always has the same id.
import { createHash } from 'node:crypto'
import type { PaperOrderId } from '#venues/lane'

/** Of 53 bits, which JavaScript numbers hold. */
const numberBits = 52n

export function paperOrderId(form: PaperOrderId, executionId: string): string {
  const hash = createHash('sha256').update(`crossbook paper order ${executionId}`).digest()
  switch (form) {
    case 'uuid':
      return executionId
    case 'hash':
      return `0x${hash.toString('hex')}`
    case 'number':
      // Never 0, and never longer than 16 digits.
      return ((hash.readBigUInt64BE(0) >> (64n - numberBits)) | 1n).toString()
  }
}
