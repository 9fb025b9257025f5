// Calls that are answered within the process.
import { expect, it } from 'vitest'
import { clientWith } from '#sdk/typescript/src/client'
import type { LocalAnswer, LocalRequest } from '#sdk/typescript/src/local'

const refusal = (code: string, retryable: boolean) => ({
  success: false,
  error: { code, message: 'not now', retryable, requestId: 'r' },
})

function clientOf(answers: LocalAnswer[]) {
  const requests: LocalRequest[] = []
  const waits: number[] = []
  const clock = {
    now: () => 0,
    after(ms: number, run: () => void) {
      waits.push(ms)
      queueMicrotask(run)
      return () => undefined
    },
  }
  const local = async (request: LocalRequest): Promise<LocalAnswer> => {
    requests.push(request)
    return answers.shift()!
  }
  const client = clientWith({ baseUrl: 'http://local', apiKey: 'k' }, { clock, random: () => 0, local })
  return { client, requests, waits }
}

it('passes the operation, its values and the key of the caller with every attempt, and returns the envelope as it is', async () => {
  const body = { success: true, data: [] }
  const busy = { status: 503, body: refusal('PAPER_NO_LIVE_BOOK', true) }
  const { client, requests, waits } = clientOf([busy, { status: 200, body }])
  const order = { outcome: 'A', isBuy: true, price: '0.5', size: 1 } as never
  const path = { venue: 'kalshi' }
  const answer = await client.api.buildExecution({ path, body: order }, { idempotencyKey: 'k1' })
  expect(answer).toBe(body)
  expect(waits).toHaveLength(1)
  expect(requests).toHaveLength(2)
  expect(requests[0]).toEqual({ name: 'buildExecution', params: { path, body: order }, key: 'k1' })
  expect(requests[1]).toEqual(requests[0])
})

it('throws a refusal as the error of the API', async () => {
  const { client } = clientOf([{ status: 409, body: refusal('PAPER_INSUFFICIENT_CASH', false) }])
  await expect(client.api.listPositions({ query: { venue: 'kalshi' } })).rejects.toMatchObject({
    name: 'ApiError',
    code: 'PAPER_INSUFFICIENT_CASH',
    status: 409,
  })
})
