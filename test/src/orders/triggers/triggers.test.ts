// Fault 28: random paths of a book, with every possible fault, compared with the slow reference.
import { describe, expect, it } from 'vitest'
import type { BookRead } from '#orders/triggers/bookSample'
import { bestValue, compileRule } from '#orders/triggers/rule'
import { Triggers } from '#orders/triggers/triggers'
import type { TriggerRule } from '#schemas/conditional'
import { Random } from '#test/src/arbitrage/worlds'
import { type Look, type Notices, noNotices, ReferenceTriggers } from '#test/support/triggerReference'

const paths = process.env.CROSSBOOK_TEST_LONG === '1' ? 1_000_000 : 2_000
const at = 1_790_000_000_000

const rule = (over: Partial<TriggerRule> = {}): TriggerRule => ({
  when: 'at_or_above',
  price: 0.6,
  reference: 'mark',
  confirmations: 2,
  dwellMs: 2_000,
  maxSpread: 0.1,
  minSize: 1,
  ...over,
})

/** What shared memory says of the book, and the same for the reference. */
class Book {
  seq = 1
  breaks = 0
  isStale = false
  eventTs: number | null = at
  now = at + 40
  bid: Look['bid'] = { price: 590_000, size: 10 }
  ask: Look['ask'] = { price: 610_000, size: 10 }
  lastTrade: Look['lastTrade'] = null

  read(): BookRead {
    const { bid, ask, lastTrade } = this
    return {
      stale: this.isStale,
      bids: bid === null ? 0 : 1,
      asks: ask === null ? 0 : 1,
      bidMicros: Int32Array.of(bid?.price ?? 0),
      bidSizes: Float64Array.of(bid?.size ?? 0),
      askMicros: Int32Array.of(ask?.price ?? 0),
      askSizes: Float64Array.of(ask?.size ?? 0),
      seq: this.seq,
      eventTs: this.eventTs ?? NaN,
      lastTradeMicros: lastTrade?.price ?? NaN,
      lastTradeTs: lastTrade?.ts ?? NaN,
      breaks: this.breaks,
    }
  }

  /** `seenBreaks`: at the previous look. */
  look(seenBreaks: number): Look {
    const { isStale, seq, eventTs, now, bid, ask, lastTrade } = this
    return { wasBroken: this.breaks !== seenBreaks, isStale, seq, eventTs, now, bid, ask, lastTrade }
  }
}

/** The engine and the reference on one book; orders are identified by their handle. */
class World {
  readonly book = new Book()
  readonly engine = new Triggers(4)
  readonly reference = new ReferenceTriggers()
  readonly rules = new Map<number, TriggerRule>()
  /** Every decision and withdrawal of both. */
  readonly results: Notices[] = []
  /** Of trailing stops, as last reported. */
  readonly bests = new Map<number, number>()
  private readonly complements = new Map<number, boolean>()
  private expected = noNotices()
  private seenBreaks = 0

  /** `best`: of a trailing stop that was watched elsewhere, half micros. */
  arm(handle: number, armed: TriggerRule, complement = false, best: number | null = null): void {
    const { engine, reference, book } = this
    if (engine.isNew(1, 1)) {
      engine.follow(1, 1, book.read())
      reference.follow(book.seq)
    }
    this.disarm(handle)
    const compiled = compileRule(armed, complement)
    const stored = best === null ? {} : { best: bestValue(compiled, best) }
    engine.arm({ ...compiled, ...stored, handle, serial: handle, slot: 1, generation: 1 })
    reference.arm(`${handle}`, armed, complement, best)
    this.rules.set(handle, armed)
    this.complements.set(handle, complement)
  }

  /** As another process that has its best price from the store. */
  handOver(handle: number): void {
    const armed = this.rules.get(handle)
    if (armed === undefined) return
    const best = this.bests.get(handle) ?? null
    this.arm(handle, armed, this.complements.get(handle), best)
    if (best !== null) this.bests.set(handle, best)
  }

  disarm(handle: number): void {
    this.engine.disarm(handle)
    this.reference.disarm(`${handle}`)
    this.rules.delete(handle)
    this.expected.decisions.delete(`${handle}`)
    this.expected.withdrawn.delete(`${handle}`)
    this.expected.bests.delete(`${handle}`)
    this.bests.delete(handle)
  }

