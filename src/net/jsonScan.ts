// Bounds what a venue's JSON may cost before it is parsed. A parser reads flat text fast, but seventeen megabytes of brackets hold the event
// loop for more than a second. Scanned piece by piece as the answer arrives, so that a hostile one is cut off while it is still being sent.

/** Real answers have fewer than ten levels. */
export const answerDepthMax = 64
/** The largest real pages have some 100,000 values. */
export const answerValuesMax = 500_000

/** A text or number, or white space, in one piece. The longest real texts have some ten thousand bytes. */
export const answerTokenBytesMax = 1024 * 1024

/** Of a socket's frame, which is parsed in one go: 33,000 levels, some 80 on each side of 200 books. */
export const frameValuesMax = 100_000
/** Whatever a shorter text holds is parsed within some ten milliseconds. */
const scannedFromChars = 64 * 1024

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

  /** Bytes since the last quote, comma or bracket. */
  private token = 0
  private readonly valuesMax: number

  constructor(valuesMax = answerValuesMax) {
    this.valuesMax = valuesMax
  }

  /** Throws AnswerTooComplex. */
  take(piece: Uint8Array): void {
    const { valuesMax } = this
    let { depth, values, inString } = this
    let tokenFrom = -this.token
    const endToken = (at: number): void => {
      if (at - tokenFrom > answerTokenBytesMax)
        throw new AnswerTooComplex(`a text or number of more than ${answerTokenBytesMax} bytes`)
      tokenFrom = at + 1
    }
    let at = this.escaped ? 1 : 0
    for (; at < piece.length; at++) {
      const byte = piece[at]!
      if (inString) {
        if (byte === BACKSLASH) at++
        else if (byte === QUOTE) {
          inString = false
          endToken(at)
        }
      } else if (byte === QUOTE) {
        inString = true
        endToken(at)
      } else if (byte === COMMA) {
        if (++values > valuesMax) throw tooMany(valuesMax)
        endToken(at)
      } else if (byte === 0x7b || byte === 0x5b) {
        if (++values > valuesMax) throw tooMany(valuesMax)
        endToken(at)
        if (++depth > answerDepthMax) throw new AnswerTooComplex(`nested deeper than ${answerDepthMax} levels`)
      } else if (byte === 0x7d || byte === 0x5d) depth--
    }
    this.token = piece.length - tokenFrom
    if (this.token > answerTokenBytesMax) endToken(piece.length)
    this.escaped = at > piece.length
    this.depth = depth
    this.values = values
    this.inString = inString
  }
}

const tooMany = (valuesMax: number): AnswerTooComplex => new AnswerTooComplex(`more than ${valuesMax} values`)

/** For text that is parsed in one go: refuses what would hold the event loop. Throws AnswerTooComplex. */
export function checkComplexity(text: string, valuesMax: number): void {
  if (text.length > scannedFromChars) new JsonScan(valuesMax).take(Buffer.from(text))
}

/** The value of a socket's text frame. Throws SyntaxError and AnswerTooComplex. */
export function parseFrameJson(text: string): unknown {
  checkComplexity(text, frameValuesMax)
  return JSON.parse(text)
}
