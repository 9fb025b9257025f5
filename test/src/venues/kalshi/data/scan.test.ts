// The scanner and the JSON parser must give the same result for any input.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import {
  deltaFrame,
  type KalshiWorld,
  kalshiWorld,
  seededRandom,
  snapshotFrame,
} from '../../../../support/kalshiFeed.ts'

const A = 'KXTEST-26-A'
const T = 1_790_000_000_000
const bytes = (frame: unknown) => Buffer.from(typeof frame === 'string' ? frame : JSON.stringify(frame))

const trade = {
  type: 'trade',
  sid: 2,
  msg: {
    trade_id: 't-1',
    market_ticker: A,
    yes_price_dollars: '0.3800',
    no_price_dollars: '0.6200',
    count_fp: '12.61',
    taker_side: 'no',
    taker_outcome_side: 'no',
    taker_book_side: 'ask',
    ts: 1_790_000_000,
    ts_ms: T,
  },
}
const good = [
  snapshotFrame(
    1,
    1,
    A,
    [
      ['0.3000', '12.00'],
      ['0.3100', '5.50'],
    ],
    [['0.6600', '7.00']],
  ),
  snapshotFrame(1, 2, A, [], [['0.6600', '7.00']]),
  snapshotFrame(1, 3, A, [], []),
  deltaFrame(1, 4, A, 'yes', '0.0010', '-0.32', T),
  trade,
]

/** A parsed frame of the book channel that names its market. */
function namesBook(frame: string): boolean {
  try {
    const { type, msg } = JSON.parse(frame) as { type?: string; msg?: { market_ticker?: string } }
    return type?.startsWith('orderbook_') === true && msg?.market_ticker === A
  } catch {
    return false
  }
}

