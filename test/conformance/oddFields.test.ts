// One or two fields in an unexpected form cost those fields at every venue, never their row. Each simulated venue is walked once and its
// responses are recorded; then every field of every row is changed to other types or left out, one at a time and in random pairs, and the
// walk is repeated on the changed responses.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type Lab, startLab } from '#lab/lab'
import { createPrng } from '#lab/prng'
import { VenueBudgets } from '#net/hostRateLimiter'
import type { HttpClient, HttpRequest, HttpResponse } from '#net/http'
import { createHttpClient } from '#net/httpClient'
import { Event, type Market } from '#schemas/market'
import type { VenueCase } from '#test/support/cases/venueCase'
import { labCredentials } from '#test/support/labSettings'
import { absent, asText, changed, fieldsIn, isChanged, isEssential, type Path } from '#test/support/rowFields'
import { isLong } from '#test/support/shortRuns'
import { venueCases } from '#test/support/venueCases'
import type { VenueContext } from '#venues/venueContext'

const cases: readonly VenueCase[] = Object.values(venueCases)
const clock = new ManualClock()
let lab: Lab
beforeAll(async () => {
  lab = await startLab({
    clock,
    seed: 'odd fields',
    ratePerSecond: 0,
    markets: isLong ? 8 : 4,
    venues: cases.map((each) => each.lab),
  })
}, 60_000)
afterAll(() => lab?.stop())

/** Pairs of fields per venue. */
const pairs = isLong ? 2_000 : 30
const odd: readonly unknown[] = ['odd', -5, null, [], {}, true, absent]

const keyOf = ({ url, query, body }: HttpRequest): string => JSON.stringify([url, query, body])

describe.each(cases.map((each) => [each.manifest.slug, each] as const))('%s', (slug, { lab: name, manifest }) => {
  const answers = new Map<string, HttpResponse>()

  const walk = async (http: HttpClient, lost?: string[]): Promise<Map<string, Market>> => {
    const context: VenueContext = {
      venue: slug,
      http,
      clock,
      log: silentLog,
      urls: lab[name].urls,
      credentials: labCredentials(lab, name),
      signal: new AbortController().signal,
      ...(lost === undefined ? {} : { lostField: (field: string) => void lost.push(field) }),
    }
    const markets = new Map<string, Market>()
    for await (const page of manifest.data.walkCatalog(context, { updatedSinceMs: null }))
      for (const event of page.events)
        for (const market of Event.parse(event).markets) markets.set(market.marketId, market)
    return markets
  }

  const replay = (...changes: readonly (readonly [path: Path, to: unknown])[]): HttpClient => ({
    async request(sentRequest) {
      const answer = answers.get(keyOf(sentRequest))
      if (answer === undefined) return { status: 404, headers: {}, body: { code: 5, message: 'not recorded' } }
      return { ...answer, body: changes.reduce((body, [path, to]) => changed(body, path, to), answer.body) }
    },
  })

  it('a field of another type is dropped alone, and so are two: the market stays, no value is invented, and the loss is reported', async () => {
    const budgets = new VenueBudgets(slug, { perSecond: 10_000, burst: 10_000 }, clock)
    const real = createHttpClient({ venue: slug, budgets, clock })
    const recording: HttpClient = {
      async request(sentRequest) {
        const answer = await real.request(sentRequest)
        answers.set(keyOf(sentRequest), answer)
        return answer
      },
    }
    const asUsual = await walk(recording)
    await real.close()
    expect(asUsual.size).toBeGreaterThan(0)
    const paths = new Map(
      [...answers.values()].flatMap(({ body }) => fieldsIn(body).map((path) => [path.join('.'), path])),
    )
    const rowPaths = [...paths].filter(([, path]) => !isEssential(slug, path))
    expect(rowPaths.length).toBeGreaterThan(5)
    const wrong: string[] = []
    let reported = 0
    // Short runs give each field two of the values, and the fields one after the other all of them.
    const valuesFor = (n: number): readonly unknown[] =>
      isLong ? odd : [odd[n % odd.length], odd[(n + 3) % odd.length]]
    const singles = rowPaths.flatMap(([, path], n) => valuesFor(n).map((to) => [[path, to]] as const))
    const random = createPrng(`odd fields of ${slug}`)
    const one = () => [rowPaths[random.int(rowPaths.length)]![1], odd[random.int(odd.length)]] as const
    const doubles = Array.from({ length: pairs }, () => [one(), one()] as const)
    for (const changes of [...singles, ...doubles]) {
      const what = changes
        .map(([path, to]) => `${path.join('.')} as ${to === absent ? 'absent' : JSON.stringify(to)}`)
        .join(' and ')
      const lost: string[] = []
      const found = await walk(replay(...changes), lost).catch((error: unknown) => String(error))
      if (typeof found === 'string') {
        wrong.push(`${what}: ${found}`)
        continue
      }
      if (lost.length > 0) reported++
      const missing = [...asUsual.keys()].filter((id) => !found.has(id))
      if (missing.length > 0) wrong.push(`${what}: ${missing.length} of ${asUsual.size} markets are gone`)
      for (const [id, market] of found) {
        const before = asUsual.get(id)
        if (before === undefined) continue
        for (const problem of problemsOf(market, before)) wrong.push(`${what}: ${problem}`)
      }
    }
    // A number as text is the same number; so is an id.
    for (const [text, path] of paths) {
      if (![...answers.values()].some(({ body }) => isChanged(body, path, asText))) continue
      const found = await walk(replay([path, asText])).catch((error: unknown) => String(error))
      const missing = typeof found === 'string' ? found : [...asUsual.keys()].filter((id) => !found.has(id)).length
      if (missing !== 0) wrong.push(`${text} as text: ${missing} of ${asUsual.size} markets are gone`)
    }
    expect([...new Set(wrong)]).toEqual([])
    expect(reported).toBeGreaterThan(0)
  }, 300_000)
})

/**
 * What an unexpected form must not cause: a negative number, a price that differs from the original, or an inactive market that becomes
 * active.
 */
function problemsOf(market: Market, before: Market): string[] {
  const problems: string[] = []
  for (const name of ['volume24h', 'volume', 'liquidity', 'openInterest'] as const) {
    const value = market[name]
    if (value !== null && value < 0) problems.push(`${name} is ${value}`)
  }
  if (market.status === 'active' && before.status !== 'active') problems.push(`${before.status} became active`)
  for (const [n, { price }] of market.outcomes.entries()) {
    const originalPrice = before.outcomes[n]?.price ?? null
    if (market.status === 'resolved' && price !== null && price !== originalPrice)
      problems.push(`pays ${price}, not ${originalPrice}`)
    if (price !== null && !(price >= 0 && price <= 1)) problems.push(`price ${price}`)
  }
  return problems
}
