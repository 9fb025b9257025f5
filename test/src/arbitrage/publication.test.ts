import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { arbitrageRows } from '#arbitrage/fetchArbitrage'
import { rowFilter, type SubscriberFilter } from '#arbitrage/filter'
import { Publication, type RowMeta } from '#arbitrage/publication'
import { Subscribers } from '#arbitrage/subscribers'
import { TestClient } from './client.ts'
import { Random, venues } from './worlds.ts'

const long = process.env.CROSSBOOK_TEST_LONG === '1'
const words = ['Will it rain?', 'Wird es „regnen“?', '雨は降りますか？', 'oui \\ "non" 🌧️', 'a\nb\u2028']

function drain<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

const settings = { intervalMs: 3_000, contracts: 100, limit: 50_000, seq: 1_000 }

class Surface {
  readonly publication = new Publication(settings)
  readonly subscribers = new Subscribers(this.publication)
  /** The published rows by key, which clients must match. */
  readonly rows = new Map<string, { meta: RowMeta; text: string }>()
  /** When each key was last published. */
  readonly held = new Map<string, number>()
  now = 1_790_000_000_000

  put(key: string, meta: Partial<RowMeta>, question: string, asOf = 1_790_000_000_000): void {
    const whole: RowMeta = {
      executable: false,
      venueA: 'polymarket',
      venueB: 'kalshi',
      netMicros: NaN,
      spreadMicros: NaN,
      matchScore: 90,
      matchBand: 'verified',
      ...meta,
    }
    const text = JSON.stringify({
      clusterId: key,
      question,
      net: Number.isNaN(whole.netMicros) ? null : whole.netMicros,
      asOf: new Date(asOf).toISOString(),
    })
    const bytes = Buffer.from(text)
    this.publication.put(key, whole, bytes, bytes.length)
    this.rows.set(key, { meta: whole, text })
  }

  remove(key: string): void {
    this.publication.remove(key)
    this.rows.delete(key)
  }

  /** A full pass by default. */
  publish(snapshot = false, pass = true): void {
    this.now += 100
    const made = drain(this.publication.publish({ computedAt: this.now, publishedAt: this.now }, { pass, snapshot }))
    for (const key of this.rows.keys()) this.held.set(key, this.now)
    drain(this.subscribers.published(made, this.now))
    this.turn()
  }

  turn(): void {
    drain(this.subscribers.turn(this.now))
  }

  join(filter: SubscriberFilter = {}, client = new TestClient(1)): TestClient {
    this.subscribers.add(client, 'arbitrage', filter, this.now)
    return client
  }

