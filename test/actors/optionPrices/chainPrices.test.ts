// Prices read from a chain that trades, reorganizes and becomes unavailable: published prices follow the chain, and one read serves all
// subscribers.
import { expect, it } from 'vitest'
import { createPrng } from '#lab/prng'
import { confirmations, createWorld, pool, type World } from './world.ts'

const isLong = process.env.CROSSBOOK_TEST_LONG === '1'

/** The current position of a transaction's first log. */
function triggerOf({ chain }: World, hash: string) {
  const { block } = chain.find(hash)!
  const row = chain.logs(block.number, block.number, () => true).find(({ transaction }) => transaction.hash === hash)!
  return { eventName: 'Traded', transactionHash: hash, blockNumber: block.number, logIndex: row.index }
}

async function openWorld(...prices: number[]): Promise<World> {
  const world = createWorld()
  for (const [n, price] of prices.entries()) world.prices.set(String(n), price)
  for (let n = 0; n < 20; n++) world.chain.mine()
  return world
}

it('publishes a first price without a cause, and sends it to a later subscriber immediately without another read', async () => {
  const world = await openWorld(0.4)
  const first = world.listen(0)
  expect(first.received).toEqual([])
  await world.turn(0)
  const { number, timestamp } = world.chain.head
  const prices = [{ choiceIndex: 1, label: 'Yes', price01: 0.4, rawPrice: null }]
  expect(first.received).toEqual([{ prices, triggeredBy: null, asOfMs: timestamp * 1_000 }])
  expect(world.reads).toEqual([{ keys: ['0'], at: number }])
  const others = Array.from({ length: 50 }, () => world.listen(0))
  expect(others.every(({ received }) => received[0] === first.received[0])).toBe(true)
  await world.turn()
  // Nothing has happened: no message and no read.
  expect([first.received.length, world.reads.length, world.reader.watched]).toEqual([1, 1, 1])
})

it('publishes the price of a log together with the log, also when the price is unchanged', async () => {
  const world = await openWorld(0.4, 0.7)
  const [first, second] = [world.listen(0), world.listen(1)]
  await world.turn(0)
  const { hash } = world.trade(0, 0.45)
  world.chain.mine()
  await world.turn()
  expect(first.received).toHaveLength(2)
  expect(first.last()).toMatchObject({ prices: [{ price01: 0.45 }], triggeredBy: triggerOf(world, hash) })
  expect(second.received).toHaveLength(1)
  expect(world.reads.at(-1)).toEqual({ keys: ['0'], at: world.chain.head.number })
  const again = world.trade(0, 0.45)
  world.chain.mine()
  await world.turn()
  expect(first.last().triggeredBy?.transactionHash).toBe(again.hash)
  // A later subscriber gets the cause, too.
  expect(world.listen(0).received[0]).toBe(first.last())
})

it('handles a burst of logs with one poll, one read, and one frame per pool with the last of its logs', async () => {
  const world = await openWorld(0.4, 0.7)
  const [first, second] = [world.listen(0), world.listen(1)]
  await world.turn(0)
  world.calls.clear()
  let last = { hash: '' }
  for (let n = 0; n < 400; n++) {
    last = world.trade(0, n / 1_000)
    if (n === 3) world.trade(1, 0.6)
    if (n % 50 === 0) world.chain.mine()
  }
  world.chain.mine()
  await world.turn()
  expect([first.received.length, second.received.length, world.reads.length]).toEqual([2, 2, 2])
  expect(first.last()).toMatchObject({ prices: [{ price01: 0.399 }], triggeredBy: triggerOf(world, last.hash) })
  expect(Object.fromEntries(world.calls)).toEqual({ eth_getBlockByNumber: 1, eth_getLogs: 1 })
})

it('withdraws the price that a log caused when the log leaves the chain', async () => {
  const world = await openWorld(0.4)
  const listener = world.listen(0)
  await world.turn(0)
  const { hash } = world.trade(0, 0.9)
  world.chain.mine()
  await world.turn()
  expect(listener.last().triggeredBy?.transactionHash).toBe(hash)
  world.chain.reorganise(2, () => false)
  world.prices.set('0', 0.4)
  await world.turn()
  expect(listener.last()).toMatchObject({ prices: [{ price01: 0.4 }], triggeredBy: null })
  expect(listener.received).toHaveLength(3)
})

it('names the new block when a log comes back in another one', async () => {
  const world = await openWorld(0.4)
  const listener = world.listen(0)
  await world.turn(0)
  const earlier = world.trade(0, 0.5)
  world.chain.mine()
  const { hash } = world.trade(0, 0.9)
  world.chain.mine()
  world.chain.mine()
  await world.turn()
  const before = listener.last().triggeredBy!
  world.chain.reorganise(2, () => true)
  world.chain.mine()
  await world.turn()
  expect(listener.last().triggeredBy).toEqual(triggerOf(world, hash))
  // In another block, or at the same number of another branch: published again in both cases.
  expect(listener.received).toHaveLength(3)
  // The log before it becomes the cause once this one is gone for good.
  world.chain.reorganise(4, (transaction) => transaction.hash !== hash)
  world.prices.set('0', 0.5)
  await world.turn()
  expect(listener.last().triggeredBy).toEqual(triggerOf(world, earlier.hash))
  expect(before.transactionHash).toBe(hash)
})

