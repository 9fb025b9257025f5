// Work that blocks forever at one of its awaits. Every await that leaves the process is a place: each statement, `BEGIN` and `COMMIT`
// included, each request to a venue; before it is sent and after its response.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Pool } from '#storage/postgres/pool'

interface CrashPlan {
  /** 1 is before the first await that leaves the process; 0 is never. */
  stopAt: number
  passed: number
  onStop(label: string): void
}

const running = new AsyncLocalStorage<CrashPlan>()

/** `dies` is called with the place where it blocked. */
export const mortally = <T>(stopAt: number, onStop: (label: string) => void, work: () => T): T =>
  running.run({ stopAt, passed: 0, onStop }, work)

/** Pipelined statements after the blocked one are not sent either, so a BEGIN alone never remains. */
async function point(label: string): Promise<void> {
  const job = running.getStore()
  if (job === undefined || job.stopAt === 0) return
  const place = ++job.passed
  if (place < job.stopAt) return
  if (place === job.stopAt) job.onStop(label)
  await new Promise(() => undefined)
}

export const around =
  <Given extends unknown[], Result>(label: (...given: Given) => string, work: (...given: Given) => Promise<Result>) =>
  async (...given: Given): Promise<Result> => {
    await point(`before ${label(...given)}`)
    const result = await work(...given)
    await point(`after ${label(...given)}`)
    return result
  }

const statement = (query: unknown): string =>
  String((query as { text?: string }).text ?? query)
    .trim()
    .replace(/\s+/g, ' ')
    .slice(0, 40)

/** The object itself, except for the given methods. */
const wrap = <T extends object>(target: T, methods: Partial<T>): T =>
  new Proxy(target, {
    get(object, name) {
      const own = (methods as Record<PropertyKey, unknown>)[name] ?? Reflect.get(object, name)
      return typeof own === 'function' ? own.bind(object) : own
    },
  })

export const mortalPool = (pool: Pool): Pool =>
  wrap(pool, {
    query: around(statement, pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>),
    connect: async () => {
      const client = await pool.connect()
      return wrap(client, {
        query: around(statement, client.query.bind(client) as (...given: unknown[]) => Promise<unknown>),
      } as never)
    },
  } as never)
