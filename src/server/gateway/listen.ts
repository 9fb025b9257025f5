// Exclusive use of a port. By default the library shares a port with any program that asks to, and the kernel silently gives each half of the
// connections.
import { connect, createServer } from 'node:net'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { pause } from '#core/pause'
import { listenExclusive, type TemplatedApp, type us_listen_socket } from './uws.ts'

/** The kernel keeps connections that this machine closed for a minute, and the library cannot take the port before they are gone. */
const lingerMs = 65_000
const tryAgainMs = 250
/** A listener whose full queue accepts no connection still counts as one. */
const lookMs = 1_000

/** Throws a readable message with the obstacle. A port on which only closed connections of an earlier run linger is awaited. */
export async function bindPort(
  app: TemplatedApp,
  { host, port }: { host: string; port: number },
  { clock, log }: { clock: Clock; log: Log },
): Promise<us_listen_socket> {
  const givenUpAt = clock.monotonic() + lingerMs
  for (let attempt = 0; ; attempt++) {
    const socket = await listenExclusive(app, host, port)
    if (socket !== false) return socket
    const obstacle = await obstacleAt(host, port)
    const lingers = obstacle === 'EADDRINUSE' && !(await isPortTaken(host, port, clock))
    if (!lingers || clock.monotonic() >= givenUpAt)
      throw new Error(`cannot listen on ${host}:${port}: ${sentences[obstacle] ?? obstacle} (see PORT and HOST)`)
    if (attempt === 0)
      log.warn(
        { host, port },
        'closed connections of an earlier run linger on the port: waiting up to a minute for them to close',
      )
    await pause(clock, tryAgainMs)
  }
}

const sentences: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses the port',
  EADDRNOTAVAIL: 'the address does not belong to this machine',
  EACCES: 'this user may not use that port',
  ENOTFOUND: 'there is no such host',
}

/** The library does not report the reason; Node does. */
function obstacleAt(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const look = createServer()
    look.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    // Free by now.
    look.listen({ host, port, exclusive: true }, () => look.close(() => resolve('EADDRINUSE')))
  })
}

function isPortTaken(host: string, port: number, clock: Clock): Promise<boolean> {
  const here = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return new Promise((resolve) => {
    const look = connect({ host: here, port })
    const answer = (there: boolean): void => {
      late.cancel()
      look.destroy()
      resolve(there)
    }
    const late = clock.after(lookMs, () => answer(true))
    look.once('connect', () => answer(true))
    look.once('error', () => answer(false))
  })
}