  /** False: the engine has not finished the previous sample. */
  look(): boolean {
    const { book } = this
    // The book is taken below.
    this.engine.becomeDue(book.now)
    if (!this.engine.take(1, book.read(), book.now)) return false
    this.expected = this.reference.look(book.look(this.seenBreaks))
    this.seenBreaks = book.breaks
    return true
  }

  /** Whether both had the same result. */
  settle(): void {
    while (this.engine.work(1_000_000, () => undefined));
    const { decisions, withdrawn, bests } = this.engine.drain(Infinity)
    for (const { handle, best } of bests) this.bests.set(handle, best)
    const result = {
      decisions: new Map(decisions.map(({ handle, evidence }) => [`${handle}`, evidence])),
      withdrawn: new Set(withdrawn.map(({ handle }) => `${handle}`)),
      bests: new Map(bests.map(({ handle, best }) => [`${handle}`, best])),
    }
    const { expected } = this
    // Usually nothing happens, because there are very many looks.
    const count = ({ decisions, withdrawn, bests }: Notices): number => decisions.size + withdrawn.size + bests.size
    if (count(result) + count(expected) > 0) expect(result).toEqual(expected)
    this.expected = noNotices()
    this.results.push(result)
  }
}

const quote = (random: Random, around: number): { price: number; size: number } => ({
  price: Math.min(999_000, Math.max(1_000, around * 1_000 + (random.chance(0.05) ? random.int(-1, 1) : 0))),
  size: random.chance(0.15) ? random.int(1, 99) / 100 : random.int(1, 20),
})

function change(random: Random, book: Book): void {
  const what = random.next()
  const passed = random.chance(0.2) ? random.int(0, 1) : random.int(1, 1_500)
  book.now += passed
  if (book.eventTs !== null) book.eventTs += passed
  if (what < 0.05) {
    // The same book, requested again.
    return
  }
  if (what < 0.1) {
    book.isStale = true
    book.breaks++
    return
  }
  if (what < 0.15) {
    // A gap that was repaired before the look; sometimes without a new book.
    book.breaks++
    book.isStale = false
    if (random.chance(0.5)) return
  }
  book.isStale = false
  book.seq += random.int(1, 3)
  if (what > 0.95 && book.eventTs !== null) book.eventTs -= random.int(1, 5_000)
  if (what > 0.93 && what < 0.94) book.eventTs = book.eventTs === null ? book.now - 40 : null
  const middle = random.chance(0.85) ? random.int(594, 606) : random.int(10, 990)
  const wide = random.chance(0.1) ? 60 : random.int(1, 4)
  book.bid = random.chance(0.04) ? null : quote(random, middle - wide)
  book.ask = random.chance(0.04) ? null : quote(random, random.chance(0.03) ? middle - wide : middle + wide)
  if (random.chance(0.3)) {
    const traded =
      (book.eventTs ?? book.now) - (random.chance(0.2) ? random.int(59_000, 61_000) : random.int(-500, 500))
    book.lastTrade = { price: quote(random, middle + random.int(-3, 3)).price, ts: random.chance(0.9) ? traded : null }
  }
}

/** Exactly one of them. */
function randomCondition(random: Random, now: number): Pick<TriggerRule, 'price' | 'trail' | 'at'> {
  const what = random.next()
  if (what < 0.15) return { at: new Date(Math.floor(now) + random.int(0, 8_000)).toISOString() }
  if (what < 0.3) return { trail: { by: 'price', distance: random.pick([0.001, 0.002, 0.0030001, 0.5]) } }
  if (what < 0.45) return { trail: { by: 'percent', distance: random.pick([0.1, 0.25, 0.3333, 90]) } }
  return { price: random.chance(0.1) ? 0.6000001 : random.int(597, 603) / 1_000 }
}

/** Of the other outcome. */
const mirrored = (rule: TriggerRule): TriggerRule =>
  rule.price === undefined ? rule : { ...rule, price: 1 - rule.price }

