import { expect, it } from 'vitest'
import { executionOf, submit } from '#test/support/laneWorld'
import { polymarketLane as lane } from '#venues/polymarket/exec/index'
import { credentials, laneSuite, market, owner, tokens } from './world.ts'

const here = laneSuite()

it('positions of protocol 2 cannot be redeemed at the protocol 1 adapter', async () => {
  here.world.outcomes.splice(0, here.world.outcomes.length, ...market(false, 'resolved', 'v2'))
  const body = lane.redeem!.body.parse({ outcome: '512345', owner })
  await expect(lane.redeem!.build(here.world.context, body as never)).rejects.toMatchObject({ code: 'NOT_IMPLEMENTED' })
})

it('redeem uses the adapter of the market’s kind, once the market no longer trades', async () => {
  const redeem = (body: unknown) => lane.redeem!.build(here.world.context, lane.redeem!.body.parse(body) as never)
  await expect(redeem({ outcome: '512345', owner })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  for (const [negRisk, to] of [
    [false, '0xAdA100Db00Ca00073811820692005400218FcE1f'],
    [true, '0xadA2005600Dec949baf300f4C6120000bDB6eAab'],
  ] as const) {
    here.world.outcomes.splice(0, here.world.outcomes.length, ...market(negRisk, 'resolved'))
    const built = await redeem({ outcome: '512345', owner })
    lane.checkBounds(built.unsigned, built.bounds)
    expect(built.unsigned).toMatchObject({ to, value: '0', chainId: 137 })
    expect(built.warnings.join()).toContain(to)
    const data = String(built.unsigned.data)
    const [word] = data.slice(10).match(/.{64}/)!
    for (const wrong of [
      { to: '0x4D97DCd97eC945f40cF65F87097ACe5EA0476045' },
      { to: negRisk ? '0xAdA100Db00Ca00073811820692005400218FcE1f' : '0xadA2005600Dec949baf300f4C6120000bDB6eAab' },
      { data: data.replace('ab'.repeat(32), 'cd'.repeat(32)) },
      { data: data.replace(word, '2791bca1f2de4661ed88a30c99a7a9449aa84174'.padStart(64, '0')) },
      { data: `${data}${'0'.repeat(64)}` },
      { data: data.slice(0, -64) },
      { value: '1' },
      { chainId: 1 },
      { more: 1 },
    ]) {
      expect(() => lane.checkBounds({ ...built.unsigned, ...wrong } as never, built.bounds)).toThrowError(
        expect.objectContaining({ code: 'ARTIFACT_BOUNDS_VIOLATION' }),
      )
    }
    const execution = executionOf(built, {}, 'redeem')
    await expect(submit(lane, here.world.context, execution, credentials)).rejects.toMatchObject({
      code: 'NOT_IMPLEMENTED',
    })
  }
})

it('reads the market from the venue if it still trades in the catalog', async () => {
  const body = lane.redeem!.body.parse({ outcome: '512345', owner }) as never
  const context = (status: 'active' | 'resolved') => ({
    ...here.world.context,
    catalog: { ...here.world.context.catalog, current: async () => market(false, status)[0]!.market },
  })
  await expect(lane.redeem!.build(context('active'), body)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect((await lane.redeem!.build(context('resolved'), body)).unsigned).toMatchObject({ value: '0' })
})

it('warns when redeeming the losing side', async () => {
  const rows = market(false, 'resolved').map((row, at) => ({
    ...row,
    outcome: { ...row.outcome, price: at === 0 ? 1 : 0 },
  }))
  here.world.outcomes.splice(0, here.world.outcomes.length, ...rows)
  const warnings = async (body: object) =>
    (await lane.redeem!.build(here.world.context, lane.redeem!.body.parse({ ...body, owner }) as never)).warnings
  const lost = 'the outcome that this names lost: its tokens pay nothing'
  expect(await warnings({ outcome: '512345', outcomeSide: 'NO' })).toContain(lost)
  expect(await warnings({ asset: tokens[1] })).toContain(lost)
  expect(await warnings({ outcome: '512345', outcomeSide: 'YES' })).not.toContain(lost)
  expect(await warnings({ outcome: '512345' })).not.toContain(lost)
})

it('redeem accepts a market or one of its outcomes, and no credentials', async () => {
  here.world.outcomes.splice(0, here.world.outcomes.length, ...market(false, 'resolved'))
  const redeem = async (body: unknown) =>
    (await lane.redeem!.build(here.world.context, lane.redeem!.body.parse(body) as never)).unsigned
  const whole = await redeem({ outcome: '512345', owner })
  expect(await redeem({ outcome: '512345', outcomeSide: 'NO', owner })).toEqual(whole)
  expect(await redeem({ asset: tokens[1], owner })).toEqual(whole)
  for (const body of [
    { outcome: '512345' },
    { owner },
    { asset: tokens[1], outcome: '512345', owner },
    { asset: tokens[1], outcomeSide: 'NO', owner },
    { outcome: '512345', owner, privateKey: 'x' },
  ]) {
    await expect(redeem(body)).rejects.toThrow()
  }
})
