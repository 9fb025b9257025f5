// Fault 29: only addresses of the public internet are connected to, at registration and at any attempt.
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { createPinnedSender } from '#net/ipPinnedSender'
import type { Resolve } from '#net/resolve'
import { isPublicAddress } from '#platform/webhooks/addresses'
import { attempt, createGuard, createSecretBox, newSecret } from '#platform/webhooks/index'
import { Refusal, readTarget } from '#platform/webhooks/targetUrl'
import { type DialTrace, traceDials } from './dialTrace.ts'
import { refusedByResolution, refusedByText } from './ssrfCorpus.ts'

let listener: Server
let port: number
let accepted = 0
let trace: DialTrace
beforeAll(async () => {
  // On every address of this machine.
  listener = createServer((socket) => {
    accepted++
    socket.destroy()
  })
  await new Promise<void>((resolve) => listener.listen(0, '::', resolve))
  port = (listener.address() as AddressInfo).port
  trace = traceDials()
})
afterAll(() => {
  trace.stop()
  listener.close()
})

const box = createSecretBox(Buffer.alloc(32, 1))
const resolveFrom =
  (names: Readonly<Record<string, readonly string[]>>): Resolve =>
  async (hostname) => {
    const found = names[hostname]
    if (found === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    return found
  }
const guardOver = (resolve: Resolve) => createGuard({ resolve, allowed: new Set() })
const tryDelivery = (resolve: Resolve, url: string) =>
  attempt(
    { guard: guardOver(resolve), sender: createPinnedSender(), box, clock: new ManualClock() },
    {
      deliveryId: 'd',
      endpointId: 'e',
      url,
      secretsSealed: [box.seal('e', newSecret())],
      event: 'ingest.run.completed',
      body: '{}',
    },
    new AbortController().signal,
  )

const texts = Object.entries(refusedByText).flatMap(([trick, urls]) => urls.map((url) => [trick, url] as const))
const names = Object.keys(refusedByResolution)

describe('the corpus', () => {
  it('has the promised size, and no duplicates', () => {
    const all = [...texts.map(([, url]) => url), ...names]
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBeGreaterThanOrEqual(80)
  })

  it('the trace and the listener would show a connection', async () => {
    const [dialledBefore, acceptedBefore] = [trace.dialled.length, accepted]
    const socket = connect(port, '127.0.0.1')
    await new Promise((resolve) => socket.on('close', resolve))
    expect(trace.dialled.slice(dialledBefore)).toEqual([`127.0.0.1:${port}`])
    expect(accepted).toBe(acceptedBefore + 1)
  })

  it.each(texts)('%s: %s is refused at registration and at an attempt, and nothing is dialled', async (_, template) => {
    const url = template.replaceAll('{port}', String(port))
    const [dialledBefore, acceptedBefore] = [trace.dialled.length, accepted]
    // A resolver that would lead any name back to this machine.
    const resolve: Resolve = async () => ['127.0.0.1']
    await expect(guardOver(resolve).admit(url)).rejects.toBeInstanceOf(Refusal)
    expect((await tryDelivery(resolve, url)).kind).toBe('failed')
    // The refusal is not caused by the resolved address, either.
    expect(() => parseAndCheck(url)).toThrow(Refusal)
    expect(trace.dialled.slice(dialledBefore)).toEqual([])
    expect(accepted).toBe(acceptedBefore)
  })

  it.each(names)('%s is refused for its resolved addresses, both times, and nothing is dialled', async (name) => {
    const before = trace.dialled.length
    const url = `https://${name}:${port}/`
    await expect(guardOver(resolveFrom(refusedByResolution)).admit(url)).rejects.toBeInstanceOf(Refusal)
    expect(await tryDelivery(resolveFrom(refusedByResolution), url)).toMatchObject({
      kind: 'failed',
      result: expect.stringMatching(/^refused: /),
    })
    expect(trace.dialled.slice(before)).toEqual([])
  })
})

function parseAndCheck(text: string): void {
  const { literal } = readTarget(text, new Set())
  if (literal !== null && !isPublicAddress(literal)) throw new Refusal('not public')
}

describe('a name whose address changes', () => {
  it('public at registration, private at the attempt: the attempt fails and nothing is dialled', async () => {
    let answer = ['93.184.216.34']
    const resolve: Resolve = async () => answer
    const url = `https://rebind.example.com:${port}/`
    expect(await guardOver(resolve).admit(url)).toBe(url)
    answer = ['127.0.0.1']
    const before = trace.dialled.length
    expect(await tryDelivery(resolve, url)).toMatchObject({ kind: 'failed' })
    expect(trace.dialled.slice(before)).toEqual([])
  })

  it('between the check and the connection: the checked address is dialled, without resolving again', async () => {
    let lookups = 0
    const resolve: Resolve = async () => (lookups++ === 0 ? ['93.184.216.34'] : ['127.0.0.1'])
    const sent: (readonly string[])[] = []
    const result = await attempt(
      {
        guard: guardOver(resolve),
        sender: {
          post: async ({ addresses }) => {
            sent.push(addresses)
            return 200
          },
        },
        box,
        clock: new ManualClock(),
      },
      {
        deliveryId: 'd',
        endpointId: 'e',
        url: 'https://rebind.example.com/',
        secretsSealed: [box.seal('e', newSecret())] as const,
        event: 'x',
        body: '{}',
      },
      new AbortController().signal,
    )
    expect(result.kind).toBe('delivered')
    expect(sent).toEqual([['93.184.216.34']])
    expect(lookups).toBe(1)
  })

  it('a name without an address is accepted at registration and fails at the attempt', async () => {
    const url = 'https://soon.example.com/'
    expect(await guardOver(resolveFrom({})).admit(url)).toBe(url)
    expect(await tryDelivery(resolveFrom({}), url)).toEqual({ kind: 'failed', result: 'network error ENOTFOUND' })
  })
})

describe('public addresses', () => {
  it('a name with an umlaut stays a URL however often it is parsed', () => {
    for (let i = 0; i < 20_000; i++) readTarget('https://bücher.example.com/', new Set())
    expect(readTarget('https://bücher.example.com/', new Set()).url.hostname).toBe('xn--bcher-kva.example.com')
  })

  it.each([
    'https://hooks.example.com/',
    'https://hooks.example.com:8443/a?b=c',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/',
    'https://xn--bcher-kva.example.com/',
    'https://bücher.example.com/',
    'HTTPS://HOOKS.EXAMPLE.COM/',
  ])('%s is accepted', async (url) => {
    expect(await guardOver(async () => ['93.184.216.34']).admit(url)).toBe(new URL(url).href)
  })

  it('only a host and port allowed by the operator may be anywhere, and use http', async () => {
    const allowed = new Set(['127.0.0.1:9000', '[::1]:9000', 'receiver:80'])
    const guard = createGuard({ resolve: async () => ['10.0.0.9'], allowed })
    expect((await guard.aim('http://127.0.0.1:9000/x')).addresses).toEqual(['127.0.0.1'])
    expect((await guard.aim('https://[::1]:9000/x')).addresses).toEqual(['::1'])
    expect((await guard.aim('http://receiver/x')).addresses).toEqual(['10.0.0.9'])
    for (const url of [
      'http://127.0.0.1:9001/',
      'http://127.0.0.2:9000/',
      'https://localhost:9000/',
      'https://receiver/',
      'ftp://127.0.0.1:9000/',
      'http://u@127.0.0.1:9000/',
    ])
      await expect(guard.aim(url), url).rejects.toBeInstanceOf(Refusal)
  })

  it('no form of an address in a blocked range is public, however IPv6 wraps it', () => {
    const blocked = fc
      .constantFrom([127, 8], [10, 8], [169, 8], [0, 8], [224, 4], [240, 4])
      .chain(([first, bits]) =>
        fc
          .tuple(fc.nat(bits === 4 ? 15 : 0), fc.nat(255), fc.nat(255), fc.nat(255))
          .map(([more, b, c, d]): number[] => [first! + more, first === 169 ? 254 : b, c, d]),
      )
    fc.assert(
      fc.property(blocked, (bytes) => {
        const dotted = bytes.join('.')
        const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'))
        const [high, low] = [hex.slice(0, 2).join(''), hex.slice(2).join('')]
        const forms = [
          dotted,
          `::ffff:${dotted}`,
          `::${high}:${low}`,
          `::ffff:0:${high}:${low}`,
          `64:ff9b::${high}:${low}`,
          `2002:${high}:${low}::1`,
          `2001:0:${high}:${low}::1`,
          `2600::5efe:${high}:${low}`,
        ]
        return forms.every((form) => !isPublicAddress(form))
      }),
    )
  })
})
