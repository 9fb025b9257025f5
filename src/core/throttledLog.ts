// Rate-limited warnings of something that may fail a thousand times a second: each text at most once per period, with how often it
// was suppressed.
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

const quietMs = 10_000
/** Texts remembered; they are constants of the program, so this only guards against a mistake. */
const textsMax = 100

export class ThrottledLog {
  private readonly lastLogged = new Map<string, { at: number; leftOut: number }>()
  private readonly log: Log
  private readonly clock: Clock

  constructor(log: Log, clock: Clock) {
    this.log = log
    this.clock = clock
  }

  /** `text` names the kind of event; variable parts belong in `fields`. */
  warn(fields: object, text: string): void {
    const now = this.clock.monotonic()
    const last = this.lastLogged.get(text)
    if (last !== undefined && now - last.at < quietMs) {
      last.leftOut++
      return
    }
    if (last === undefined && this.lastLogged.size >= textsMax) return
    this.lastLogged.set(text, { at: now, leftOut: 0 })
    this.log.warn(last === undefined || last.leftOut === 0 ? fields : { ...fields, leftOut: last.leftOut }, text)
  }
}
