// A pool whose process dies at a statement: before it is sent, or after the server has done it and before the answer arrives. The connection is
// lost with the process, so the server rolls back what was not committed.
import type { Pool, PoolClient } from '#storage/postgres/pool'

export class Crashed extends Error {
  constructor() {
    super('the process died')
    this.name = 'Crashed'
  }
}

/** `at`: counts statements of transactions from 1, before and after each; 0: never. */
export function crashingPool(pool: Pool, at: number): { pool: Pool; crashed(): boolean } {
  let moment = 0
  let dead = false
  const step = (): void => {
    moment++
    if (moment === at) dead = true
    if (dead) throw new Crashed()
  }
  const ask = async (run: () => Promise<unknown>): Promise<unknown> => {
    if (dead) throw new Crashed()
    step()
    const answer = await run()
    step()
    return answer
  }
  const connect = async (): Promise<PoolClient> => {
    if (dead) throw new Crashed()
    const client = await pool.connect()
    return new Proxy(client, {
      get(of, name) {
        if (name === 'query')
          return (...given: unknown[]) => ask(() => (of.query as (...all: unknown[]) => Promise<unknown>)(...given))
        if (name === 'release') return () => of.release(dead ? new Crashed() : undefined)
        const value = Reflect.get(of, name) as unknown
        return typeof value === 'function' ? value.bind(of) : value
      },
    })
  }
  const proxied = new Proxy(pool, {
    get(of, name) {
      if (name === 'connect') return connect
      const value = Reflect.get(of, name) as unknown
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
  return { pool: proxied, crashed: () => dead }
}
