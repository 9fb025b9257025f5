import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { type Gateway, listen, startGateway } from '#server/gateway/gateway'
import { Client, startServer } from './support.ts'

it('refuses a second program on the port with a clear error, and the first keeps every connection', async () => {
  const first = await startServer({ http: () => ({ status: 200, headers: {}, body: 'first' }) })
  const { port } = first.gateway
  const second = startGateway({
    host: '127.0.0.1',
    port,
    http: () => ({ status: 200, headers: {}, body: 'second' }),
    stream: first.stream,
  })
  await expect(second).rejects.toThrow(`cannot listen on 127.0.0.1:${port}: another program uses the port`)
  const answers = await Promise.all(
    Array.from({ length: 40 }, async () =>
      (await fetch(first.gateway.url, { headers: { connection: 'close' } })).text(),
    ),
  )
  expect(new Set(answers)).toEqual(new Set(['first']))
  await first.stop()
})

it('holds requests on a bound port until the program is ready, then serves them on the same connection', async () => {
  const { stream, stop } = await startServer()
  const bound = await listen({ host: '127.0.0.1', port: 0 })
  for (const path of ['/ready', '/v1/stream']) {
    const early = await fetch(bound.url + path)
    expect(early.status).toBe(503)
    expect(early.headers.get('retry-after')).toBe('1')
    expect(await early.json()).toMatchObject({ error: { code: 'PLATFORM_UNAVAILABLE', retryable: true } })
  }
  const gateway = bound.serve({ http: () => ({ status: 200, headers: {}, body: 'there' }), stream })
  expect(await (await fetch(bound.url)).text()).toBe('there')
  const client = await Client.open(`${bound.url.replace('http', 'ws')}/v1/stream`)
  client.ws.terminate()
  await gateway.stop()
  bound.close()
  await stop()
})

it('of two programs that start at the same moment one gets the port', async () => {
  const { gateway, stream, stop } = await startServer()
  const { port } = gateway
  await stop()
  const start = () =>
    startGateway({ host: '127.0.0.1', port, http: () => ({ status: 200, headers: {}, body: '' }), stream })
  const started = await Promise.allSettled([start(), start(), start()])
  const running = started.filter(({ status }) => status === 'fulfilled')
  expect(running).toHaveLength(1)
  await (running[0] as PromiseFulfilledResult<Gateway>).value.stop()
})

it('names the obstacle', async () => {
  const { stream, stop } = await startServer()
  const start = (host: string) =>
    startGateway({ host, port: 1_025, http: () => ({ status: 200, headers: {}, body: '' }), stream })
  // TEST-NET-1: an address that no machine has.
  await expect(start('192.0.2.1')).rejects.toThrow(
    'cannot listen on 192.0.2.1:1025: the address does not belong to this machine',
  )
  await stop()
})

// The kernel releases the connection after a minute.
it.runIf(process.env.CROSSBOOK_TEST_LONG === '1')(
  'waits for a port on which only closed connections of an earlier run linger',
  async () => {
    const first = await startServer()
    const { port } = first.gateway
    const socket = connect(port, '127.0.0.1')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    await first.stop()
    await closed
    const http = () => ({ status: 200, headers: {}, body: 'again' })
    const again = await startGateway({ host: '127.0.0.1', port, http, stream: first.stream })
    expect(again.port).toBe(port)
    await again.stop()
  },
  90_000,
)
