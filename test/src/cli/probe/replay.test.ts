// A saved probe runs again without its venue and finds the same, so that a report about a venue can be reproduced and fixed.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readKnownFields } from '#cli/probe/knownFields'
import { saveBundle } from '#cli/probe/save'
import { systemClock } from '#core/clock'
import type { HttpResponse } from '#net/http'
import { probeLab, type VenueName, venueNames } from '#test/support/probe/probeLab'
import { readBundles, replayBundle } from '#test/support/probe/replayProbe'
import { venueCases } from '#test/support/venueCases'

/** Signed with the operator's key at each connection. */
const needsKey: readonly string[] = ['kalshi', 'polymarket_us']

async function saved(venue: VenueName, answer?: (response: HttpResponse) => HttpResponse) {
  const folder = await mkdtemp(join(tmpdir(), 'probe-'))
  try {
    const credentials = !needsKey.includes(venue)
    const known = readKnownFields(venue)
    const { client, lab, ...probed } = await probeLab(venue, { known, credentials, ...(answer && { answer }) })
    await saveBundle(folder, probed, client.exchanges, {
      credentials: null,
      ownUrls: lab[venueCases[venue].lab].urls,
      urls: lab[venueCases[venue].lab].urls,
      now: systemClock.now(),
    })
    return readBundles(folder)[0]!
  } finally {
    await rm(folder, { recursive: true })
  }
}

it.each(venueNames.filter((venue) => !needsKey.includes(venue)))(
  'probes %s again from a saved bundle',
  async (venue) => {
    const bundle = await saved(venue)
    expect(bundle.report.steps.filter(({ state }) => state === 'fail')).toEqual([])
    const again = await replayBundle(bundle)
    const statesOf = ({ verdict, steps }: typeof again) => [verdict, ...steps.map(({ step, state }) => [step, state])]
    expect(statesOf(again)).toEqual(statesOf(bundle.report))
    expect(again.drift).toEqual([])
  },
)

it('finds a recorded difference again', async () => {
  const answer = ({ body, ...response }: HttpResponse): HttpResponse => ({
    ...response,
    body: { ...(body as object), surprise: 1 },
  })
  const bundle = await saved('xo', answer)
  const surprises = expect.arrayContaining([expect.objectContaining({ kind: 'unknown', field: 'surprise' })])
  expect(bundle.report.drift).toEqual(surprises)
  expect((await replayBundle(bundle)).drift).toEqual(surprises)
})
