import { expect, it } from 'vitest'
import { systemClock } from '#core/clock'
import { Fault } from '#core/fault'
import { defaultPlans } from '#platform/plans/plans'
import { createRateLimiter } from '#platform/rateLimit/limiter'
import { defineRoute } from '#server/http/defineRoute'
import { createHttpHandler } from '#server/http/pipeline'
import { callOf, readAnswer } from './world.ts'

/** The log lines of a request whose stream fails after its first chunk. */
async function linesOf(failure: Error, { leaves = false }: { leaves?: boolean } = {}): Promise<unknown[]> {
  const lines: unknown[] = []
  const write = (level: string) => (fields: object, message: string) => void lines.push({ level, message, ...fields })
  const log = { error: write('error'), warn: write('warn'), info: write('info') }
  const leave = new AbortController()
  const route = defineRoute({
    operationId: 'readAll',
    method: 'get',
    path: '/all',
    access: 'public',
    summary: '',
    data: null,
    handle: () => ({
      raw: {
        contentType: 'application/x-ndjson',
        body: (async function* () {
          yield Buffer.from('a')
          if (leaves) leave.abort()
          throw failure
        })(),
      },
    }),
  })
  const handler = createHttpHandler([route], {
    verifier: { verify: () => ({ kind: 'invalid' }) },
    plans: defaultPlans,
    rateLimiter: createRateLimiter(systemClock),
    families: {},
    log: log as never,
    clock: systemClock,
  })
  const answer = await handler({ ...callOf('GET', '/all'), signal: leave.signal })
  await expect(readAnswer(answer)).rejects.toBe(failure)
  return lines.map((line) => ({ ...(line as object), requestId: undefined }))
}

it('logs the failure of a streamed response like any other failure', async () => {
  expect(await linesOf(new Error('a bug'))).toMatchObject([{ level: 'error', operationId: 'readAll', path: '/all' }])
  const cut = new Fault('HISTORY_UNAVAILABLE', 'ClickHouse is not available', { cause: new Error('aborted') })
  expect(await linesOf(cut)).toMatchObject([{ level: 'warn', code: 'HISTORY_UNAVAILABLE', err: cut.cause }])
})

it('does not log a reader that disconnects', async () => {
  expect(await linesOf(new Error('the source was closed'), { leaves: true })).toEqual([])
})
