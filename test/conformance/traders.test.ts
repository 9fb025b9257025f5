// The specification's table of trader capabilities, row by row, tested on the routes over each simulated venue; the fields of its rows; and
// the properties of every response.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { Fault } from '#core/fault'
import { SyntheticTraders } from '#lab/syntheticTraders'
import type { HttpClient } from '#net/http'
import {
  NativeLeader,
  SmartMoneyTrade,
  TradeFactors,
  TraderHolder,
  TraderScore,
  TraderTrade,
  WalletFactors,
  WalletStats,
  walletCategories,
} from '#schemas/traders'
import type { Reply, World } from '#test/src/server/http/world'
import { startTraderLab, type TraderLab, traderVenues, traderWorld } from '#test/support/traderWorld'
import { venueCases } from '#test/support/venueCases'
import { traderRoutes } from '#traders/index'
import { isStreamed } from '#venues/traderData'

const spec = fileURLToPath(new URL('../../../shared/spec.md', import.meta.url))
const absent = 'needs ../shared/spec.md, which is not next to this checkout'
const text = existsSync(spec) ? readFileSync(spec, 'utf8') : ''

let here: TraderLab
let world: World
beforeAll(async () => {
  here = await startTraderLab()
  world = traderWorld(here)
}, 60_000)
afterAll(() => here?.stop())

const get = (path: string): Promise<Reply> => world.get(`/v1/traders/${path}`)
const codeOf = ({ status, json }: Reply): string => (status === 200 ? 'ok' : `${status} ${json.error.code}`)

type Slug = keyof typeof venueCases
const isTraderVenue = (slug: string): slug is Slug => (traderVenues as readonly string[]).includes(slug)
/** Of Myriad a pool: its books have fewer fields. */
const marketIdPattern: Readonly<Record<string, RegExp>> = { myriad: /:amm:/ }
const marketOf = (slug: string): string => {
  if (!isTraderVenue(slug)) return 'any'
  const open = [...venueCases[slug].markets(here.lab)].filter(([, { status }]) => status === 'open')
  return open.map(([id]) => id).find((id) => marketIdPattern[slug]?.test(id) ?? true)!
}
const walletOf = (slug: string, n = 3): string => new SyntheticTraders(slug).all[n]!.wallet
const tradesPath = (slug: string): string => `${slug}/markets/${encodeURIComponent(marketOf(slug))}/trades`
const able = (verb: 'fetchTrades' | 'fetchHolders' | 'leaderboard' | 'fetchWallet' | 'fetchWalletTrades') =>
  traderVenues.filter(
    (slug) => (venueCases[slug].manifest as { traders?: object }).traders![verb as never] !== undefined,
  )

/** What no public source reports, so that nothing can be read: explained in the venue's README and in decision 0045. */
const unknownTo = new Map([
  ['pred trades', 'its trades are on its chain only, and the events of its contract are published nowhere'],
  ['pred feed', 'the same'],
])

