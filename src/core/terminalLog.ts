// The log for people at a terminal: one short line per event, without stack traces. Programs get the JSON lines of log.ts.
import { createLog, type Log } from './log.ts'

const lengthMax = 160
const errorLevel = 50
const levels: Readonly<Record<number, string>> = { 40: 'warning: ', 50: 'error: ', 60: 'error: ' }

export interface TerminalLog {
  log: Log
  /** Called when the program serves: warnings are shown from now on. Returns how many were suppressed before. */
  started(): number
}

/**
 * While the program starts, its parts wait for each other and log warnings about it: only errors are shown. A line that repeats the
 * previous one is omitted.
 */
export function createTerminalLog(level: string, write: (text: string) => void): TerminalLog {
  let last = ''
  let isStarting = true
  let heldBack = 0
  const to = {
    write(line: string): void {
      const event = JSON.parse(line) as LogEvent
      if (isStarting && event.level < errorLevel) {
        heldBack++
        return
      }
      const text = terminalLine(event)
      if (text === last) return
      last = text
      write(`${text}\n`)
    },
  }
  return {
    log: createLog(level, to),
    started() {
      isStarting = false
      return heldBack
    },
  }
}

interface LogEvent {
  level: number
  venue?: string
  err?: { message?: string; detail?: string }
  msg?: string
}

function terminalLine({ level, venue, err, msg = '' }: LogEvent): string {
  const why = err?.detail ?? err?.message
  const text = `${levels[level] ?? ''}${venue === undefined ? '' : `${venue}: `}${msg}${why === undefined ? '' : ` (${why})`}`
  // Venue text may contain codes that a terminal obeys.
  const plain = text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return plain.length > lengthMax ? `${plain.slice(0, lengthMax - 1)}…` : plain
}
