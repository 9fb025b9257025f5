// The only logger. Structured lines on stderr, so that stdout carries only the lines a program may parse.
import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino'
import { Fault } from './fault.ts'

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

/** An understood refusal needs no stack; anything else does. */
const serializeError = (error: unknown): unknown =>
  error instanceof Fault && error.code !== 'INTERNAL'
    ? { code: error.code, message: error.message, exchange: error.exchange, detail: error.detail }
    : stdSerializers.err(error as Error)

export function createLog(level: string, to: DestinationStream = destination({ fd: 2, sync: false })): Log {
  return pino(
    {
      level,
      base: undefined,
      serializers: { err: serializeError },
      redact: { paths: secretPaths.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
    },
    to,
  )
}

/** For tests and tools that want no output. */
export const silentLog: Log = pino({ level: 'silent' })
