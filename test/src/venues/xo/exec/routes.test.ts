// A build-only lane through the whole core.
import { expect, it } from 'vitest'
import { posterOf } from '#test/support/execution/labTable'
import { executionSuite, refused } from '#test/support/execution/suite'
import { xoLane as lane } from '#venues/xo/exec/index'
import { buy, createWorld } from './world.ts'

const suite = executionSuite()

it('an order is built and stored; undocumented operations return 501', async () => {
  const here = await createWorld()
  try {
    const world = await suite.worldOf({
      lanes: [lane],
      clock: here.clock,
      contextOf: (signal) => ({ ...here.context, signal }),
    })
    const post = posterOf(world, 'xo')
    const preview = await post('build', { ...buy, dryRun: true }, 'p')
    expect(preview.json.data, preview.text).toMatchObject({ status: 'built', feeEstimate: null, notionalUsd: 11.7824 })
    const built = await post('build', buy, 'b')
    expect(built.json.data, built.text).toMatchObject({ status: 'built', venue: 'xo', submittedArtifact: null })
    const { executionId: id } = built.json.data
    expect((await post('build', buy, 'b')).json.data.executionId).toBe(id)
    for (const signatureType of [1, 2]) {
      expect(refused(await post('build', { ...buy, signatureType }, `t${signatureType}`))).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
    }
    const why = /^xo has no [\w ]+: XO does not document how/
    for (const reply of [
      await post(`${id}/submit`, {}, 's'),
      await post(`${id}/refresh`, {}),
      await post(`${id}/cancel`, {}, 'c'),
      await post(`${id}/modify`, {}, 'm'),
      await post('build', { ...buy, intent: 'redeem' }, 'r'),
    ]) {
      expect(refused(reply)).toEqual([501, 'NOT_IMPLEMENTED'])
      expect(reply.json.error.message).toMatch(why)
    }
    const [listed] = (await world.world.get('/v1/exec/venues')).json.data
    expect(listed).toMatchObject({
      venue: 'xo',
      armed: true,
      buildsOnly: expect.stringMatching(/^XO does not document how/),
      verbs: { build: true, dryRun: true, submit: false, refresh: false, cancel: false, modify: false, redeem: false },
      credentials: { submit: [], refresh: [] },
    })
    const { status, json } = await world.world.get(`/v1/exec/executions/${id}`)
    expect([status, json.data.status]).toEqual([200, 'built'])
    expect(here.seen).toEqual([])
  } finally {
    await here.close()
  }
})

it('rejects a text of any length without parsing it', () => {
  for (const field of ['asset', 'outcome', 'price', 'size', 'owner', 'outcomeSide', 'signatureType']) {
    for (const text of ['9', 'a', `0.${'3'.repeat(9)}`, '-'].map((part) => part.repeat(60_000))) {
      expect([field, lane.order.body.safeParse({ ...buy, [field]: text }).success]).toEqual([field, false])
    }
  }
})