describe('how a frame is parsed', () => {
  test('frames in the venue’s usual layout are scanned', () => {
    const { session, receive } = kalshiWorld([A])
    receive(...good)
    expect(session.counts).toMatchObject({ scanned: good.length, parsed: 0, malformed: 0 })
  })

  const delta = JSON.stringify(deltaFrame(1, 2, A, 'yes', '0.3000', '1.00', T))
  test.each([
    ['another field order', delta.replace('"sid":1,"seq":2', '"seq":2,"sid":1')],
    ['an unknown field', delta.replace('"side"', '"client_order_id":"x","side"')],
    ['white space', delta.replace(',"msg"', ', "msg"')],
    ['an escape in a text', delta.replace('"market_id":"0', '"market_id":"\\u0030')],
    ['more digits than a double holds', delta.replace('"1.00"', '"1.000000000000000"')],
    ['more decimals than a micro', delta.replace('"0.3000"', '"0.30000000"')],
    ['no deprecated time', delta.replace(/"ts":"[^"]*",/, '')],
  ])('accepts a frame with %s', (what, frame) => {
    const { session, receive, view } = kalshiWorld([A])
    receive(good[0], bytes(frame))
    expect(view(A), what).toContain('"price":0.3,"size":13')
    expect(session.counts.malformed).toBe(0)
  })

  test.each([
    ['price 0', delta.replace('0.3000', '0.0000')],
    ['price 1', delta.replace('0.3000', '1.0000')],
    ['price above 1', delta.replace('0.3000', '1.3000')],
    ['a negative price', delta.replace('0.3000', '-0.3000')],
    ['a price as a number', delta.replace('"0.3000"', '0.3')],
    ['an exponent', delta.replace('"1.00"', '"1e2"')],
    ['no number', delta.replace('"1.00"', '"NaN"')],
    ['an unknown side', delta.replace('"yes"', '"maybe"')],
    ['a sequence number as a string', delta.replace('"seq":2', '"seq":"2"')],
    ['a negative size in a snapshot', JSON.stringify(snapshotFrame(1, 2, A, [['0.3000', '-1.00']], []))],
    [
      'a third element in a level',
      JSON.stringify(snapshotFrame(1, 2, A, [['0.3000', '1.00']], [])).replace('"1.00"', '"1.00","2"'),
    ],
    ['half a frame', delta.slice(0, 60)],
    ['two frames', delta + delta],
    ['nothing', ''],
    ['an array', '[]'],
    ['an unsafe type', '{"type":"__proto__"}'],
  ])('%s is rejected by both: no level changes, and a book named in the frame becomes stale', (_what, frame) => {
    const { receive, view, events } = kalshiWorld([A])
    receive(good[0])
    const before = view(A)
    receive(bytes(frame))
    expect(view(A)).toBe(namesBook(frame) ? before.replace(/^live/, 'stale') : before)
    expect(events.at(-1)?.kind).toBe('malformed')
  })

  test('10,000 levels are read in full by both parsers', () => {
    const levels = (from: number): [string, string][] =>
      Array.from({ length: 4_999 }, (_, i) => [`0.${String(from + i).padStart(4, '0')}`, `${i + 1}.25`])
    const frame = snapshotFrame(1, 1, A, levels(1), levels(1))
    const fast = kalshiWorld([A])
    const slow = kalshiWorld([A], { yesPrice: false, scanner: false })
    fast.receive(frame)
    slow.receive(frame)
    expect(fast.session.counts.scanned).toBe(1)
    expect(fast.view(A)).toBe(slow.view(A))
    expect(fast.books.get(A)?.count(0)).toBe(4_999)
  })
})

// ---- fuzz ----

const runs = process.env.CROSSBOOK_TEST_LONG === '1' ? 1_000_000 : 30_000
/** Sessions are recreated after this many frames, because mutated sids would accumulate in them. */
const perSession = 500

test(`${runs} mutated frames: the scanner and the JSON parser give the same book or both reject, and neither throws`, {
  timeout: 900_000,
}, () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const seed = Number(process.env.CROSSBOOK_TEST_SEED ?? 20_260_921)
  const random = seededRandom(seed)
  let fast = kalshiWorld([A])
  let slow = kalshiWorld([A], { yesPrice: false, scanner: false })
  let before = 0
  let mutatedAndTaken = 0
  const summarize = (world: KalshiWorld) => {
    const { scanned, parsed, ...rest } = world.session.counts
    return JSON.stringify([scanned + parsed, rest, world.view(A), world.events])
  }
  for (let run = 0; run < runs; run++) {
    if (run % perSession === 0) {
      fast = kalshiWorld([A])
      slow = kalshiWorld([A], { yesPrice: false, scanner: false })
      if (run === perSession * 10) {
        collect()
        before = process.memoryUsage().heapUsed
      }
    }
    const sid = run % perSession
    const frames = [
      bytes(
        snapshotFrame(
          sid,
          1,
          A,
          [
            ['0.3000', '12.00'],
            ['0.2990', '1.50'],
          ],
          [
            ['0.6600', '7.00'],
            ['0.6500', '0.01'],
          ],
        ),
      ),
      mutate(random, sid),
      bytes(deltaFrame(sid, 3, A, random() < 0.5 ? 'yes' : 'no', '0.2500', '3.00', T + run)),
    ]
    for (const world of [fast, slow]) {
      world.events.length = 0
      world.receive(...frames)
    }
    if (fast.session.counts.malformed === 0) mutatedAndTaken++
    const [ours, theirs] = [summarize(fast), summarize(slow)]
    if (ours !== theirs)
      expect.fail(`seed ${seed}, run ${run}: ${frames[1]?.toString('latin1').slice(0, 600)}\n${ours}\n${theirs}`)
  }
  expect(mutatedAndTaken).toBeGreaterThan(0)
  expect(fast.session.counts.malformed).toBeGreaterThan(0)
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 * 1024 * 1024)
})

