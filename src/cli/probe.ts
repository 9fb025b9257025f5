// `crossbook probe`: which venues work from this network. Reads only, without keys unless they are configured, within the request budgets.
import { type Config, checkConfig } from '#config'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createHttpClient } from '#net/httpClient'
import { createSocketOpener } from '#net/socket'
import { openBudgets } from '#roles/budgets'
import { wrongVenueSettings } from '#roles/venueSettings'
import { credentialsOf, venueUrls } from '#roles/venues'
import { manifests } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'
import { print, printError, printJson } from './output.ts'
import { readKnownFields } from './probe/knownFields.ts'
import { type Probed, probeVenue } from './probe/probeVenue.ts'
import { describeError, failedReport, stepNames, type VenueReport } from './probe/report.ts'
import { saveBundle } from './probe/save.ts'
import { watchClient } from './probe/watchedClient.ts'
import { showProgress } from './progress.ts'
import { tableOf } from './table.ts'

export interface ProbeCommandOptions {
  json?: boolean
  /** Folder for the raw answers. */
  save?: string
}

/** With both waits of the socket and the reads before it a venue is done well within two minutes. */
const socketPatienceMs = 20_000
const venueMs = 110_000

/** The exit code is 1 when a venue fails, 2 when some are blocked and none fails. */
export async function probe(names: readonly string[], { json = false, save }: ProbeCommandOptions): Promise<void> {
  const { config, wrong } = checkConfig(undefined, wrongVenueSettings)
  if (wrong.length > 0) throw new Error(`configuration is wrong:\n${wrong.map((line) => `  ${line}`).join('\n')}`)
  const chosen = chosenOf(names, config)
  const progress = showProgress()
  const waiting = new Set(chosen.map(({ slug }) => slug))
  const showProgressLine = (): void =>
    progress.show(`probing ${waiting.size} of ${chosen.length} venues: ${[...waiting].join(', ')}`)
  showProgressLine()
  const unsaved: string[] = []
  const reports = await Promise.all(
    chosen.map(async (manifest) => {
      const { report, unsaved: why } = await probeOne(manifest, config, save)
      if (why !== null) unsaved.push(`${manifest.slug}: its answers were not saved: ${why}`)
      waiting.delete(manifest.slug)
      if (waiting.size > 0) showProgressLine()
      return report
    }),
  ).finally(progress.done)
  if (json) printJson(...reports.map((report) => JSON.stringify(report)))
  else print(...linesOf(reports))
  for (const line of unsaved) printError(line)
  if (save !== undefined) printError(`raw answers: ${save}; look at them before you publish them`)
  if (unsaved.length > 0 || reports.some(({ verdict }) => verdict === 'fails')) process.exitCode = 1
  else if (reports.some(({ verdict }) => verdict === 'blocked')) process.exitCode = 2
}

function chosenOf(names: readonly string[], { venues }: Config): VenueManifest[] {
  const wanted = names.length === 0 ? venues : names
  const unknown = wanted.filter((name) => !manifests.some(({ slug }) => slug === name))
  if (unknown.length > 0)
    throw new Error(`no venue ${unknown.join(', ')}; there are ${manifests.map(({ slug }) => slug).join(', ')}`)
  return manifests.filter(({ slug }) => wanted.includes(slug))
}

interface Ended {
  report: VenueReport
  /** Why the raw answers could not be written; null: they were, or were not requested. */
  unsaved: string | null
}

/** Never throws: whatever goes wrong at one venue is in its report, and the others are reported. */
async function probeOne(manifest: VenueManifest, config: Config, save: string | undefined): Promise<Ended> {
  const { slug } = manifest
  const { contactUrl } = config
  const http = createHttpClient({ venue: slug, budgets: openBudgets(config)(slug), contactUrl })
  const credentials = credentialsOf(manifest, config)
  const urls = venueUrls(manifest, config)
  const client = watchClient(http, () => systemClock.now(), urls)
  const run = async (): Promise<Probed> =>
    probeVenue({
      manifest,
      context: {
        venue: slug,
        http: client,
        clock: systemClock,
        log: silentLog,
        urls,
        credentials,
        signal: AbortSignal.timeout(venueMs),
      },
      client,
      clock: systemClock,
      openSocket: createSocketOpener(contactUrl),
      known: readKnownFields(slug),
      socketPatienceMs,
    })
  const probed = await run()
    .catch((error: unknown) => ({ report: failedReport(slug, error, client.requests), socket: null }))
    .finally(() => http.close())
  const { report } = probed
  try {
    if (save !== undefined)
      await saveBundle(save, probed, client.exchanges, {
        credentials,
        urls,
        ownUrls: manifest.urls,
        now: systemClock.now(),
      })
    return { report, unsaved: null }
  } catch (error) {
    return { report, unsaved: describeError(error) }
  }
}

const marks = { ok: 'ok', warn: 'WARN', fail: 'FAIL', skip: '-' } as const

/** A table of venues by step, and below it what was found. */
function linesOf(reports: readonly VenueReport[]): string[] {
  const rows = reports.map(({ venue, verdict, steps: done }) => [
    venue,
    verdict,
    ...stepNames.map((name) => marks[done.find(({ step }) => step === name)?.state ?? 'skip']),
  ])
  const findings = reports.flatMap((report) => findingsOf(report).map((finding) => `${report.venue}: ${finding}`))
  return [...tableOf([['venue', 'verdict', ...stepNames], ...rows]), ...(findings.length > 0 ? ['', ...findings] : [])]
}

/** Fields named per venue and kind; `--json` has all. */
const fieldsNamed = 5

function findingsOf({ verdict, message, steps, unreadableRows, unreadableFields, drift }: VenueReport): string[] {
  const lost = Object.entries(unreadableFields).map(([field, count]) => `${field} (${count})`)
  return [
    ...(verdict === 'blocked' || verdict === 'skipped' || steps.length === 0 ? [message] : []),
    ...steps.flatMap(({ step, state, message: found }) =>
      state === 'warn' || state === 'fail' ? [`${step}: ${found}`] : [],
    ),
    ...(unreadableRows > 0 ? [`${unreadableRows} rows could not be read`] : []),
    ...(lost.length > 0 ? [`fields with an unexpected form: ${listed(lost)}`] : []),
    ...(['mistyped', 'missing', 'unknown'] as const).flatMap((kind) => {
      const fields = drift
        .filter((each) => each.kind === kind)
        .map(({ source, field, message: how }) => `${field} of ${source} (${how})`)
      return fields.length === 0 ? [] : [`${kind} fields: ${listed(fields)}`]
    }),
  ]
}

const listed = (names: readonly string[]): string =>
  names.length > fieldsNamed
    ? `${names.slice(0, fieldsNamed).join(', ')} and ${names.length - fieldsNamed} more`
    : names.join(', ')