const randomRule = (random: Random, now: number): TriggerRule => ({
  when: random.pick(['at_or_above', 'at_or_below']),
  ...randomCondition(random, now),
  reference: random.pick(['mark', 'bid', 'ask']),
  confirmations: random.int(1, 3),
  dwellMs: random.pick([1, 500, 2_000]),
  maxSpread: random.pick([0.004, 0.05, 0.1, 1]),
  minSize: random.pick([0.5, 1, 5]),
})

describe('armed orders', () => {
  it(`decide as the reference does, with its evidence, on ${paths} random paths of a book`, () => {
    let decisions = 0
    let withdrawn = 0
    let trailing = 0
    let timed = 0
    for (let seed = 1; seed <= paths; seed++) {
      const random = new Random(seed)
      const world = new World()
      try {
        for (let step = 0; step < 24; step++) {
          if (step === 0 || random.chance(0.1)) {
            const armed = randomRule(random, world.book.now)
            world.arm(random.int(0, 2), random.chance(0.3) ? mirrored(armed) : armed, false)
            world.arm(3 + random.int(0, 1), mirrored(armed), true)
          }
          if (random.chance(0.05)) world.handOver(random.int(0, 4))
          if (random.chance(0.05)) world.disarm(random.int(0, 4))
          change(random, world.book)
          world.look()
          world.settle()
          // A decided order is removed, or stays to be evaluated again.
          for (const [id, evidence] of world.results.at(-1)!.decisions) {
            decisions++
            if (evidence.level !== undefined) trailing++
            if (evidence.at !== undefined) timed++
            if (random.chance(0.5)) world.disarm(Number(id))
          }
          withdrawn += world.results.at(-1)!.withdrawn.size
        }
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error })
      }
    }
    // The paths fire now and then.
    expect(decisions / paths).toBeGreaterThan(0.3)
    expect(withdrawn / paths).toBeGreaterThan(0.05)
    expect(trailing / paths).toBeGreaterThan(0.05)
    expect(timed / paths).toBeGreaterThan(0.05)
  }, 1_800_000)

  it('are compared with a sample in turns when many qualify at once, while orders come and go', () => {
    for (let seed = 1; seed <= 3; seed++) {
      const random = new Random(seed)
      const world = new World()
      for (let handle = 0; handle < 900; handle++)
        world.arm(handle, { ...randomRule(random, world.book.now), maxSpread: 1, minSize: 0.1 })
      let turns = 0
      for (let step = 0; step < 20; step++) {
        change(random, world.book)
        expect(world.look()).toBe(true)
        const again: number[] = []
        while (world.engine.work(100, (slot) => again.push(slot))) {
          turns++
          const handle = random.int(0, 899)
          const what = random.next()
          if (what < 0.3) world.disarm(handle)
          else if (what < 0.5) world.arm(handle, randomRule(random, world.book.now))
          if (turns % 5 === 0) {
            change(random, world.book)
            expect(world.look()).toBe(false)
          }
        }
        expect(again.every((slot) => slot === 1)).toBe(true)
        world.settle()
      }
      expect(turns).toBeGreaterThan(10)
    }
  })
})

it('reports that the first decision of an order is void when it left and was decided again', () => {
  const world = new World()
  const { book, engine } = world
  world.arm(0, rule({ dwellMs: 1 }))
  const look = (price: number) => {
    book.seq++
    book.now += 1_000
    book.eventTs = book.now
    Object.assign(book, { bid: { price, size: 5 }, ask: { price: price + 10_000, size: 5 } })
    engine.take(1, book.read(), book.now)
  }
  for (const price of [600_000, 600_000]) look(price)
  const first = engine.drain(10)
  expect([first.decisions.length, first.withdrawn.length]).toEqual([1, 0])
  for (const price of [580_000, 620_000, 620_000]) look(price)
  const second = engine.drain(10)
  expect(second.withdrawn).toEqual([{ handle: 0, serial: 0 }])
  expect(second.decisions).toMatchObject([{ handle: 0, evidence: { referencePrice: 0.625, samples: 2 } }])
})

