// Pending fills: fills decoded from calldata equal the exchange’s events for any match, and unreadable calldata causes no errors.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Hex, toEventSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { encodeMatch, type LabFilled, type LabMatch, logsOf, settle } from '#lab/polymarket/exchange'
import { createPrng } from '#lab/prng'
import { pendingTrades } from '#venues/polymarket/data/pendingTrades'
import type { PendingFill } from '#venues/venue'
import { randomMatch, selectorsV1, settlers } from '../../../../support/matches.ts'

const { fillsOf } = pendingTrades
const factsFile = fileURLToPath(new URL('../../../../../../shared/facts/venues/polymarket.md', import.meta.url))
const facts = existsSync(factsFile) ? readFileSync(factsFile, 'utf8') : null
const runs = process.env.CROSSBOOK_TEST_LONG === '1' ? 100_000 : 700
const v2 = settlers[0]!

/** The fill that an event describes. */
function fillOfEvent({ order, makerAmountFilled, takerAmountFilled }: LabFilled): Partial<PendingFill> {
  const [shares, money] =
    order.side === 1 ? [makerAmountFilled, takerAmountFilled] : [takerAmountFilled, makerAmountFilled]
  return {
    bookId: order.tokenId.toString(),
    type: order.side === 1 ? 'Sell' : 'Buy',
    shares: Number(shares) / 1e6,
    usd: Number(money) / 1e6,
    wallet: order.maker.toLowerCase(),
  }
}
/** Puts the taker first: it is last among events and first among fills. */
const inOrder = (events: LabFilled[]): LabFilled[] => [events.at(-1)!, ...events.slice(0, -1)]

describe('pending fills', () => {
  it(`equal the events of ${runs} random matches on every contract`, () => {
    let settled = 0
    const kinds = new Set<string>()
    for (let n = 0; n < runs; n++) {
      const { to, first, encode } = settlers[n % settlers.length]!
      const match = randomMatch(`match ${n}`)
      const events = settle(match, { exchange: to, first })
      if (events === null) continue
      settled++
      for (const { side } of match.makers) kinds.add(`${match.taker.side} ${side}`)
      const fills = fillsOf(to, encode(match).toLowerCase())
      if (n % 10 === 0)
        expect(pendingTrades.agrees(fills![0]!, logsOf(events, to).at(-1)!.data), `match ${n}`).toBe(true)
      expect(
        fills?.map(({ bookId, type, shares, usd, wallet }) => ({ bookId, type, shares, usd, wallet })),
        `match ${n}`,
      ).toEqual(inOrder(events).map(fillOfEvent))
    }
    expect(settled).toBeGreaterThan(runs * 0.9)
    expect(kinds.size).toBe(4)
  })

  const order = (tokenId: bigint, side: 0 | 1, makerAmount: bigint, takerAmount: bigint, who: string) => ({
    ...randomMatch('one').taker,
    ...{ tokenId, side, makerAmount, takerAmount, maker: `0x${who.repeat(40)}` as const },
  })
  const matchOf = (taker: LabMatch['taker'], takerFill: bigint, makers: LabMatch['makers'], makerFills: bigint[]) => ({
    ...randomMatch('one'),
    ...{ taker, makers, takerFill, makerFills, makerFees: makers.map(() => 0n) },
  })
  const read = (match: LabMatch): PendingFill[] | null => fillsOf(v2.to, encodeMatch(match))

  it('list the taker first, then the makers, each from its own order’s perspective', () => {
    // 10 shares at 0.6: six of the same token from one maker, four minted with another who pays 0.4 for the other side.
    const taker = order(1n, 0, 6_000_000n, 10_000_000n, 'a')
    const makers = [order(1n, 1, 6_000_000n, 3_600_000n, 'b'), order(2n, 0, 1_600_000n, 4_000_000n, 'c')]
    expect(read(matchOf(taker, 6_000_000n, makers, [6_000_000n, 1_600_000n]))).toEqual([
      {
        ...{ bookId: '1', type: 'Buy', shares: 10, usd: 6, price: 0.6 },
        ...{ wallet: `0x${'a'.repeat(40)}`, maker: null, counterparty: null },
      },
      {
        ...{ bookId: '1', type: 'Sell', shares: 6, usd: 3.6, price: 0.6 },
        ...{ wallet: `0x${'b'.repeat(40)}`, maker: `0x${'b'.repeat(40)}`, counterparty: `0x${'a'.repeat(40)}` },
      },
      {
        ...{ bookId: '2', type: 'Buy', shares: 4, usd: 1.6, price: 0.4 },
        ...{ wallet: `0x${'c'.repeat(40)}`, maker: `0x${'c'.repeat(40)}`, counterparty: `0x${'a'.repeat(40)}` },
      },
    ])
  })

  it('with only complementary makers have the exchanged amounts, not those of the call; a single maker is named', () => {
    const taker = order(1n, 0, 7_000_000n, 10_000_000n, 'a')
    const [fill] = read(matchOf(taker, 7_000_000n, [order(1n, 1, 10_000_000n, 6_500_000n, 'b')], [10_000_000n]))!
    expect(fill).toMatchObject({ shares: 10, usd: 6.5, price: 0.65, maker: `0x${'b'.repeat(40)}` })
    expect(fill!.counterparty).toBe(fill!.maker)
  })

  it('are detected as different when the log differs', () => {
    const taker = order(1n, 0, 7_000_000n, 10_000_000n, 'a')
    const match = matchOf(taker, 7_000_000n, [order(1n, 1, 10_000_000n, 6_500_000n, 'b')], [10_000_000n])
    const [fill] = read(match)!
    const { data } = logsOf(settle(match, { exchange: v2.to })!, v2.to).at(-1)!
    expect(pendingTrades.agrees(fill!, data)).toBe(true)
    expect(pendingTrades.agrees({ ...fill!, usd: 7 }, data)).toBe(false)
    expect(pendingTrades.agrees({ ...fill!, type: 'Sell' }, data)).toBe(false)
    for (const broken of ['', '0x', data.slice(0, -2), `${data}00`, data.replace('0x', '0xz')])
      expect(pendingTrades.agrees(fill!, broken)).toBe(false)
  })

  it('of a seller whose shares are merged get one minus the makers’ price', () => {
    const taker = order(1n, 1, 10_000_000n, 3_000_000n, 'a')
    const [fill] = read(matchOf(taker, 10_000_000n, [order(2n, 1, 10_000_000n, 6_900_000n, 'b')], [10_000_000n]))!
    expect(fill).toMatchObject({ type: 'Sell', shares: 10, usd: 3.1, price: 0.31 })
  })

  it.each([
    ['of another token on the taker’s side', [order(1n, 0, 1n, 1n, 'b')], 0],
    ['that sell another token', [order(2n, 1, 1n, 1n, 'b')], 0],
    ['of two other tokens', [order(2n, 0, 1n, 1n, 'b'), order(3n, 0, 1n, 1n, 'c')], 0],
    ['with amounts beyond double precision', [order(1n, 1, 2n ** 60n, 1n, 'b')], 2n ** 60n],
    ['no makers', [], 0],
  ] as const)('are null when the contract would revert because of the makers: %s', (_title, makers, fill) => {
    const taker = order(1n, 0, 1_000_000n, 1_000_000n, 'a')
    expect(
      read(
        matchOf(
          taker,
          1n,
          makers,
          makers.map(() => BigInt(fill)),
        ),
      ),
    ).toBeNull()
  })

  it('are decoded only from calls of a known method on its contract', () => {
    const input = v2.encode(randomMatch('match 1'))
    expect(fillsOf(v2.to, input)).not.toBeNull()
    expect(fillsOf(`0x${'1'.repeat(40)}`, input)).toBeNull()
    expect(fillsOf(v2.to, `0xdeadbeef${input.slice(10)}`)).toBeNull()
    expect(fillsOf(settlers[3]!.to, input)).toBeNull()
  })
})

