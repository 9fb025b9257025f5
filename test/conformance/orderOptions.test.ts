// What `GET /v1/exec/venues` states about an order's options, compared with the schema of the build body and with what is built.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { venueEntry } from '#orders/executions/listVenues'
import { laneCases } from '#test/support/laneCases'
import { buildOrder, createLaneWorld } from '#test/support/laneWorld'
import { sampleSettings } from '#test/support/sampleSettings'
import { type LaneVenue, lanes } from '#venues/registry'

function fieldsOf(body: z.ZodType): Readonly<Record<string, z.ZodType>> {
  if (body instanceof z.ZodObject) return body.shape
  // What it is parsed into.
  if (body instanceof z.ZodPipe) return fieldsOf(body.def.in as z.ZodType)
  throw new Error('a build body is not an object')
}
const accepts = (field: z.ZodType | undefined, value: unknown): boolean => field?.safeParse(value).success === true

const times = ['good-til-cancel', 'good-til-date', 'immediate-or-cancel', 'fill-or-kill'] as const

describe.each(Object.values(lanes).map((lane) => [lane.slug, lane] as const))('%s', (_, lane) => {
  const options = lane.orderOptions!
  const fields = fieldsOf(lane.order.body)

  it('lists its options where it takes orders', () => {
    expect(venueEntry(lane, true)).toMatchObject({ orderOptions: options })
    expect(venueEntry({ ...lane, settlementOnly: true }, true)).not.toHaveProperty('orderOptions')
  })

  it('lists the fields that its body has, and no others', () => {
    expect(options).toMatchObject({
      postOnly: accepts(fields.postOnly, true),
      reduceOnly: accepts(fields.reduceOnly, true),
      clientOrderId: 'clientOrderId' in fields,
      expiresAt: accepts(fields.expiresAt, 1_900_000_000),
    })
    const takesMarket = accepts(fields.type, 'market') || accepts(fields.action, 'market')
    expect(options.marketOrder !== null).toBe(takesMarket)
    if (options.marketOrder !== null) expect(fields).toHaveProperty(options.marketOrder)
  })

  it('lists every time in force that its body accepts', () => {
    expect(options.timeInForce.length).toBeGreaterThan(0)
    for (const time of times) if (accepts(fields.timeInForce, time)) expect(options.timeInForce).toContain(time)
    if (options.expiresAt) expect(options.timeInForce).toContain('good-til-date')
  })
})

describe.each(Object.entries(laneCases))('%s', (venue, { lane, made }) => {
  it('builds an order with one of the listed times in force', async () => {
    const urls = [...Object.keys(lane.urls), ...(lane.chain === undefined ? [] : ['RPC'])]
    const world = await createLaneWorld(venue, urls, sampleSettings(lane))
    try {
      world.outcomes.push(...made.rows)
      if (made.reads !== undefined) world.answer(made.reads)
      const described = lane.describe((await buildOrder(lane, world.context, made.order)).unsigned)
      expect(described.intent).toBe('order')
      if (described.intent === 'order')
        expect(lanes[venue as LaneVenue].orderOptions!.timeInForce).toContain(described.timeInForce)
    } finally {
      await world.close()
    }
  })
})