describe('a rule', () => {
  /** Looks at the book once for each, a second apart; returns the index of the look at which the order was decided. */
  function decidedAt(armed: TriggerRule, ...looks: Partial<Book>[]): number | null {
    const world = new World()
    world.arm(0, armed)
    for (const [i, look] of looks.entries()) {
      const { book } = world
      book.seq++
      book.now += 1_000
      book.eventTs = (book.eventTs ?? book.now) + 1_000
      Object.assign(book, look)
      world.look()
      world.settle()
      if (world.results.at(-1)!.decisions.size > 0) return i
    }
    return null
  }
  const here = { bid: { price: 600_000, size: 5 }, ask: { price: 610_000, size: 5 } }
  const away = { bid: { price: 580_000, size: 5 }, ask: { price: 590_000, size: 5 } }

  it('is met after enough consecutive samples and after its dwell time', () => {
    expect(decidedAt(rule(), here, here, here)).toBe(2)
    expect(decidedAt(rule({ dwellMs: 1 }), here, here, here)).toBe(1)
    expect(decidedAt(rule({ dwellMs: 1, confirmations: 4 }), here, here, here, here)).toBe(3)
  })

  it('restarts when the book reaches the price and leaves it', () => {
    expect(decidedAt(rule(), here, here, away, here, here, here)).toBe(5)
  })

  it('is met at the price itself, to the last digit', () => {
    const bid = (price: number) => ({ bid: { price, size: 5 }, ask: { price: price + 10_000, size: 5 } })
    for (const price of [0.29, 0.57, 0.001, 0.999, 0.1 + 0.2]) {
      const micros = Math.round(price * 1e6)
      const above = rule({ reference: 'bid', price, dwellMs: 1 })
      expect(decidedAt(above, bid(micros), bid(micros))).toBe(1)
      expect(decidedAt(above, bid(micros - 1), bid(micros - 1))).toBeNull()
      const below = { ...above, when: 'at_or_below' } as const
      expect(decidedAt(below, bid(micros), bid(micros))).toBe(1)
      expect(decidedAt(below, bid(micros + 1), bid(micros + 1))).toBeNull()
    }
    // The middle of 0.600000 and 0.600001 is half a micro above 0.6.
    const middle = { bid: { price: 600_000, size: 5 }, ask: { price: 600_001, size: 5 } }
    expect(decidedAt(rule({ price: 0.6000005, dwellMs: 1 }), middle, middle)).toBe(1)
    expect(decidedAt(rule({ price: 0.600001, dwellMs: 1 }), middle, middle)).toBeNull()
  })

  it('takes the median of both quotes and a fresh trade as the mark', () => {
    const traded = (price: number, age: number) => ({ ...here, lastTrade: { price, ts: at + 1_000 - age } })
    const at605 = rule({ price: 0.605, dwellMs: 1 })
    const at606 = rule({ price: 0.606, dwellMs: 1 })
    expect(decidedAt(at605, here, here)).toBe(1)
    expect(decidedAt(at606, here, here)).toBeNull()
    expect(decidedAt(at606, traded(608_000, 0), traded(608_000, 0))).toBe(1)
    expect(decidedAt(at605, traded(601_000, 0), traded(601_000, 0))).toBeNull()
    // Far outside the quotes it counts as the nearer one; a trade that is too old is ignored.
    expect(decidedAt(rule({ price: 0.61, dwellMs: 1 }), traded(990_000, 0), traded(990_000, 0))).toBe(1)
    expect(decidedAt(at606, traded(608_000, 60_001), traded(608_000, 60_001))).toBeNull()
    expect(decidedAt(at606, { ...here, lastTrade: { price: 608_000, ts: null } }, {}, {})).toBeNull()
  })

  it('is not met by a thin quote or a wide book, nor by one side where it needs both', () => {
    const thin = { bid: { price: 600_000, size: 0.99 }, ask: { price: 610_000, size: 5 } }
    const wide = { bid: { price: 600_000, size: 5 }, ask: { price: 700_001, size: 5 } }
    const lone = { bid: { price: 950_000, size: 5 }, ask: null }
    const soon = rule({ dwellMs: 1 })
    expect(decidedAt(soon, thin, thin)).toBeNull()
    expect(decidedAt(rule({ dwellMs: 1, reference: 'ask' }), thin, thin)).toBe(1)
    expect(decidedAt(soon, wide, wide)).toBeNull()
    expect(decidedAt(soon, lone, lone)).toBeNull()
    // No ask can exceed one: the spread is at most 0.05.
    expect(decidedAt(rule({ dwellMs: 1, reference: 'bid' }), lone, lone)).toBe(1)
    expect(decidedAt(rule({ dwellMs: 1, reference: 'bid', maxSpread: 0.04 }), lone, lone)).toBeNull()
  })

  it('ignores a book that is stale, crossed, or was broken between two looks', () => {
    const crossed = { bid: { price: 620_000, size: 5 }, ask: { price: 610_000, size: 5 } }
    const soon = rule({ dwellMs: 1 })
    expect(decidedAt(soon, here, { isStale: true }, { isStale: false, ...here })).toBeNull()
    expect(decidedAt(soon, here, crossed, here)).toBeNull()
    expect(decidedAt(soon, here, { ...here, breaks: 1 })).toBeNull()
    expect(decidedAt(soon, here, { ...here, breaks: 1 }, here)).toBe(2)
  })

  it('does not advance the dwell time for a book dated in the future', () => {
    const long = rule({ dwellMs: 60_000 })
    expect(decidedAt(long, here, { ...here, eventTs: at + 3_600_000 })).toBeNull()
    expect(decidedAt(rule({ dwellMs: 1 }), here, { ...here, eventTs: at + 3_600_000 })).toBe(1)
  })

  it('restarts when the clock of the book steps back, and counts the same book once', () => {
    expect(decidedAt(rule({ dwellMs: 1 }), here, { ...here, eventTs: at }, here)).toBe(2)
    expect(decidedAt(rule({ dwellMs: 1 }), here, { ...here, seq: 2 })).toBeNull()
  })

  it('that trails follows the best price to the last digit, and states it in its evidence', () => {
    const bid = (price: number) => ({ bid: { price, size: 5 }, ask: { price: price + 10_000, size: 5 } })
    const { price: _, ...base } = rule({ reference: 'bid', dwellMs: 1 })
    const below: TriggerRule = { ...base, when: 'at_or_below', trail: { by: 'price', distance: 0.05 } }
    // The level rises with the bid and does not fall with it.
    expect(decidedAt(below, bid(500_000), bid(620_000), bid(600_000), bid(570_000), bid(570_000))).toBe(4)
    expect(decidedAt(below, bid(500_000), bid(620_000), bid(570_001), bid(570_001))).toBeNull()
    // A new best between two samples at the old level restarts the count.
    expect(decidedAt(below, bid(620_000), bid(570_000), bid(630_000), bid(580_000), bid(575_000))).toBe(4)
    const above: TriggerRule = { ...base, when: 'at_or_above', trail: { by: 'percent', distance: 10 } }
    expect(decidedAt(above, bid(300_001), bid(330_001), bid(330_001))).toBeNull()
    // 110 % of 0.300001 is 0.3300011: the next half millionth is 0.3300015.
    expect(decidedAt(above, bid(300_001), bid(330_002), bid(330_002))).toBe(2)
    const world = new World()
    world.arm(0, below)
    for (const price of [620_000, 560_000, 560_000]) {
      world.book.seq++
      world.book.now += 1_000
      Object.assign(world.book, { eventTs: world.book.now }, bid(price))
      world.look()
      world.settle()
    }
    expect(world.results.at(-1)!.decisions.get('0')).toMatchObject({
      referencePrice: 0.56,
      bestPrice: 0.62,
      level: 0.57,
      distance: 0.05,
    })
  })

  it('that trails takes no best from a thin, wide, stale or crossed book', () => {
    const bid = (price: number) => ({ bid: { price, size: 5 }, ask: { price: price + 10_000, size: 5 } })
    const { price: _, ...base } = rule({ reference: 'bid', dwellMs: 1 })
    const trailing: TriggerRule = { ...base, when: 'at_or_below', trail: { by: 'price', distance: 0.05 } }
    const high = { price: 700_000, size: 5 }
    const bad: Partial<Book>[] = [
      { bid: { ...high, size: 0.5 }, ask: { price: 710_000, size: 5 } },
      { bid: high, ask: { price: 900_000, size: 5 } },
      { ...bid(700_000), isStale: true },
      { bid: high, ask: { price: 690_000, size: 5 } },
    ]
    const later = { isStale: false, ...bid(640_000) }
    for (const book of bad) expect(decidedAt(trailing, bid(600_000), book, later, later)).toBeNull()
    expect(decidedAt(trailing, bid(600_000), bid(700_000), later, later)).toBe(3)
  })

  it('with a time is met by the live book of that moment, changed or not, and waits while the book is not live', () => {
    const time = new Date(at + 10_000).toISOString()
    const { price: _, when: __, ...base } = rule({ maxSpread: 1, confirmations: 1, dwellMs: 0 })
    const timed: TriggerRule = { ...base, minSize: 0, at: time }
    const world = new World()
    world.arm(0, timed)
    world.arm(1, { ...timed, minSize: 11 })
    const look = (over: Partial<Book> = {}): string[] => {
      Object.assign(world.book, over)
      world.look()
      world.settle()
      return [...world.results.at(-1)!.decisions.keys()]
    }
    expect(look({ now: at + 9_999 })).toEqual([])
    expect(look({ now: at + 10_000, isStale: true, breaks: 1 })).toEqual([])
    // Live again without a new book.
    expect(look({ now: at + 12_000, isStale: false })).toEqual(['0'])
    expect(world.results.at(-1)!.decisions.get('0')).toMatchObject({
      at: time,
      readAt: new Date(at + 12_000).toISOString(),
      bookTime: new Date(at).toISOString(),
      samples: 1,
      sequence: 1,
    })
    // Not live any more before it was stored, and live again.
    look({ isStale: true, breaks: 2 })
    expect([...world.results.at(-1)!.withdrawn]).toEqual(['0'])
    expect(look({ isStale: false })).toEqual(['0'])
    const large = { price: 590_000, size: 11 }
    expect(look({ seq: 2, bid: large, ask: { ...large, price: 610_000 } })).toEqual(['1'])
  })

  it('with a time is never dated before its time, even if the steady clock is behind', () => {
    const due = at + 10_000
    const engine = new Triggers(4)
    const { price: _, when: __, ...base } = rule({ confirmations: 1, dwellMs: 0 })
    const book = Object.assign(new Book(), { now: due - 0.4 })
    engine.follow(1, 1, book.read())
    const compiled = compileRule({ ...base, at: new Date(due).toISOString() }, false)
    engine.arm({ ...compiled, handle: 0, serial: 0, slot: 1, generation: 1 })
    engine.becomeDue(due)
    engine.take(1, book.read(), book.now)
    while (engine.work(1_000_000, () => undefined));
    const [decision] = engine.drain(Infinity).decisions
    expect(decision?.evidence.readAt).toBe(new Date(due).toISOString())
  })

  it('starts with the sequence after that of the book when the first order waited, whether or not it was known then', () => {
    for (const isWatched of [true, false]) {
      const engine = new Triggers(2)
      const book = Object.assign(new Book(), here)
      engine.follow(1, 1, isWatched ? book.read() : { ...book.read(), seq: 0, stale: true })
      engine.arm({ ...compileRule(rule({ dwellMs: 1 }), false), handle: 0, serial: 0, slot: 1, generation: 1 })
      const decided = [0, 1, 2].map(() => {
        engine.take(1, book.read(), book.now)
        book.seq++
        book.eventTs! += 10
        return engine.hasNotices
      })
      expect(decided).toEqual([false, false, true])
    }
  })

  it('reads the same book from the other side for the other outcome', () => {
    const world = new World()
    // NO at 0.4 or below is YES at 0.6 or above.
    world.arm(0, rule({ when: 'at_or_below', price: 0.4, reference: 'ask', dwellMs: 1 }), true)
    Object.assign(world.book, here)
    for (let i = 0; i < 2; i++) {
      world.book.seq++
      world.book.eventTs! += 10
      world.look()
      world.settle()
    }
    expect([...world.results.at(-1)!.decisions]).toEqual([
      ['0', expect.objectContaining({ reference: 'ask', referencePrice: 0.4, spread: 0.01, size: 5, samples: 2 })],
    ])
  })
})