describe('invalid calldata', () => {
  const input = v2.encode(randomMatch('match 5'))

  it('truncated or with changed words never throws and never gives an invalid number', () => {
    const random = createPrng('broken calldata')
    for (let n = 0; n < 3_000; n++) {
      const words = input.slice(10).match(/.{1,64}/g)!
      const at = random.int(words.length)
      words[at] = [
        'f'.repeat(64),
        '0'.repeat(64),
        random
          .int(2 ** 31)
          .toString(16)
          .padStart(64, '0'),
        'zz'.repeat(32),
        '',
      ][random.int(5)]!
      const broken = `${input.slice(0, 10)}${words.join('')}`.slice(
        0,
        random.chance(0.5) ? random.int(input.length) : undefined,
      )
      const fills = fillsOf(v2.to, broken)
      for (const { shares, usd, price } of fills ?? []) {
        expect(Number.isFinite(shares) && Number.isFinite(usd)).toBe(true)
        expect(price === null || Number.isFinite(price)).toBe(true)
      }
    }
  })

  it('with more makers than fit in a block, all at one offset, is not decoded', () => {
    const word = (value: number | bigint): string => value.toString(16).padStart(64, '0')
    const head = [0, 7 * 32, 20 * 32, 1, 2_100 * 32, 0, 2_100 * 32].map(word)
    const tuple = Array.from({ length: 13 }, () => word(0))
    const makers = [word(2_000), ...Array.from({ length: 2_000 }, () => word(0))]
    const rest = Array.from({ length: 4_000 - head.length - tuple.length - makers.length }, () => word(2_000))
    const bomb = `0x3c2b4399${[...head, ...tuple, ...makers, ...rest].join('')}`
    expect(fillsOf(v2.to, bomb)).toBeNull()
    expect(fillsOf(v2.to, `0x3c2b4399${'0'.repeat(1_000_000)}`)).toBeNull()
  })
})

describe('the watched contracts', () => {
  it('are called with the selectors of their ABIs and emit the topics of their events', () => {
    expect(encodeMatch(randomMatch('match 1')).slice(0, 10)).toBe('0x3c2b4399')
    expect(selectorsV1).toEqual(['0xe60f0c05', '0x2287e350'])
    expect(pendingTrades.settledTopics).toEqual([
      toEventSelector('OrdersMatched(bytes32,address,uint8,uint256,uint256,uint256)'),
      toEventSelector('OrdersMatched(bytes32,address,uint256,uint256,uint256,uint256)'),
    ])
  })

  it.skipIf(facts === null)('are all settlement contracts of the facts (needs ../shared/facts)', () => {
    const rows = facts!.split('\n').filter((line) => /^\| (?:.*Exchange|V1 fee modules)/.test(line))
    const settling = rows
      .filter((line) => /\| (CTF Exchange|NegRisk CTF Exchange|Exchange V3|V1 fee modules)/.test(line))
      .flatMap((line) => line.match(/0x[0-9a-fA-F]{40}\b/g) ?? [])
      .map((address) => address.toLowerCase())
    expect(settling.length).toBeGreaterThanOrEqual(8)
    expect([...pendingTrades.contracts].sort()).toEqual([...new Set(settling)].sort())
    for (const selector of [toFunctionSelectorOf(v2.encode(randomMatch('match 1'))), ...selectorsV1])
      expect(facts).toContain(selector)
    expect(settlers.map(({ to }) => to).sort()).toEqual([...pendingTrades.contracts].sort())
  })
})

const toFunctionSelectorOf = (input: Hex): string => input.slice(0, 10)
