// Connections to the engine inside this process. Each runs one statement at a time; callers that find none free wait in a bounded queue.
import { drainPending, Session } from 'chdb'
import { quoteName, SqlError } from './sql.ts'

/** Concurrent statements. Each occupies one thread of libuv's pool while the engine computes. */
export const sessionsMax = 6
/** Statements that may wait for a connection; beyond that the engine reports that it is too busy, as a server does. */
export const waitingMax = 256

/**
 * Shared by all connections. The engine checks its memory once a second; nothing here needs that more often. `BACKUP … TO File(…)` writes
 * to a separate folder, like a server's default.
 */
const engineOptions = { connectionArgs: ['--memory_worker_period_ms=1000', '--backups.allowed_path=backups'] }

/** Where names without a database are looked up if the caller names none. */
export const defaultDatabase = 'default'

export interface SessionPool {
  /** Names without a database are looked up in `database`, which must exist. */
  with<T>(database: string, run: (session: Session) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function openSessions(path: string): SessionPool {
  const free: Session[] = [new Session(path, engineOptions)]
  const waiting: ((session: Session) => void)[] = []
  /** The current database of each connection, where it is not the default. */
  const current = new WeakMap<Session, string>()
  let opened = 1
  let closed = false

  async function acquire(): Promise<Session> {
    if (closed) throw new SqlError(236, 'The engine is shutting down', 'ABORTED')
    const session = free.pop()
    if (session !== undefined) return session
    if (opened < sessionsMax) {
      opened += 1
      return new Session(path, engineOptions)
    }
    if (waiting.length >= waitingMax) {
      throw new SqlError(202, `Too many simultaneous queries. Maximum: ${waitingMax}`, 'TOO_MANY_SIMULTANEOUS_QUERIES')
    }
    return new Promise((resolve) => waiting.push(resolve))
  }

  function release(session: Session): void {
    const next = waiting.shift()
    if (next !== undefined) next(session)
    else if (closed) session.close()
    else free.push(session)
  }

  async function enter(session: Session, database: string): Promise<void> {
    if ((current.get(session) ?? defaultDatabase) === database) return
    await session.queryAsync(`USE ${quoteName(database)}`)
    current.set(session, database)
  }

  return {
    async with(database, run) {
      const session = await acquire()
      try {
        await enter(session, database)
        return await run(session)
      } finally {
        release(session)
      }
    },
    async close() {
      closed = true
      for (const session of free.splice(0)) session.close()
      await drainPending()
    },
  }
}
