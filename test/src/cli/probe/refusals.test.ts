// Responses that are not the venue's: from a proxy in front of it, or a rate limit. Each is reported and saved in the bundle.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { saveBundle } from '#cli/probe/save'
import { systemClock } from '#core/clock'
import { venueNames } from '#test/support/probe/probeLab'
import { type FixedAnswer, probeRefused } from '#test/support/probe/probeRefused'
import { readBundles, replayBundle } from '#test/support/probe/replayProbe'

const page = { 'content-type': 'text/html' }
const plain = { 'content-type': 'text/plain' }
const challenge =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><script src="/cdn-cgi/challenge-platform/h/b"></script></body></html>'
const cloudFront =
  '<HTML><HEAD><TITLE>ERROR: The request could not be satisfied</TITLE></HEAD><BODY><H1>403 ERROR</H1>The Amazon CloudFront distribution is configured to block access from your country.</BODY></HTML>'
const cases: readonly (readonly [FixedAnswer, verdict: string, message: string])[] = [
  [{ status: 403, text: 'error code: 1020', headers: plain }, 'blocked', 'takes this program for a bot (status 403)'],
  [{ status: 503, text: challenge, headers: page }, 'blocked', 'takes this program for a bot (status 503)'],
  [{ status: 200, text: challenge, headers: page }, 'blocked', 'takes this program for a bot (status 200)'],
  [
    { status: 429, text: 'error code: 1015', headers: { ...plain, 'retry-after': '1' } },
    'blocked',
    'takes this program for a bot (status 429)',
  ],
  [
    { status: 403, text: `<!-- ${'-'.repeat(2_000)} -->${cloudFront}`, headers: page },
    'blocked',
    'refuses this location (status 403)',
  ],
  [{ status: 500, text: 'internal error', headers: plain }, 'fails', 'catalog: polymarket answered 500'],
  [
    { status: 200, text: '<html>maintenance</html>', headers: page },
    'fails',
    'catalog: the venue answered with a body',
  ],
]

it.each(cases)('reports %j, saves it, and finds it again in the bundle', async (answer, verdict, message) => {
  const { client, urls, ...probed } = await probeRefused('polymarket', answer)
  expect(probed.report).toMatchObject({ verdict, message: expect.stringContaining(message) })
  const folder = await mkdtemp(join(tmpdir(), 'probe-'))
  try {
    await saveBundle(folder, probed, client.exchanges, {
      credentials: null,
      urls,
      ownUrls: urls,
      now: systemClock.now(),
    })
    const bundle = readBundles(folder)[0]!
    expect(bundle.exchanges[0]).toMatchObject({ status: answer.status, headers: answer.headers ?? {} })
    expect(JSON.stringify(bundle.exchanges[0]!.body)).toContain(JSON.stringify(answer.text.slice(-30)).slice(1, -1))
    expect(await replayBundle(bundle)).toMatchObject({ verdict, message: expect.stringContaining(message) })
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('reports a rate limit as such at every venue', async () => {
  const limit = { status: 429, text: '{"error":"too many requests"}', headers: { 'retry-after': '1' } }
  const results = await Promise.all(
    venueNames.map(async (name) => {
      const { report, client } = await probeRefused(name, limit)
      return [name, report.verdict, report.message, client.exchanges[0]?.status]
    }),
  )
  expect(results).toEqual(
    venueNames.map((name) => [name, 'fails', expect.stringMatching(/^catalog: \S+ limits our requests/), 429]),
  )
}, 60_000)
