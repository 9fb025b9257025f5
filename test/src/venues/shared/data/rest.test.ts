// What a 404 means: for a single object it is unknown; for a list, or in the format of a web framework, the address is not served.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { answeringVenue } from '#test/support/answeringVenue'
import { byCursor } from '#venues/shared/data/pages'
import { read, readKnown } from '#venues/shared/data/rest'

const body = z.object({ id: z.string() })
const fault = { code: 'NETWORK_ERROR' }
const answering = (answer: unknown) => {
  const venue = answeringVenue('polymarket', ['REST'])
  venue.answer = () => ({ status: 404, body: answer })
  return venue.context
}

describe('a 404', () => {
  it('of a single object means that the venue does not know it', async () => {
    for (const answerBody of [{ error: 'market not found' }, 'Not Found', {}, null])
      expect(await read(answering(answerBody), { path: '/markets/1', body })).toBeNull()
  })

  it.each([
    [{ statusCode: 404, message: 'Cannot GET /v1/markets/1', error: 'Not Found' }],
    ['404 page not found'],
    [{ message: 'no Route matched with those values' }],
    [{ error: 'Endpoint not found' }],
    [{ detail: 'The path was not found' }],
  ])('of a web framework is a fault: %j', async (answerBody) => {
    await expect(read(answering(answerBody), { path: '/v1/markets/1', body })).rejects.toMatchObject(fault)
    const isUnknown = ({ status }: { status: number }) => status === 404
    await expect(read(answering(answerBody), { path: '/v1/markets/1', body, isUnknown })).rejects.toMatchObject(fault)
  })

  it('of a list is a fault, whatever its body', async () => {
    for (const answerBody of [{ error: 'not found' }, {}, null])
      await expect(readKnown(answering(answerBody), { path: '/markets', body })).rejects.toMatchObject(fault)
  })

  it('of a later page is a fault, because the list exists', async () => {
    const { context } = answeringVenue('polymarket', ['REST'])
    const walked = byCursor<{ rows: unknown[]; next: string }>(context, {
      list: 'markets',
      read: async (cursor) => (cursor === undefined ? { rows: [{ id: 1 }], next: 'c' } : null),
      rowsOf: ({ rows }) => rows,
      cursorOf: ({ next }) => next,
    })
    const rows: unknown[] = []
    const walk = async () => {
      for await (const page of walked) rows.push(...page)
    }
    await expect(walk()).rejects.toMatchObject(fault)
    expect(rows).toEqual([{ id: 1 }])
  })
})
