// Bounds what a venue's JSON may cost before it is parsed. A parser reads flat text fast, but seventeen megabytes of brackets hold the event
// loop for more than a second. Scanned piece by piece as the answer arrives, so that a hostile one is cut off while it is still being sent.

/** Real answers have fewer than ten levels. */
export const answerDepthMax = 64
/** The largest real pages have some 100,000 values; half a million take a parser some 100 ms. */
export const answerValuesMax = 500_000

export class AnswerTooComplex extends Error {}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

export class JsonScan {
  private depth = 0
  private values = 0
  private inString = false
  /** The piece before ended with a backslash. */
  private escaped = false

  /** Throws AnswerTooComplex. */
  take(piece: Uint8Array): void {
    let { depth, values, inString } = this
    let at = this.escaped ? 1 : 0
    for (; at < piece.length; at++) {
      const byte = piece[at]!
      if (inString) {
        if (byte === BACKSLASH) at++
        else if (byte === QUOTE) inString = false
      } else if (byte === QUOTE) inString = true
      else if (byte === COMMA) values++
      else if (byte === 0x7b || byte === 0x5b) {
        values++
        if (++depth > answerDepthMax) throw new AnswerTooComplex(`nested deeper than ${answerDepthMax} levels`)
      } else if (byte === 0x7d || byte === 0x5d) depth--
    }
    if (values > answerValuesMax) throw new AnswerTooComplex(`more than ${answerValuesMax} values`)
    this.escaped = at > piece.length
    this.depth = depth
    this.values = values
    this.inString = inString
  }
}
