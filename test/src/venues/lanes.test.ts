// Rules that every lane follows, and which lanes a deployment arms.
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { readConfig } from '#config'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { openLanes } from '#roles/lanes'
import type { ExecutionAdapter } from '#venues/lane'
import { lanes } from '#venues/registry'

const all = Object.values<ExecutionAdapter>(lanes)

describe('armed lanes', () => {
  const catalog = { findOutcomes: async () => [], findMarket: async () => null }
  const armedBy = async (environment: Record<string, string>) => {
    const running = openLanes(readConfig(environment), catalog as never, { clock: systemClock, log: silentLog })
    await running.close()
    expect(running.known).toHaveLength(all.length)
    const urls = (slug: string) => running.armed.get(slug)?.context(new AbortController().signal, 'account').urls
    return { slugs: [...running.armed.keys()].sort(), urls }
  }
  /** These are behind flags in the specification. */
  const byFlag = ['gemini', 'kalshi', 'pred']
  const wantsSettings = ({ settings = {}, chain }: ExecutionAdapter): boolean =>
    chain?.needed === true || Object.values(settings).some(({ needed }) => needed === true)
  const always = all.flatMap((lane) => (byFlag.includes(lane.slug) || wantsSettings(lane) ? [] : [lane.slug]))

  it.each<[string, Record<string, string>, string[]]>([
    ['no settings', {}, []],
    ['kalshi', { CROSSBOOK_KALSHI_LANE: 'true' }, ['kalshi']],
    ['gemini', { CROSSBOOK_GEMINI_LANE: 'true' }, ['gemini']],
    ['pred', { CROSSBOOK_PRED_LANE: 'true' }, ['pred']],
    ['both', { CROSSBOOK_KALSHI_LANE: 'true', CROSSBOOK_GEMINI_LANE: 'true' }, ['gemini', 'kalshi']],
    ['kalshi off', { CROSSBOOK_KALSHI_LANE: 'false' }, []],
  ])('arms kalshi, gemini and pred only by their flags: %s', async (_, environment, more) => {
    expect((await armedBy(environment)).slugs).toEqual([...always, ...more].sort())
  })

  it('arms all but the one that the operator disarmed', async () => {
    const others = always.filter((slug) => slug !== 'hyperliquid').sort()
    expect((await armedBy({ CROSSBOOK_HYPERLIQUID_LANE: 'false' })).slugs).toEqual(others)
  })

  it('uses the operator’s address if configured', async () => {
    const { urls } = await armedBy({ CROSSBOOK_POLYMARKET_CLOB_URL: 'http://127.0.0.1:9/clob' })
    expect(urls('polymarket')).toEqual({ ...lanes.polymarket!.urls, CLOB: 'http://127.0.0.1:9/clob' })
    expect(urls('hyperliquid')).toEqual(lanes.hyperliquid!.urls)
    expect(urls('gemini')).toBeUndefined()
  })
})

it('every folder that builds orders is a lane, and every lane has a folder', () => {
  const venues = join(dirname(fileURLToPath(import.meta.url)), '../../../src/venues')
  const folders = readdirSync(venues).filter((name) => existsSync(join(venues, name, 'exec/build.ts')))
  expect(folders.sort()).toEqual(Object.keys(lanes).sort())
  for (const [slug, lane] of Object.entries(lanes)) expect(lane.slug).toBe(slug)
})

describe.each(Object.entries(lanes))('%s', (_, lane) => {
  const unrecognized = (schema: z.ZodType, body: object): string[] =>
    (schema.safeParse(body).error?.issues ?? []).flatMap((issue) =>
      issue.code === 'unrecognized_keys' ? issue.keys : [],
    )

  it.each([
    'apiKey',
    'apiSecret',
    'apiKeyId',
    'secret',
    'secretKey',
    'keyId',
    'passphrase',
    'privateKey',
    'privateKeyPem',
    'signature',
    'nonsense',
  ])('no build body accepts %s or repeats its value', (name) => {
    const { order, cancel, modify, redeem, split, merge, convert } = lane
    for (const body of [order, cancel, modify, redeem, split, merge, convert].map((verb) => verb?.body)) {
      if (body === undefined) continue
      expect(unrecognized(body, { [name]: 'canary-5b1f' })).toEqual([name])
      expect(JSON.stringify(body.safeParse({ [name]: 'canary-5b1f' }).error)).not.toContain('canary')
    }
  })

  it('lists exactly the fields of submit and refresh', () => {
    for (const half of [lane.submit, lane.refresh]) {
      if (half === undefined) continue
      expect(
        unrecognized(half.body, Object.fromEntries([...half.fields, 'nonsense'].map((name) => [name, 7]))),
      ).toEqual(['nonsense'])
    }
    if (lane.refresh !== undefined) expect(lane.refresh.credentialFree).toBe(lane.refresh.fields.length === 0)
  })
})

it('a burst of one account’s signatures is queued, not refused', async () => {
  const running = openLanes(readConfig({}), { findOutcomes: async () => [], findMarket: async () => null } as never, {
    clock: systemClock,
    log: silentLog,
  })
  const context = running.armed.get('polymarket')!.context(new AbortController().signal, 'account')
  let [at, most] = [0, 0]
  const work = async () => {
    most = Math.max(most, ++at)
    await new Promise(setImmediate)
    at--
  }
  await Promise.all(Array.from({ length: 400 }, () => context.heavy(work)))
  expect(most).toBe(1)
  await running.close()
})
