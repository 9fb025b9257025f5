// The channel on real sockets: access, acknowledgement, snapshot, changes, and the end of a subscription.
import { afterEach, expect, it } from 'vitest'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { portfolioChannel } from '#portfolio/stream/channel'
import { createPortfolioFeed } from '#portfolio/stream/feed'
import { PortfolioFrame } from '#schemas/streamFrames'
import { Client, startServer } from '#test/src/server/gateway/support'
import { principal } from '#test/src/stream/support'
import { portfolioOf, position } from './support.ts'

const patiently = { timeout: 15_000 }
const open: { stop(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

async function serve() {
  const held = { portfolio: portfolioOf([position('a', '1')]) }
  const feed = createPortfolioFeed({
    reader: { read: async () => held.portfolio },
    clock: systemClock,
    log: silentLog,
  })
  open.push(feed)
  const server = await startServer({ channels: { portfolio: portfolioChannel(feed) } })
  open.push(server)
  server.keys.keys.set('trader', principal({ accountId: 'a', keyId: 'trader', scopes: ['read', 'trade'] }))
  server.keys.keys.set('reader', principal({ accountId: 'a', keyId: 'reader', scopes: ['read'] }))
  const connect = async (key: string): Promise<Client> => {
    const client = await Client.open(server.url, key)
    open.push({ stop: () => client.close() })
    client.send({ op: 'subscribePortfolio' })
    return client
  }
  return { held, feed, connect }
}

const framesOf = (client: Client) =>
  client.frames.filter(({ type }) => type === 'portfolio').map((frame) => PortfolioFrame.parse(frame).data)

it('acknowledges, sends a snapshot, then changes, and nothing after the end', async () => {
  const { held, feed, connect } = await serve()
  const client = await connect('trader')
  await client.frame(({ type }) => type === 'portfolio')
  expect(client.frames[0]).toEqual({ type: 'subscribed', channel: 'portfolio' })
  expect(framesOf(client)).toMatchObject([
    { kind: 'snapshot', seq: 1, reason: 'subscribed', positions: [{ outcomeId: 'a', quantity: '1' }] },
  ])
  held.portfolio = portfolioOf([position('a', '2')])
  feed.changed(['a'])
  await expect.poll(() => framesOf(client), patiently).toHaveLength(2)
  expect(framesOf(client)[1]).toMatchObject({ kind: 'change', seq: 2, positions: [{ outcomeId: 'a', quantity: '2' }] })

  client.send({ op: 'unsubscribePortfolio' })
  await client.frame(({ type }) => type === 'unsubscribed')
  expect(feed.size).toBe(0)
  client.send({ op: 'unsubscribePortfolio' })
  expect(await client.frame(({ type }) => type === 'error')).toMatchObject({
    code: 'NOT_SUBSCRIBED',
    channel: 'portfolio',
  })
})

it('requires the scope trade', async () => {
  const { feed, connect } = await serve()
  const client = await connect('reader')
  expect(await client.frame(({ type }) => type === 'error')).toMatchObject({
    code: 'SCOPE_MISSING',
    channel: 'portfolio',
  })
  expect(feed.size).toBe(0)
})

it('is not served without a feed', async () => {
  const server = await startServer()
  open.push(server)
  const client = await Client.open(server.url)
  open.push({ stop: () => client.close() })
  client.send({ op: 'subscribePortfolio' })
  expect(await client.frame(({ type }) => type === 'error')).toMatchObject({
    code: 'NOT_SUPPORTED',
    channel: 'portfolio',
  })
})
