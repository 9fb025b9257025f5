import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { createPinnedSender } from '#net/ipPinnedSender'
import { createResolve, type Resolve } from '#net/resolve'
import { attempt, createGuard, createSecretBox, newSecret } from '#platform/webhooks/index'
import { traceDials } from '#test/src/platform/webhooks/dialTrace'
import { startReceiver } from '#test/src/platform/webhooks/receiver'
import { type NameServer, startNameServer } from './nameServer.ts'

let server: NameServer
let resolve: Resolve
beforeAll(async () => {
  server = await startNameServer()
  resolve = createResolve({ servers: [server.address] })
})
afterAll(() => server.close())
beforeEach(() => {
  server.names.clear()
  server.queries.length = 0
  server.mute = false
})

describe('resolving', () => {
  it('returns every address of a name, of both families', async () => {
    server.names.set('hooks.example.com', ['93.184.216.34', '2606:2800:220:1::1946', '10.0.0.1'])
    expect([...(await resolve('hooks.example.com', 'public'))].sort()).toEqual([
      '10.0.0.1',
      '2606:2800:220:1::1946',
      '93.184.216.34',
    ])
    expect([...server.queries].sort()).toEqual(['hooks.example.com A', 'hooks.example.com AAAA'])
  })

  it('accepts one family; refuses a name with neither', async () => {
    server.names.set('four.example.com', ['93.184.216.34'])
    server.names.set('none.example.com', [])
    expect(await resolve('four.example.com', 'public')).toEqual(['93.184.216.34'])
    await expect(resolve('none.example.com', 'public')).rejects.toMatchObject({ code: 'ENODATA' })
    await expect(resolve('unknown.example.com', 'public')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  it('gives up on a name server that does not answer', async () => {
    server.mute = true
    await expect(resolve('hooks.example.com', 'public')).rejects.toMatchObject({ code: 'ETIMEOUT' })
  }, 20_000)

  it('with the system’s resolver it knows the names of this machine', async () => {
    expect(await resolve('localhost', 'system')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^127\.|^::1$/)]),
    )
  })
})

it('fault 29: a name server that answers public addresses at registration and private ones later gains no access', async () => {
  const receiver = await startReceiver()
  const trace = traceDials()
  try {
    const guard = createGuard({ resolve, allowed: new Set() })
    const port = receiver.hostPort.split(':')[1]
    const url = `https://rebind.example.com:${port}/`
    server.names.set('rebind.example.com', ['93.184.216.34'])
    expect(await guard.admit(url)).toBe(url)
    for (const answer of [['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['0:0:0:0:0:0:0:1'], []]) {
      server.names.set('rebind.example.com', answer)
      const box = createSecretBox(Buffer.alloc(32))
      const request = {
        deliveryId: 'd',
        endpointId: 'e',
        url,
        secretsSealed: [box.seal('e', newSecret())] as const,
        event: 'x',
        body: '{}',
      }
      const deps = { guard, sender: createPinnedSender(), box, clock: new ManualClock() }
      expect((await attempt(deps, request, new AbortController().signal)).kind).toBe('failed')
    }
    expect(trace.dialled).toEqual([])
    expect(receiver.connections()).toBe(0)
  } finally {
    trace.stop()
    await receiver.close()
  }
})
