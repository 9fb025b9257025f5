// The process of the embedded engine. It runs as long as the channel to its parent is open, even if the process group gets a signal: the
// parent flushes first and disconnects last.
//
//   parent ── start {path, port, password} ─►  ── ready {port} | failed {message} ─► … channel closes ─► directory released, exit 0
import { systemClock } from '#core/clock'
import type { EngineServer } from './server.ts'

export type EngineOrder = { kind: 'start'; path: string; port: number; password: string }
export type EngineReply = { kind: 'ready'; port: number } | { kind: 'failed'; message: string }

/** A statement that never ends must not keep the process alive: its client is gone by then. */
const closeDeadlineMs = 5_000

let server: EngineServer | undefined

const sendReply = (reply: EngineReply): void => {
  if (process.connected) process.send?.(reply)
}

process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
process.on('SIGHUP', () => undefined)
process.on('message', (order: EngineOrder) => {
  start(order).then(
    (started) => {
      server = started
      sendReply({ kind: 'ready', port: started.port })
    },
    (error: unknown) => sendReply({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  )
})
process.on('disconnect', () => {
  systemClock.after(closeDeadlineMs, () => process.exit(1))
  const closed = server === undefined ? Promise.resolve() : server.close()
  closed.then(
    () => process.exit(0),
    () => process.exit(1),
  )
})

/** The native library is loaded here rather than at the top, so that an unsupported platform is reported in a reply. */
async function start({ path, port, password }: EngineOrder): Promise<EngineServer> {
  const { startEngineServer } = await import('./server.ts')
  return startEngineServer({ path, port, password })
}