  seen(filter: SubscriberFilter): Record<string, string> {
    const { passes } = rowFilter(filter)
    const shown = [...this.rows].filter(([, { meta }]) => passes(meta)).map(([key, { text }]) => [key, text] as const)
    return Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

const anyFilter = (random: Random): SubscriberFilter => ({
  ...(random.chance(0.3) ? { executableOnly: random.chance(0.8) } : {}),
  ...(random.chance(0.3)
    ? { venues: [random.pick(venues), random.pick(venues), random.pick(venues).toUpperCase()] }
    : {}),
  ...(random.chance(0.3) ? { minEdge: random.pick([0, 0.5, -1]) } : {}),
  ...(random.chance(0.6) ? { intervalMs: random.pick([0, 0, 100, 170, 250, 1_000, 3_000, 10_000]) } : {}),
})

function change(random: Random, surface: Surface): void {
  const key = `c:${random.int(0, 40)}é:a:b`
  if (random.chance(0.2)) {
    surface.remove(key)
    return
  }
  const size = random.chance(0.02) ? 60_000 : random.chance(0.1) ? 3_000 : random.int(0, 40)
  surface.put(
    key,
    {
      executable: random.chance(0.5),
      venueA: random.pick(venues),
      venueB: random.pick(venues),
      netMicros: random.chance(0.2) ? NaN : random.int(-2_000_000, 2_000_000),
    },
    random.pick(words).repeat(1 + Math.floor(size / 8)),
  )
}

/** The same row with another time. */
function touch(random: Random, surface: Surface): void {
  const known = [...surface.rows]
  if (known.length === 0) return
  const [key, { meta, text }] = random.pick(known)
  const { question } = JSON.parse(text) as { question: string }
  surface.put(key, meta, question, 1_790_000_000_000 + random.int(1, 1_000_000))
}

describe('arbitrage frames', () => {
  it('stay within 200 KiB, share a seq over their parts, increase in seq, and give every client its filtered surface', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = new Random(seed)
        const surface = new Surface()
        const clients: { client: TestClient; filter: SubscriberFilter }[] = []
        for (let i = random.int(0, 30); i > 0; i--) change(random, surface)
        for (let round = 0; round < 12; round++) {
          for (let i = random.int(0, 6); i > 0; i--) change(random, surface)
          for (let i = random.int(0, 3); i > 0; i--) touch(random, surface)
          if (random.chance(0.4)) {
            const filter = anyFilter(random)
            const known = random.chance(0.3) ? clients.pop() : undefined
            if (known !== undefined) surface.subscribers.remove(known.client, 'arbitrage')
            clients.push({ client: surface.join(filter, known?.client ?? new TestClient(round)), filter })
          }
          const wrong = random.chance(0.3) ? random.pick([0.2, 0.7, 1]) : 0
          for (const { client } of clients)
            client.refuse = () => (random.chance(wrong) ? 'dropped' : random.chance(0.1) ? 'buffered' : 'sent')
          const pass = random.chance(0.5)
          surface.publish(pass && random.chance(0.3), pass)
        }
        for (const { client } of clients) client.refuse = () => 'sent'
        surface.now += 40_000
        surface.publish()
        for (let i = 0; i < 3; i++) surface.turn()
        for (const { client, filter } of clients) {
          expect(client.seq).toBe(surface.publication.seq)
          expect(client.state()).toEqual(surface.seen(filter))
          // One delta serves all subscribers of an interval, so it may remove rows that only a newly joined client received.
          for (const { id, previousDeltaAt } of client.strangers)
            expect(surface.held.get(id)).toBeGreaterThanOrEqual(previousDeltaAt)
        }
      }),
      { numRuns: long ? 10_000 : 300 },
    )
  }, 1_800_000)

  it('split a big surface into several full parts', () => {
    const surface = new Surface()
    for (let i = 0; i < 900; i++) surface.put(`c${i}:a:b`, {}, '雨は降りますか？'.repeat(30))
    const client = surface.join()
    surface.publish()
    expect(client.rows.size).toBe(900)
    expect(client.biggest).toBeGreaterThan(200 * 1024 - 2_000)
    expect(client.kinds).toEqual(['snapshot'])
  })

  it('have the fields of the specification in their order', () => {
    const surface = new Surface()
    surface.put('c:a:b', {}, 'q')
    surface.join()
    surface.publish()
    const group = [...surface.publication.groups.values()][0]!
    const frame = drain(surface.publication.greet(group, surface.now))
    const common = [
      'exchange',
      'kind',
      'seq',
      'computedAt',
      'publishedAt',
      'intervalMs',
      'heartbeatMs',
      'contracts',
      'limit',
      'part',
    ]
    const snapshot = JSON.parse(frame.parts[0]!.toString())
    expect(Object.keys(snapshot)).toEqual(['type', 'ts', 'data'])
    expect(Object.keys(snapshot.data)).toEqual([...common, 'rows'])
    expect(snapshot.data).toMatchObject({
      kind: 'snapshot',
      seq: 1_002,
      intervalMs: 3_000,
      heartbeatMs: 30_000,
      contracts: 100,
      limit: 50_000,
    })
    const made = drain(surface.publication.publish({ computedAt: 1, publishedAt: 2 }, { pass: true, snapshot: false }))
    const delta = JSON.parse(made.get(group)![0]!.parts[0]!.toString())
    expect(Object.keys(delta.data)).toEqual([...common, 'upserts', 'removes'])
    expect(delta.data).toMatchObject({ kind: 'delta', seq: 1_004, upserts: [], removes: [], part: { i: 1, n: 1 } })
  })

  it('give the first tick at or after 30 s as the heartbeat', () => {
    const heartbeat = (intervalMs: number) => new Publication({ ...settings, intervalMs }).heartbeatMs
    expect([100, 700, 3_000, 1_234].map(heartbeat)).toEqual([30_000, 30_100, 30_000, 30_850])
  })
})