describe('the specification’s table', () => {
  const part = text.split('Capabilities (trader trades')[1]?.split('\n\n')[1] ?? ''
  const rows = part.split('\n').slice(2)
  const expected = rows.flatMap((row) => {
    const [venues = '', ...cells] = row.split('|').slice(1, -1)
    return venues.split(',').map((venue) => [venue.trim(), ...cells.map((cell) => cell.trim())] as const)
  })
  const board = '`by=volume` with `window=all` only (other: 400)'

  it.skipIf(text === '')(`is read completely (${absent})`, () => {
    expect(expected.map(([venue]) => venue)).toHaveLength(17)
  })

  it.skipIf(text === '')(`agrees with the routes, row by row (${absent})`, async () => {
    for (const [name, ...cells] of expected) {
      const slug = name!.split(' ')[0]!
      const wallet = walletOf(slug)
      const word = async (path: string): Promise<string> => {
        const code = codeOf(await get(path))
        return code === 'ok' ? 'yes' : code === '400 TRADERS_UNSUPPORTED' ? 'no' : code
      }
      const boards = [await word(`${slug}/leaderboard`), await word(`${slug}/leaderboard?by=volume&window=all`)]
      const isLimited = boards.join() === '400 VALIDATION_ERROR,yes'
      const answered = [
        await word(tradesPath(slug)),
        await word(`${slug}/markets/${encodeURIComponent(marketOf(slug))}/holders`),
        isLimited ? board : boards[0],
        await word(`${slug}/wallets/${wallet}`),
        await word(`smart-money?venue=${slug}`),
      ]
      const names = ['trades', 'holders', 'board', 'profile', 'feed']
      const due = cells.map((cell, n) => (unknownTo.has(`${slug} ${names[n]}`) ? 'no' : cell))
      // The disabled venue is refused everywhere.
      const dark = cells.map(() => '404 EXCHANGE_NOT_AVAILABLE')
      expect([slug, ...answered]).toEqual([slug, ...(name!.includes('(dark)') ? dark : due)])
    }
  })

  it.skipIf(text === '')(`lists exactly the exceptions that the table claims (${absent})`, () => {
    const claims = expected.flatMap(([venue, ...cells]) =>
      ['trades', 'holders', 'board', 'profile', 'feed'].flatMap((name, n) =>
        cells[n] === 'yes' ? [`${venue} ${name}`] : [],
      ),
    )
    expect([...unknownTo.keys()].filter((claim) => !claims.includes(claim))).toEqual([])
  })
})

describe('the specification’s rows', () => {
  const section = text.split('### Trader intelligence rows')[1]?.split('###')[0] ?? ''
  const lineOf = (start: string): string => section.split('\n').find((line) => line.startsWith(`- ${start}`)) ?? ''
  /** The words in backticks up to the end of their sentence. */
  const fieldsIn = (sentence: string): string[] => [...sentence.matchAll(/`(\w+)`/g)].map(([, word]) => word!).sort()
  const keysOf = (shape: z.ZodObject): string[] => Object.keys(shape.shape).sort()
  const sentence = (line: string): string => line.slice(line.indexOf(':') + 1).split(/\.\s/)[0]!

  it.skipIf(text === '').each([
    ['Trade row', TraderTrade],
    ['Holder row', TraderHolder],
    ['Native leaderboard row', NativeLeader],
  ] as const)(`%s (${absent})`, (name, shape) => {
    expect(fieldsIn(sentence(lineOf(name)))).toEqual(keysOf(shape))
  })

  it.skipIf(text === '')(`scores, their factors and figures (${absent})`, () => {
    const line = lineOf('Score row')
    const fields = fieldsIn(line.slice(line.indexOf('):') + 2).split(/\.\s/)[0]!)
    expect([...fields, 'note'].sort()).toEqual(keysOf(TraderScore))
    expect(fieldsIn(/`w1`\) are ([^.]*)\./.exec(line)![1]!)).toEqual(keysOf(WalletFactors))
    expect(fieldsIn(/`stats`: ([^.]*)\./.exec(line)![1]!)).toEqual(keysOf(WalletStats))
    const smart = lineOf('Smart-money row')
    expect(fieldsIn(/`t1`: ([^)]*)\)/.exec(smart)![1]!)).toEqual(keysOf(TradeFactors))
    const additional = fieldsIn(smart.slice(smart.indexOf('plus')).replace(/\([^)]*\)/, ''))
    expect([...keysOf(TraderTrade), ...additional].sort()).toEqual(keysOf(SmartMoneyTrade))
    expect(fieldsIn(lineOf('Wallet category values'))).toEqual([...walletCategories].sort())
  })
})