it('publishes nothing while no node responds, not even old prices to new subscribers, and catches up afterwards', async () => {
  const world = await openWorld(0.4)
  const listener = world.listen(0)
  await world.turn(0)
  world.away = true
  const { hash } = world.trade(0, 0.6)
  world.chain.mine()
  for (let n = 0; n < 6; n++) await world.turn()
  const late = world.listen(0)
  expect([listener.received.length, late.received.length]).toEqual([1, 0])
  world.away = false
  for (let n = 0; n < 100; n++) world.chain.mine()
  await world.turn()
  expect(listener.last()).toMatchObject({ prices: [{ price01: 0.6 }], triggeredBy: triggerOf(world, hash) })
  expect(late.received).toEqual([listener.last()])
})

it('repeats a read that failed after its logs were read, so that no log is lost', async () => {
  const world = await openWorld(0.4)
  const listener = world.listen(0)
  await world.turn(0)
  const { hash } = world.trade(0, 0.6)
  world.chain.mine()
  world.faults.falsifiers = new Map([['eth_getLogs', () => 'nothing']])
  await world.turn()
  expect(listener.received).toHaveLength(1)
  world.faults.falsifiers = new Map()
  await world.turn()
  expect(listener.last().triggeredBy?.transactionHash).toBe(hash)
})

it('starts over after an absence longer than its look-back, and publishes a change without a cause', async () => {
  const world = await openWorld(0.4, 0.7)
  const [first, second] = [world.listen(0), world.listen(1)]
  await world.turn(0)
  world.trade(0, 0.6)
  for (let n = 0; n < 1_500; n++) world.chain.mine()
  await world.turn()
  expect(first.last()).toMatchObject({ prices: [{ price01: 0.6 }], triggeredBy: null })
  expect(second.received).toHaveLength(1)
})

it('finds a change without a log within a minute, and publishes it without a cause', async () => {
  const world = await openWorld(0.4)
  const listener = world.listen(0)
  await world.turn(0)
  world.trade(0, 0.4)
  world.chain.mine()
  await world.turn()
  world.prices.set('0', 0.41)
  for (let n = 0; n < 19; n++) await world.turn()
  expect(listener.received).toHaveLength(2)
  await world.turn()
  // The previous log is not the cause.
  expect(listener.last()).toMatchObject({ prices: [{ price01: 0.41 }], triggeredBy: null })
  expect(world.reads).toHaveLength(3)
})

it('ignores a node that is behind, and accepts one that stays behind after a minute', async () => {
  const world = await openWorld(0.4)
  const listener = world.listen(0)
  await world.turn(0)
  world.faults.behind = 3
  world.prices.set('0', 0.3)
  for (let n = 0; n < 20; n++) await world.turn()
  expect(listener.received).toHaveLength(1)
  for (let n = 0; n < 2; n++) await world.turn()
  expect(listener.last()).toMatchObject({ prices: [{ price01: 0.3 }], triggeredBy: null })
})

it('publishes nothing for a pool that the contract does not price', async () => {
  const world = await openWorld()
  const listener = world.listen(0)
  for (let n = 0; n < 3; n++) await world.turn()
  expect(listener.received).toEqual([])
  expect(world.reads).toHaveLength(1)
})

it('sends no request without subscribers, and drops what was known', async () => {
  const world = await openWorld(0.4)
  const listener = world.listen(0)
  await world.turn(0)
  listener.end()
  listener.end()
  world.calls.clear()
  for (let n = 0; n < 3; n++) await world.turn()
  expect([world.calls.size, world.reader.watched, world.clock.pendingCount]).toEqual([0, 0, 0])
  const next = world.listen(0)
  expect(next.received).toEqual([])
  await world.turn(0)
  expect(next.received).toHaveLength(1)
  world.reader.stop()
  expect(world.clock.pendingCount).toBe(0)
})

it('rereads a pool whose catalog row changed, and sends new subscribers no outcomes that have ended', async () => {
  const world = await openWorld(0.4)
  world.listen(0)
  await world.turn(0)
  const received: unknown[] = []
  world.reader.watch({ ...pool(0), choices: [] }, (prices) => received.push(prices))
  await world.turn()
  expect([received, world.reads.length]).toEqual([[], 2])
})

it('limits the number of watched pools', async () => {
  const world = await openWorld()
  for (let n = 0; n < 200; n++) world.listen(n)
  expect([world.reader.hasCapacity(pool(7)), world.reader.hasCapacity(pool(200))]).toEqual([true, false])
})

it('ends with a price whose log is on the chain, however often the chain reorganizes', async () => {
  for (let seed = 0; seed < (isLong ? 200 : 10); seed++) {
    const world = createWorld(`chain ${seed}`, { reorganises: 0.2, depthMax: confirmations - 1 })
    const random = createPrng(`trades ${seed}`)
    for (const n of [0, 1, 2]) world.prices.set(String(n), 0.5)
    const listeners = [0, 1, 2].map((n) => world.listen(n))
    for (let n = 0; n < 150; n++) {
      if (random.chance(0.5)) world.trade(random.int(3), random.int(1_000) / 1_000)
      world.chain.mine()
      if (!random.chance(0.3)) continue
      world.away = random.chance(0.1)
      await world.turn()
      if (world.away) continue
      for (const { received } of listeners) {
        const hash = received.at(-1)?.triggeredBy?.transactionHash
        if (hash != null) expect(received.at(-1)!.triggeredBy).toEqual(triggerOf(world, hash))
      }
    }
  }
})
