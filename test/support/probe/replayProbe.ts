// `npm run replay:probe <folder>`: runs the probes saved by `crossbook probe --save <folder>` through the current code, and prints what
// each finds now.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readKnownFields } from '#cli/probe/knownFields'
import { probeVenue } from '#cli/probe/probeVenue'
import { replayClient, replaySocket } from '#cli/probe/replay'
import type { VenueReport } from '#cli/probe/report'
import type { Bundle } from '#cli/probe/save'
import { watchClient } from '#cli/probe/watchedClient'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { manifests } from '#venues/registry'

/** Used in place of credentials, which no bundle contains. */
const placeholder = 'not saved'

export async function replayBundle(bundle: Bundle): Promise<VenueReport> {
  const manifest = manifests.find(({ slug }) => slug === bundle.venue)
  if (manifest === undefined) throw new Error(`no venue ${bundle.venue}`)
  const replayed = replayClient(bundle)
  const client = watchClient(replayed, replayed.receivedAt, bundle.urls)
  const { report } = await probeVenue({
    manifest,
    context: {
      venue: manifest.slug,
      http: client,
      clock: systemClock,
      log: silentLog,
      urls: bundle.urls,
      credentials: Object.fromEntries(manifest.credentialNames.map((name) => [name, placeholder])),
      signal: new AbortController().signal,
    },
    client,
    clock: systemClock,
    openSocket: replaySocket(bundle),
    known: readKnownFields(bundle.venue),
    socketPatienceMs: 1_000,
  })
  return report
}

export function readBundles(folder: string): Bundle[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Bundle)
}

if (process.argv[1]?.endsWith('replayProbe.ts')) {
  const [, , folder] = process.argv
  if (folder === undefined) throw new Error('give the folder of `crossbook probe --save <folder>`')
  for (const bundle of readBundles(folder)) {
    const report = await replayBundle(bundle)
    console.info(`${bundle.venue}, probed ${bundle.probedAt}: ${bundle.report.verdict} then, ${report.verdict} now`)
    for (const { step, state, message: says } of report.steps) console.info(`  ${step} ${state}: ${says}`)
    for (const { kind, field, source, message: says } of report.drift)
      console.info(`  ${kind} ${field} of ${source}: ${says}`)
  }
}
