// One logger. Structured lines on stderr, so that stdout carries only the lines a program may parse.
import { destination, type Logger, pino } from 'pino'

export type Log = Logger

/** Paths that must never be printed, wherever they turn up in a log line. */
const secretPaths = [
  'apiKey',
  'apiSecret',
  'secret',
  'secretKey',
  'privateKeyPem',
  'passphrase',
  'authorization',
  'accessToken',
]

export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: undefined,
      redact: { paths: secretPaths.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
    },
    destination({ fd: 2, sync: false }),
  )
}

/** For tests and tools that want no output. */
export const silentLog: Log = pino({ level: 'silent' })
