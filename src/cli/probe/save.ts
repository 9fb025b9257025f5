// A bundle of the raw responses and frames of a probe, without credentials, so that a report about a venue can be reproduced.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '#core/secret'
import { nodeUrls } from '#net/rpc'
import { secretParts } from '#rawCapture/cleaner'
import { redact, redactBody } from '#venues/shared/redact'
import type { Probed } from './probeVenue.ts'
import type { Exchange } from './watchedClient.ts'

export interface Bundle {
  venue: string
  probedAt: string
  /** The base addresses that were read. */
  urls: Readonly<Record<string, string>>
  report: Probed['report']
  exchanges: Exchange[]
  /** As they came, the first ones. */
  frames: string[]
}

/** Headers that describe the venue; others may identify the account or the machine. */
export const headersKept: ReadonlySet<string> = new Set([
  'content-type',
  'date',
  'server',
  'retry-after',
  'cf-mitigated',
])

/** Writes `<folder>/<venue>.json`. `credentials`: of the operator, which must not be in it. */
export async function saveBundle(
  folder: string,
  { report, socket }: Probed,
  exchanges: readonly Exchange[],
  {
    credentials,
    urls,
    ownUrls,
    now,
  }: {
    credentials: Readonly<Record<string, string>> | null
    urls: Bundle['urls']
    /** The venue's own addresses, which are no secret; others may have keys in them. */
    ownUrls: Bundle['urls']
    now: number
  },
): Promise<string> {
  const own = new Set(Object.values(ownUrls))
  const given = Object.values(urls)
    .flatMap(nodeUrls)
    .filter((url) => !own.has(url))
  const secrets = [...Object.values(credentials ?? {}), ...given.flatMap(secretParts)].map((value) => new Secret(value))
  const clean = <T>(value: T): T => redactBody(value, secrets) as T
  const bundle: Bundle = {
    venue: report.venue,
    probedAt: new Date(now).toISOString(),
    urls: clean(urls),
    report: clean(report),
    exchanges: exchanges.map((exchange) => ({
      ...clean(exchange),
      url: redact(exchange.url, secrets),
      headers: Object.fromEntries(Object.entries(exchange.headers).filter(([name]) => headersKept.has(name))),
    })),
    frames: (socket?.kept ?? []).map((frame) => redact(frame, secrets)),
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${report.venue}.json`)
  await writeFile(path, `${JSON.stringify(bundle, null, 1)}\n`, { mode: 0o600 })
  return path
}