describe('the specification’s routes', () => {
  const part = text.split('### Trader intelligence (all authenticated')[1]?.split('###')[0] ?? ''
  const rows = [...part.matchAll(/^\| `GET (\S+)` \| (.+) \|$/gm)].map(([, path, cell]) => [path!, cell!] as const)
  /** Commas inside brackets do not separate. */
  const parts = (cell: string): string[] => cell.split(/,(?![^(]*\))/).map((each) => each.trim())
  const nameOf = (each: string): string => /`(\w+)/.exec(each)![1]!
  const valuesOf = (each: string): string[] =>
    [...(/\(([^)]*)\)/.exec(each)?.[1] ?? '').matchAll(/`(\w+)`/g)].map(([, value]) => value!)
  const queryOf = (path: string): z.ZodObject | null =>
    (traderRoutes.find((route) => route.path === path)?.query ?? null) as z.ZodObject | null

  it.skipIf(text === '')(`are the existing routes, with exactly these parameters (${absent})`, () => {
    expect(rows.map(([path]) => path).sort()).toEqual(traderRoutes.map(({ path }) => path).sort())
    for (const [path, cell] of rows) {
      const names = cell === 'none' ? [] : parts(cell).map(nameOf)
      expect([path, Object.keys(queryOf(path)?.shape ?? {}).sort()]).toEqual([path, names.sort()])
    }
  })

  it.skipIf(text === '')(`accept every value that is named, and use the documented defaults (${absent})`, () => {
    const defaults: Record<string, unknown> = {}
    for (const [path, cell] of rows) {
      const query = queryOf(path)
      for (const each of cell === 'none' ? [] : parts(cell)) {
        const [name, values] = [nameOf(each), valuesOf(each)]
        if (name === 'cursor') continue
        for (const value of values)
          expect([path, name, query!.safeParse({ [name]: value }).success]).toEqual([path, name, true])
        if (values.length > 1) expect(query!.safeParse({ [name]: 'neither' }).success).toBe(false)
        const defaultValue = /`(\w+)` default/.exec(each)?.[1] ?? /default `(\w+)`/.exec(each)?.[1]
        if (defaultValue !== undefined) expect([path, query!.parse({})]).toMatchObject([path, { [name]: defaultValue }])
        if (defaultValue !== undefined) defaults[`${path} ${name}`] = defaultValue
      }
      if (query !== null && 'limit' in query.shape) expect([path, query.parse({})]).toMatchObject([path, { limit: 20 }])
    }
    expect(Object.values(defaults).sort()).toEqual(['all', 'all', 'profit'])
  })

  it.skipIf(text === '')(`require a key and cost credits (${absent})`, async () => {
    expect(part).toMatch(/^, metered GET/)
    for (const route of traderRoutes) {
      expect(route.methods).toEqual(['get'])
      expect(route.access).toMatchObject({ scope: 'read', credits: expect.any(Number) })
      const path = route.path.replace('{venue}', 'polymarket').replace('{marketId}', 'm').replace('{addr}', 'a')
      expect(codeOf(await world.get(path, { key: null }))).toBe('401 UNAUTHORIZED')
    }
  })

  it.skipIf(text === '')(`return the notes that the specification requires (${absent})`, async () => {
    const honesty = /Honesty notes returned with responses: (.*)/.exec(part)![1]!
    const notes = async (path: string): Promise<string> => (await get(path)).json.notes.join(' ')
    const due: [words: RegExp, path: string, told: RegExp][] = [
      [
        /cross-venue leaderboard interleaves venue-tagged entries/,
        'leaderboard',
        /each with its venue; nothing claims that two of them are one person/,
      ],
      [/current stored scores and is all-time only/, 'leaderboard', /current stored scores, of all time/],
      [
        /current stored scores and is all-time only/,
        'polymarket/leaderboard?by=score',
        /current stored scores, of all time/,
      ],
      [
        /`window=all` means since lane launch with no backfill/,
        'smart-money',
        /window=all reaches back to when this deployment began to record; nothing earlier/,
      ],
      ...[
        'leaderboard',
        'polymarket/leaderboard',
        'smart-money',
        tradesPath('polymarket'),
        `polymarket/wallets/${walletOf('polymarket')}`,
      ].map(
        (path) => [/Wallets are venue-scoped/, path, /Wallets are scoped to their venue/] as [RegExp, string, RegExp],
      ),
      ...[
        'leaderboard',
        'polymarket/leaderboard?by=score',
        'smart-money',
        `polymarket/wallets/${walletOf('polymarket')}`,
      ].map(
        (path) =>
          [/Scores are informational, not advice/, path, /Scores are informational, not advice/] as [
            RegExp,
            string,
            RegExp,
          ],
      ),
    ]
    for (const [words, path, note] of due) {
      expect(honesty).toMatch(words)
      expect([path, await notes(path)]).toEqual([path, expect.stringMatching(note)])
    }
    // Each clause is one of the above.
    expect(honesty.split(/[;.]\s*/).filter(Boolean)).toHaveLength(5)
  })

  it.skipIf(text === '')(`behave at each venue as the specification notes (${absent})`, async () => {
    const noted = /Venue notes: (.*)\./.exec(part)![1]!.split(/; (?![^(]*\))/)
    const notes = async (path: string): Promise<string> => (await get(path)).json.notes.join(' ')
    const checks: Record<string, () => Promise<void>> = {
      async predictfun() {
        expect(await notes('predictfun/leaderboard')).toMatch(
          /ranks by points only.*profit and volume .* are null; it values no trade in dollars/,
        )
      },
      async limitless() {
        expect(codeOf(await get(`limitless/wallets/${walletOf('limitless')}/trades`))).toBe('400 TRADERS_UNSUPPORTED')
        expect(await notes(`limitless/wallets/${walletOf('limitless')}`)).toMatch(/history is not public/)
      },
      async myriad() {
        expect(await notes(tradesPath('myriad'))).toMatch(/in the token of each market, so dollar figures are null/)
        const { data } = (await get(`myriad/markets/${encodeURIComponent(marketOf('myriad'))}/holders`)).json
        expect(new Set(data.map(({ usdValue }: TraderHolder) => usdValue))).toEqual(new Set([null]))
        expect((await get(`myriad/wallets/${walletOf('myriad')}`)).json.data.stats).toMatchObject({
          totalVolumeUsd: null,
          realizedPnlUsd: null,
        })
      },
      async hyperliquid() {
        expect(await notes(`hyperliquid/wallets/${walletOf('hyperliquid')}`)).toMatch(
          /totals cover only its recent fills/,
        )
      },
      async sxbet() {
        for (const path of ['leaderboard', 'markets/m/trades', 'markets/m/holders', 'wallets/a', 'wallets/a/trades'])
          expect([path, codeOf(await get(`sxbet/${path}`))]).toEqual([path, '400 TRADERS_UNSUPPORTED'])
      },
      async opinion() {
        const path = `opinion/wallets/${walletOf('opinion')}`
        expect(await notes(path)).toMatch(/with the operator’s key/)
        const { nextCursor } = (await get(`${path}/trades?limit=1`)).json
        expect((await get(`${path}/trades?limit=1&cursor=${nextCursor}`)).status).toBe(200)
      },
    }
    expect(noted.map((note) => note.split(' ')[0]).sort()).toEqual(Object.keys(checks).sort())
    for (const check of Object.values(checks)) await check()
  })
})

describe('every response', () => {
  const list = (shape: z.ZodObject) => (row: unknown) => shape.strict().parse(row)

  it('has rows of its shape and nothing else, with time, provenance and notes', async () => {
    const requests: [path: string, check: (row: unknown) => unknown, slug: string][] = [
      ...able('fetchTrades').map((slug) => [tradesPath(slug), list(TraderTrade), slug] as [string, never, string]),
      ...able('fetchHolders').map(
        (slug) =>
          [`${slug}/markets/${encodeURIComponent(marketOf(slug))}/holders`, list(TraderHolder), slug] as [
            string,
            never,
            string,
          ],
      ),
      ...able('leaderboard').map(
        (slug) => [`${slug}/leaderboard?by=volume`, list(NativeLeader), slug] as [string, never, string],
      ),
      ...able('fetchWalletTrades').map(
        (slug) => [`${slug}/wallets/${walletOf(slug)}/trades`, list(TraderTrade), slug] as [string, never, string],
      ),
    ]
    expect(requests.length).toBeGreaterThan(18)
    for (const [path, check, slug] of requests) {
      const { status, json } = await get(path)
      expect([path, status]).toEqual([path, 200])
      expect([path, json.data.length > 0]).toEqual([path, true])
      for (const row of json.data) {
        check(row)
        if ('venue' in row) expect(row.venue).toBe(slug)
      }
      expect(json).toMatchObject({ asOf: expect.any(String), provenance: { source: 'venue-rest' } })
      expect(json.notes).toContain('Wallets are scoped to their venue.')
      expect(json.notes.length).toBeGreaterThan(1)
    }
  })

  it.each([
    // Predict.fun reports no dollar values, Myriad counts in tokens.
    ['predictfun', { usdSize: null }],
    ['myriad', { usdSize: null }],
    // Neither a wallet nor a side is reported.
    ['pascal', { wallet: null, side: null, usdSize: null }],
    // Names without wallets, dollars without shares.
    ['xo', { wallet: null, amount: null }],
  ] as const)('returns null for what %s does not prove', async (slug, nothing) => {
    const { json } = await get(tradesPath(slug))
    for (const row of json.data) expect(row).toMatchObject(nothing)
  })

  it('returns the wallet, the side, and dollars that equal price times shares where they are known', async () => {
    for (const slug of ['polymarket', 'limitless', 'hyperliquid', 'rain']) {
      const { json } = await get(tradesPath(slug))
      for (const { wallet, side, price, amount, usdSize } of json.data) {
        expect(wallet).toMatch(/^0x[0-9a-f]{40}$/)
        expect(['buy', 'sell']).toContain(side)
        expect(Math.abs(usdSize - price * amount), slug).toBeLessThan(0.01)
      }
    }
  })

  it.each([
    ['limitless', { collateral: 'WETH' }],
    ['rain', { collateral: 'RAIN' }],
    ['hyperliquid', { quoteToken: 'USDH' }],
  ])('returns no dollars for %s unless its collateral is known to be dollars', async (slug, metadata) => {
    const { fetchMarket, context } = here.venues.get(slug)!
    const { market } = (await fetchMarket(context, marketOf(slug)))!
    const other = { ...market, sourceMetadata: { ...market.sourceMetadata, ...metadata } }
    const catalog = { findMarket: async () => other, findOutcomes: async () => [] }
    const { json } = await traderWorld(here, { catalog }).get(`/v1/traders/${tradesPath(slug)}`)
    expect(json.data.length).toBeGreaterThan(0)
    for (const row of json.data) expect(row).toMatchObject({ usdSize: null, amount: expect.any(Number) })
  })

  it('returns no dollars for a ranking by points alone, whatever the query', async () => {
    for (const by of ['profit', 'volume']) {
      const { json } = await get(`predictfun/leaderboard?by=${by}`)
      expect(json.data[0]).toMatchObject({ rank: 1, window: 'all', profitUsd: null, volumeUsd: null })
      expect(json.notes.join(' ')).toMatch(/points/)
    }
  })
})

describe('pages', () => {
  const walk = async (path: string, limit: number, most: number): Promise<{ tradeId: string; ts: number }[]> => {
    const rows: { tradeId: string; ts: number }[] = []
    let cursor: string | undefined
    do {
      const reply = await get(`${path}?limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`)
      expect([path, reply.status]).toEqual([path, 200])
      expect(reply.json.data.length).toBeLessThanOrEqual(limit)
      rows.push(...reply.json.data)
      cursor = reply.json.nextCursor
    } while (cursor !== undefined && rows.length < most)
    return rows.slice(0, most)
  }

  it('are together the whole list: whatever the page size, newest first, no row twice', async () => {
    const paths = [
      ...able('fetchTrades').map(tradesPath),
      ...able('fetchWalletTrades').map((slug) => `${slug}/wallets/${walletOf(slug)}/trades`),
    ]
    for (const path of paths) {
      const [small, large] = [await walk(path, 9, 24), await walk(path, 100, 24)]
      expect([path, small]).toEqual([path, large])
      expect(small.map(({ ts }) => ts)).toEqual(small.map(({ ts }) => ts).toSorted((a, b) => b - a))
      expect([path, new Set(small.map((row) => JSON.stringify(row))).size]).toEqual([path, small.length])
    }
  }, 20_000)

  it('are as long as the specification’s table of limits says', async () => {
    if (text !== '') {
      const limits = text.split('\n').filter((line) => /^\| list page size .*trader lists/.test(line))
      expect(limits.map((line) => line.split('|')[2]!.trim())).toEqual(['20', '100'])
    }
    for (const path of [tradesPath('polymarket'), `polymarket/wallets/${walletOf('polymarket')}/trades`]) {
      expect((await get(path)).json.data).toHaveLength(20)
      expect((await get(`${path}?limit=100`)).json.data).toHaveLength(100)
      expect((await get(`${path}?limit=1`)).json.data).toHaveLength(1)
    }
    const lists = [
      tradesPath('polymarket'),
      `polymarket/markets/${marketOf('polymarket')}/holders`,
      'polymarket/leaderboard',
      'leaderboard',
      `polymarket/wallets/${walletOf('polymarket')}/trades`,
      'smart-money',
    ]
    for (const path of lists) {
      for (const limit of ['0', '101', '-1', '1.5', 'many', '']) {
        expect([path, limit, codeOf(await get(`${path}?limit=${limit}`))]).toEqual([
          path,
          limit,
          '400 VALIDATION_ERROR',
        ])
      }
    }
  })

  it('accept only their own cursor', async () => {
    const path = tradesPath('polymarket')
    const { nextCursor } = (await get(path)).json
    const [, other] = [...venueCases.polymarket.markets(here.lab).keys()]
    for (const wrong of [
      `${path}?cursor=${nextCursor.slice(0, -2)}AA`,
      `${path}?cursor=nonsense`,
      `${path}?cursor=`,
      `polymarket/markets/${other}/trades?cursor=${nextCursor}`,
      `polymarket/wallets/${walletOf('polymarket')}/trades?cursor=${nextCursor}`,
      `smart-money?cursor=${nextCursor}`,
    ]) {
      expect([wrong, codeOf(await get(wrong))]).toEqual([wrong, '400 VALIDATION_ERROR'])
    }
  })

  it('refuse a cursor of another venue, market, wallet or kind', async () => {
    const lists = [
      ...able('fetchTrades').map(tradesPath),
      ...able('fetchWalletTrades').flatMap((slug) => [3, 5].map((n) => `${slug}/wallets/${walletOf(slug, n)}/trades`)),
    ]
    const cursors = new Map<string, string>()
    for (const path of lists) {
      const { nextCursor } = (await get(`${path}?limit=1`)).json
      if (nextCursor === undefined) continue
      cursors.set(path, nextCursor)
      expect([path, (await get(`${path}?limit=1&cursor=${nextCursor}`)).status]).toEqual([path, 200])
      expect([path, codeOf(await get(`${path}?cursor=${nextCursor.slice(1)}`))]).toEqual([path, '400 VALIDATION_ERROR'])
    }
    expect(cursors.size).toBeGreaterThan(8)
    for (const [from, cursor] of cursors)
      for (const path of [...lists.filter((other) => other !== from), 'smart-money'])
        expect([from, path, codeOf(await get(`${path}?cursor=${cursor}`))]).toEqual([
          from,
          path,
          '400 VALIDATION_ERROR',
        ])
  })
})

describe('leaderboards', () => {
  const windows = ['day', 'week', 'month', 'all']

  it('rank by the requested measure, in every window the venue has', async () => {
    for (const slug of ['polymarket', 'hyperliquid']) {
      for (const by of ['profit', 'volume'] as const) {
        for (const window of windows) {
          const { json } = await get(`${slug}/leaderboard?by=${by}&window=${window}&limit=100`)
          const figures = json.data.map((row: NativeLeader) => row[`${by}Usd`])
          expect(figures.length).toBeGreaterThan(10)
          // Polymarket ranks volume by shares: its dollars are unknown.
          if (slug === 'polymarket' && by === 'volume') expect(new Set(figures)).toEqual(new Set([null]))
          else expect(figures).toEqual(figures.toSorted((a: number, b: number) => b - a))
          expect(json.data.map(({ rank }: NativeLeader) => rank)).toEqual(figures.map((_: number, n: number) => n + 1))
          expect(new Set(json.data.map((row: NativeLeader) => row.window))).toEqual(new Set([window]))
        }
      }
    }
  })

  it.each([
    ['limitless', '', '400 VALIDATION_ERROR'],
    ['limitless', 'by=volume', 'ok'],
    ['limitless', 'by=volume&window=week', '400 VALIDATION_ERROR'],
    ['limitless', 'by=profit&window=all', '400 VALIDATION_ERROR'],
    ['limitless', 'by=score', '400 VALIDATION_ERROR'],
    ['predictfun', 'window=day', '400 VALIDATION_ERROR'],
    ['polymarket', 'by=score', 'ok'],
    ['polymarket', 'by=score&window=all', 'ok'],
    ['polymarket', 'by=score&window=week', '400 VALIDATION_ERROR'],
    ['polymarket', 'by=luck', '400 VALIDATION_ERROR'],
    ['polymarket', 'window=year', '400 VALIDATION_ERROR'],
    ['myriad', 'by=score', '400 TRADERS_UNSUPPORTED'],
    ['kalshi', 'by=score', '400 TRADERS_UNSUPPORTED'],
  ])('returns for %s?%s: %s', async (slug, query, code) => {
    expect(codeOf(await get(`${slug}/leaderboard?${query}`))).toBe(code)
  })

  it.each([
    ['', 'ok'],
    ['by=score', 'ok'],
    ['by=score&window=all&limit=100', 'ok'],
    ['by=profit', '400 VALIDATION_ERROR'],
    ['by=score&window=day', '400 VALIDATION_ERROR'],
  ])('returns for all venues ?%s: %s', async (query, code) => {
    const reply = await get(`leaderboard?${query}`)
    expect(codeOf(reply)).toBe(code)
    if (code === 'ok') expect(reply.json.notes.join(' ')).toMatch(/one person.*all time.*not advice/s)
  })
})

describe('unknown names', () => {
  it('are 404: markets, wallets, invalid wallets, and venues', async () => {
    for (const slug of able('fetchTrades')) {
      const { marketId } = venueCases[slug].unknown
      expect([slug, codeOf(await get(`${slug}/markets/${encodeURIComponent(marketId)}/trades`))]).toEqual([
        slug,
        '404 MARKET_NOT_FOUND',
      ])
    }
    const unknownWallet = `0x${'9'.repeat(40)}`
    for (const slug of able('fetchWallet')) {
      for (const wallet of [unknownWallet, 'nobody', '0x1']) {
        expect([slug, codeOf(await get(`${slug}/wallets/${wallet}`))]).toEqual([slug, '404 TRADER_NOT_FOUND'])
      }
    }
    for (const slug of able('fetchWalletTrades')) {
      expect([slug, codeOf(await get(`${slug}/wallets/${unknownWallet}/trades`))]).toEqual([
        slug,
        '404 TRADER_NOT_FOUND',
      ])
    }
    expect(codeOf(await get('nowhere/leaderboard'))).toBe('404 EXCHANGE_NOT_AVAILABLE')
    expect(codeOf(await get('smart-money?venue=nowhere'))).toBe('404 EXCHANGE_NOT_AVAILABLE')
    expect(codeOf(await get(`polymarket/wallets/${'x'.repeat(97)}`))).toBe('400 VALIDATION_ERROR')
  })

  it('a wallet is found in any letter case', async () => {
    const wallet = walletOf('polymarket')
    const { json } = await get(`Polymarket/wallets/0x${wallet.slice(2).toUpperCase()}`)
    expect(json.data.wallet).toBe(wallet)
  })
})

describe('a venue', () => {
  const paths = (slug: Slug): string[] =>
    [
      able('fetchTrades').includes(slug) && tradesPath(slug),
      able('fetchHolders').includes(slug) && `${slug}/markets/${encodeURIComponent(marketOf(slug))}/holders`,
      able('leaderboard').includes(slug) && `${slug}/leaderboard?by=volume`,
      able('fetchWallet').includes(slug) && `${slug}/wallets/${walletOf(slug)}`,
      able('fetchWalletTrades').includes(slug) && `${slug}/wallets/${walletOf(slug)}/trades`,
    ].filter((path) => path !== false)

  const answering = (http: HttpClient, market: unknown = null): World => {
    const venues = new Map(
      [...here.venues].map(([slug, venue]) => [slug, { ...venue, context: { ...venue.context, http } }]),
    )
    return traderWorld(
      { venues },
      { catalog: { findMarket: async () => market as never, findOutcomes: async () => [] } },
    )
  }

  it('that is unavailable, rate-limits or fails returns a retryable 503 without any of its text', async () => {
    const { lab } = here
    for (const slug of traderVenues) {
      const market = able('fetchTrades').includes(slug)
        ? (await here.venues.get(slug)!.fetchMarket(here.venues.get(slug)!.context, marketOf(slug)))!.market
        : null
      const failures: HttpClient['request'][] = [
        () => Promise.reject(new Fault('NETWORK_ERROR', 'the venue is unreachable', { detail: 'SECRET' })),
        // HTML, a response of another shape, a refusal of another kind.
        async () => ({ status: 200, headers: {}, body: 'SECRET' }),
        async () => ({ status: 200, headers: {}, body: { SECRET: 1 } }),
        async () => ({ status: 403, headers: {}, body: { error: 'SECRET' } }),
        async () => ({ status: 200, headers: {}, body: { data: 7, errno: 0, result: { list: 'SECRET' } } }),
      ]
      for (const [n, request] of failures.entries()) {
        const broken = answering({ request }, market)
        for (const path of paths(slug)) {
          const reply = await broken.get(`/v1/traders/${path}`)
          expect([n, path, codeOf(reply), reply.json.error?.retryable]).toEqual([n, path, '503 NETWORK_ERROR', true])
          expect(reply.text).not.toContain('SECRET')
        }
      }
    }
    expect(lab.played()).toBe(0)
  })

  it('without its required settings is refused as unsupported, and the error names what is missing', async () => {
    const bare = new Map(
      [...here.venues].map(([slug, venue]) => {
        const { RPC: _, ...urls } = venue.context.urls
        return [slug, { ...venue, context: { ...venue.context, urls, credentials: null } }]
      }),
    )
    const without = traderWorld({ venues: bare })
    const rain = await without.get(`/v1/traders/${tradesPath('rain')}`)
    expect([codeOf(rain), rain.json.error.message]).toEqual([
      '400 TRADERS_UNSUPPORTED',
      expect.stringContaining('node'),
    ])
    const opinion = await without.get(`/v1/traders/opinion/wallets/${walletOf('opinion')}`)
    expect([codeOf(opinion), opinion.json.error.message]).toEqual([
      '400 TRADERS_UNSUPPORTED',
      expect.stringContaining('key'),
    ])
  })

  it('that declares unnamed trades returns no wallet in any row', async () => {
    for (const slug of able('fetchTrades')) {
      const { traders } = here.venues.get(slug)!
      const { json } = await get(tradesPath(slug))
      const isNamed = json.data.some(({ wallet }: { wallet: string | null }) => wallet !== null)
      expect([slug, isNamed]).toEqual([slug, traders?.hasAnonymousTrades !== true])
    }
  })

  it('is in the feed where its trades are read, and nowhere else', () => {
    expect(traderVenues.filter((slug) => isStreamed(venueCases[slug].manifest))).toEqual(able('fetchTrades'))
  })
})