/** A frame with sequence number 2, damaged like a socket, a proxy or a new release of the venue might do. */
function mutate(random: () => number, sid: number): Buffer {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T
  const frame = pick([
    () =>
      deltaFrame(
        sid,
        2,
        A,
        pick(['yes', 'no'] as const),
        pick(['0.3000', '0.2990', '0.6600', '0.1000']),
        pick(['1.00', '-12.00', '-0.01', '7.5']),
        T,
      ),
    () =>
      snapshotFrame(
        sid,
        2,
        A,
        [['0.4000', '3.00']],
        [
          ['0.5000', '2.00'],
          ['0.4900', '0.10'],
        ],
      ),
    () => trade,
  ])()
  const text = JSON.stringify(frame)
  const value = () =>
    pick([
      '1e2',
      '0',
      '1',
      '0.0000',
      '1.0000',
      '0.123456',
      '0.1234567',
      '-5.00',
      'NaN',
      '',
      '00.30',
      '.5',
      '5.',
      '+1',
      '-0',
      '0x1',
      '999999999999999',
      '9999999999999999',
      '1.000000000000000001',
      '٣',
    ])
  const kind = Math.floor(random() * 12)
  switch (kind) {
    case 0: {
      const flipped = Buffer.from(text)
      const at = Math.floor(random() * flipped.length)
      flipped[at] = (flipped[at] as number) ^ (1 << Math.floor(random() * 8))
      return flipped
    }
    case 1: {
      const flipped = Buffer.from(text)
      for (let i = 0; i < 4; i++) flipped[Math.floor(random() * flipped.length)] = Math.floor(random() * 256)
      return flipped
    }
    case 2:
      return Buffer.from(text.slice(0, Math.floor(random() * text.length)))
    case 3:
      return Buffer.from(JSON.stringify(shuffled(frame, random)))
    case 4:
      return Buffer.from(
        text.replace(
          pick([/,"side"/, /,"msg"/, /,"market_id"/, /\}\}$/]),
          (found) => `,"extra":${pick(['1', '"x"', '{}', '[]', 'null'])}${found}`,
        ),
      )
    case 5:
      return Buffer.from(text.replace(/"-?\d+\.\d+"/g, (number) => (random() < 0.4 ? `"${value()}"` : number)))
    case 6:
      return Buffer.from(text.replace(/"-?\d+\.\d+"/, (number) => number.slice(1, -1)))
    case 7:
      return Buffer.from(
        text.replace(
          /"(sid|seq|ts_ms|ts)":\d+/,
          (_found, name: string) =>
            `"${name}":${pick(['-1', '0', '1.5', '1e3', '"2"', 'null', '2.0', '007', '99999999999999999999', '2'])}`,
        ),
      )
    case 8: {
      const at = Math.floor(random() * text.length)
      return Buffer.from(text.slice(0, at) + pick([' ', '\n', ',', '"', '\\', '}', 'é', '\u0000']) + text.slice(at))
    }
    case 9: {
      const names = [...text.matchAll(/"(\w+)":/g)].map((found) => found[1] as string)
      const name = pick(names)
      return Buffer.from(
        text.replace(
          `"${name}":`,
          pick([`"${name}x":`, `"${name}":${value() || 'null'},"${name}":`, `"${name.toUpperCase()}":`]),
        ),
      )
    }
    case 10: {
      const from = Math.floor(random() * text.length)
      const to = from + Math.floor(random() * 20)
      return Buffer.from(text.slice(0, from) + text.slice(to))
    }
    default:
      return Buffer.from(
        text.replace(A, pick(['', 'KXTEST-26-B', 'KXTEST-26-A ', '\\u004bXTEST-26-A', 'x'.repeat(5_000)])),
      )
  }
}

function shuffled(value: unknown, random: () => number): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [name, shuffled(inner, random)])
  for (let i = entries.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[entries[i], entries[j]] = [entries[j] as [string, unknown], entries[i] as [string, unknown]]
  }
  return Object.fromEntries(entries)
}