describe('a publication', () => {
  it('sends a full snapshot immediately before the delta of the same pass', () => {
    const surface = new Surface()
    surface.put('c:a:b', {}, 'q')
    surface.publish()
    const client = surface.join()
    surface.turn()
    surface.put('c:a:b', {}, 'other')
    surface.publish(true)
    expect(client.kinds).toEqual(['snapshot', 'snapshot', 'delta'])
    expect(client.seq).toBe(surface.publication.seq)
  })

  it('sends an empty delta as a liveness signal for a pass without changes', () => {
    const surface = new Surface()
    surface.put('c:a:b', {}, 'q')
    surface.publish()
    const client = surface.join()
    surface.turn()
    surface.put('c:a:b', {}, 'q')
    surface.publish()
    expect(client.kinds).toEqual(['snapshot', 'delta'])
    expect(client.empty).toBe(1)
  })

  it('defers encoding a row without subscribers until it is read', () => {
    const surface = new Surface()
    const { publication } = surface
    const { rows } = publication
    surface.put('c:a:b', {}, 'q')
    surface.publish()
    const facts: RowMeta = { ...surface.rows.get('c:a:b')!.meta, netMicros: -5 }
    const scratch = Buffer.alloc(100)
    const encode = vi.fn((row: number) => scratch.write(JSON.stringify({ clusterId: 'c:a:b', row })))
    const read = () => drain(arbitrageRows(rows, { limit: 1 })).map(({ netMicros, bytes }) => [netMicros, `${bytes}`])
    expect(publication.putLater('c:a:b', facts, 1)).toBe(false)
    rows.source = { encode, scratch }
    expect(publication.putLater('new:a:b', facts, 2)).toBe(false)
    expect(publication.putLater('c:a:b', { ...facts, matchBand: 'hidden' }, 4)).toBe(false)
    expect(publication.putLater('c:a:b', facts, 5)).toBe(true)
    expect(rows.changes).toEqual([])
    // Records need executable rows, and their end.
    expect(publication.putLater('c:a:b', { ...facts, executable: true }, 3)).toBe(true)
    expect(rows.changes).toHaveLength(1)
    rows.commit()
    expect(publication.putLater('c:a:b', { ...facts, netMicros: -6 }, 6)).toBe(true)
    expect(rows.changes).toHaveLength(1)
    expect(encode).not.toHaveBeenCalled()
    expect(read()).toEqual([[-6, '{"clusterId":"c:a:b","row":6}']])
    read()
    expect(encode).toHaveBeenCalledTimes(1)

    expect(publication.putLater('c:a:b', facts, 7)).toBe(true)
    const client = surface.join()
    expect(publication.putLater('c:a:b', facts, 8)).toBe(false)
    surface.turn()
    expect(client.state()).toEqual({ 'c:a:b': '{"clusterId":"c:a:b","row":7}' })
  })

  it('removes a hidden row, and drops and counts an impossible score', () => {
    const surface = new Surface()
    surface.put('a:x:y', {}, 'q')
    surface.put('b:x:y', {}, 'q')
    surface.put('c:x:y', {}, 'q')
    surface.publish()
    const client = surface.join()
    surface.turn()
    surface.put('a:x:y', { matchBand: 'hidden' }, 'q')
    surface.put('b:x:y', { matchScore: 100.5 }, 'q')
    surface.put('c:x:y', { matchBand: 'sure' }, 'q')
    surface.publish()
    expect(client.rows.size).toBe(0)
    expect(surface.publication.counts.invalidMatchScore).toBe(2)
  })

  it('encodes one delta for all subscribers with equivalent filters', () => {
    const surface = new Surface()
    surface.publish()
    const frames: Buffer[] = []
    for (const filter of [
      { venues: ['Kalshi', 'polymarket'] },
      { venues: ['polymarket', 'kalshi'], executableOnly: false },
      {},
    ]) {
      const client = new TestClient(frames.length)
      const offer = client.offer.bind(client)
      client.offer = (topic, frame) => {
        frames.push(frame)
        return offer(topic, frame)
      }
      surface.join(filter, client)
    }
    surface.turn()
    frames.length = 0
    surface.put('a:x:y', {}, 'q')
    surface.publish()
    expect(surface.publication.groups.size).toBe(2)
    expect(frames[0]).toBe(frames[1])
    expect(frames[2]).not.toBe(frames[0])
  })

  describe('at the requested interval', () => {
    /** Ten seconds of a busy surface: a change every 20 ms, every other one only of times, a pass every 3 s and a tick every 100 ms. */
    function busy(intervalMs: number | undefined) {
      const surface = new Surface()
      for (let i = 0; i < 5; i++) surface.put(`${i}:a:b`, {}, 'q')
      surface.publish()
      const client = surface.join({ intervalMs })
      surface.turn()
      const greeted = client.frames
      const changes: string[] = []
      const offer = client.offer.bind(client)
      client.offer = (topic, frame) => {
        const { data } = JSON.parse(String(frame)) as { data: { upserts?: { question: string }[] } }
        const upserts = data.upserts ?? []
        changes.push(
          upserts.length === 0 ? 'empty' : upserts.some(({ question }) => question !== 'q') ? 'news' : 'times',
        )
        return offer(topic, frame)
      }
      let news = 0
      for (let ms = 20; ms <= 12_000; ms += 20) {
        if (ms % 40 === 0 && ms <= 9_000) surface.put('1:a:b', {}, `q${++news}`)
        else if (ms <= 9_000) surface.put('0:a:b', {}, 'q', 1_790_000_000_000 + ms)
        surface.now -= 80
        surface.publish(false, ms % 3_000 === 0)
      }
      return { surface, client, changes, deltas: client.kinds.slice(greeted), news }
    }

    it('sends one delta per interval, also when nothing changed', () => {
      const { client, deltas, changes } = busy(250)
      expect(deltas.every((kind) => kind === 'delta')).toBe(true)
      expect(deltas.length).toBeGreaterThanOrEqual(47)
      expect(deltas.length).toBeLessThanOrEqual(49)
      expect([11, 12]).toContain(changes.filter((kind) => kind === 'empty').length)
      expect(client.paces.at(-1)).toMatchObject({ intervalMs: 250, heartbeatMs: 30_000 })
      const times = client.paces.slice(1).map(({ publishedAt }) => publishedAt)
      expect(Math.min(...times.slice(1).map((at, i) => at - times[i]!))).toBeGreaterThanOrEqual(200)
    })

    it('sends a delta with each full pass by default', () => {
      const { client, deltas, changes } = busy(undefined)
      expect(deltas).toHaveLength(4)
      expect(changes.at(-1)).toBe('empty')
      expect(client.paces.at(-1)).toMatchObject({ intervalMs: 3_000 })
    })

    it('sends changes immediately at interval 0, but times only with changes or with a pass', () => {
      const { client, deltas, changes, news } = busy(0)
      expect(changes.filter((kind) => kind === 'news')).toHaveLength(news)
      // Of the four passes three carry changes of their own.
      expect(deltas.length).toBe(news + 1)
      expect(client.paces.at(-1)).toMatchObject({ intervalMs: 0 })
    })

    it('leaves every client with the same rows at any interval', () => {
      for (const intervalMs of [undefined, 0, 100, 250, 777, 3_000]) {
        const { surface, client } = busy(intervalMs)
        expect(client.state()).toEqual(surface.seen({}))
      }
    })

    it('sends a client that joins between two frames the current rows at once, and their removal later', () => {
      const surface = new Surface()
      surface.put('a:x:y', {}, 'q')
      surface.publish()
      const early = surface.join({ intervalMs: 10_000 })
      surface.turn()
      surface.now += 10_000
      surface.publish()
      surface.put('b:x:y', {}, 'new')
      surface.publish(false, false)
      const late = surface.join({ intervalMs: 10_000 }, new TestClient(2))
      surface.turn()
      expect([...late.rows.keys()]).toEqual(['a:x:y', 'b:x:y'])
      expect([...early.rows.keys()]).toEqual(['a:x:y'])
      surface.remove('b:x:y')
      surface.remove('a:x:y')
      surface.publish(false, false)
      surface.put('c:x:y', {}, 'after')
      surface.now += 10_000
      surface.publish(false, false)
      for (const client of [early, late]) expect([...client.rows.keys()]).toEqual(['c:x:y'])
    })

    it('sends a snapshot every 30 s at every interval, immediately before that delta', () => {
      for (const intervalMs of [undefined, 0, 250, 10_000, 30_000]) {
        const surface = new Surface()
        surface.publish()
        const client = surface.join({ intervalMs })
        surface.turn()
        const from = client.frames
        for (let ms = 100; ms <= 130_000; ms += 100) surface.publish(ms % 30_000 === 0, ms % 3_000 === 0)
        const kinds = client.kinds.slice(from)
        const at = client.paces
          .slice(from)
          .flatMap(({ publishedAt }, i) => (kinds[i] === 'snapshot' ? [publishedAt] : []))
        expect(at.length, String(intervalMs)).toBeGreaterThanOrEqual(3)
        for (let i = 1; i < at.length; i++) expect(at[i]! - at[i - 1]!).toBeLessThanOrEqual(30_000)
        expect(kinds.every((kind, i) => kind === 'delta' || kinds[i + 1] === 'delta')).toBe(true)
      }
    })
  })

  it('repairs a client that fell behind with a current snapshot and never sends a seq twice', () => {
    const surface = new Surface()
    surface.put('a:x:y', {}, 'q')
    surface.publish()
    const client = surface.join()
    surface.turn()
    client.refuse = () => 'dropped'
    for (let i = 0; i < 5; i++) {
      surface.put('a:x:y', {}, `q${i}`)
      surface.publish()
    }
    client.refuse = () => 'sent'
    surface.turn()
    expect(client.kinds).toEqual(['snapshot', 'snapshot'])
    expect(client.state()).toEqual(surface.seen({}))
    // Another filter on the same socket: the first snapshot waits for a seq the client has not seen.
    surface.subscribers.remove(client, 'arbitrage')
    surface.join({ executableOnly: true }, client)
    surface.turn()
    expect(client.frames).toBe(2)
    surface.publish()
    expect(client.frames).toBe(3)
    expect(client.rows.size).toBe(0)
  })

  it('drops groups without subscribers', () => {
    const surface = new Surface()
    const client = surface.join({ minEdge: 1 })
    expect(surface.publication.groups.size).toBe(1)
    surface.subscribers.remove(client, 'arbitrage')
    expect(surface.publication.groups.size).toBe(0)
    expect(surface.subscribers.due).toBe(false)
  })
})
