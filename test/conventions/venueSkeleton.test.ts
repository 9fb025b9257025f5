// The skeleton that all venue folders share: which files they have, where, and what these export. A manifest uses its files' exports, so
// most optional files follow from it. docs/adding-a-venue.md says what belongs in each.
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sampleOf } from '#test/support/docs/samples'
import { registry } from '#venues/registry'
import type { ErrorTable } from '#venues/shared/exec/errorTable'
import type { VenueManifest } from '#venues/venue'

type Exports = Readonly<Record<string, unknown>>

/** A venue's file: what the manifest uses of it. */
interface Part {
  file: string
  name: string
  of(manifest: VenueManifest): unknown
}

const ofData = (file: string, ...names: readonly (keyof VenueManifest['data'])[]): Part[] =>
  names.map((name) => ({ file, name, of: ({ data }) => data[name] }))

const parts: readonly Part[] = [
  ...ofData('ids', 'bookRef', 'marketBook'),
  ...ofData('fees', 'feeModel'),
  ...ofData('orderSizes', 'orderSizes'),
  ...ofData(
    'data/reads',
    'walkCatalog',
    'fetchMarket',
    'fetchMarkets',
    'fetchEvent',
    'fetchOrderBook',
    'fetchOrderBooks',
    'fetchTrades',
    'fetchCandles',
  ),
  ...ofData('data/stream', 'stream'),
  ...ofData('data/metrics', 'fetchMetrics'),
  ...ofData('data/openOrders', 'openOrders'),
  ...ofData('data/optionPrices', 'optionPrices'),
  ...ofData('data/chainTrades', 'chainTrades'),
  ...ofData('data/pendingTrades', 'pendingTrades'),
  { file: 'data/traders', name: 'traders', of: ({ traders }) => traders },
  { file: 'exec/body', name: 'OrderBody', of: ({ exec }) => exec?.order.body },
  { file: 'exec/facts', name: 'gatherFacts', of: ({ exec }) => exec?.order.gatherFacts },
  { file: 'exec/build', name: 'build', of: ({ exec }) => exec?.order.build },
  { file: 'exec/artifact', name: 'artifacts', of: ({ exec }) => exec?.artifacts },
  { file: 'exec/artifact', name: 'checkBounds', of: ({ exec }) => exec?.checkBounds },
  { file: 'exec/describe', name: 'describe', of: ({ exec }) => exec?.describe },
  { file: 'exec/redeem', name: 'buildRedeem', of: ({ exec }) => exec?.redeem?.build },
  { file: 'exec/positions', name: 'buildSplit', of: ({ exec }) => exec?.split?.build },
  { file: 'exec/refresh', name: 'refresh', of: ({ exec, status }) => (exec ?? status)?.refresh?.read },
  { file: 'exec/readFill', name: 'readFill', of: ({ exec }) => exec?.readFill },
  { file: 'exec/holdings', name: 'holdings', of: ({ exec, status }) => (exec ?? status)?.holdings },
]

/** Of every venue, whatever its manifest says. */
const always = [
  'README',
  'index',
  'ids',
  'fees',
  'wire',
  'data/endpoints',
  'data/normalize',
  'data/reads',
  'exec/index',
]
/** Further shapes of payloads, and the manifest of the venue's sandbox. */
const optional = ['wireTraders', 'wireStream', 'wireCatalog', 'demo']
const isBelow = /^(data|exec)\//

const manifests: readonly VenueManifest[] = Object.values(registry)

const folderOf = (slug: string): string => fileURLToPath(new URL(`../../src/venues/${slug}`, import.meta.url))

/** Without extension. */
const filesOf = (slug: string): string[] =>
  readdirSync(folderOf(slug), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.\w+$/.test(name))
    .map((name) => name.replaceAll('\\', '/').replace(/\.(ts|md)$/, ''))

function requiredOf(manifest: VenueManifest): string[] {
  const used = parts.filter(({ of }) => of(manifest) !== undefined).map(({ file }) => file)
  const isRead = used.includes('exec/refresh')
  return [...new Set([...always, ...used, ...(isRead ? ['exec/errors'] : [])])]
}

const load = async (slug: string, file: string): Promise<Exports> => {
  const path = `#venues/${slug}/${file.replace(/\.ts$/, '')}`
  return (await import(/* @vite-ignore */ path)) as Exports
}

const isTable = (value: unknown): value is ErrorTable =>
  typeof value === 'object' && value !== null && 'refusal' in value

describe('a venue’s folder', () => {
  it.each(manifests)('$slug: has the files that its manifest requires', (manifest) => {
    const files = filesOf(manifest.slug)
    const missing = requiredOf(manifest).filter((file) => !files.includes(file))
    expect(missing, `missing in src/venues/${manifest.slug}`).toEqual([])
  })

  it.each(manifests)('$slug: has further files in data and exec only', (manifest) => {
    const listed = [...requiredOf(manifest), ...optional]
    const strays = filesOf(manifest.slug).filter((file) => !listed.includes(file) && !isBelow.test(file))
    expect(strays, `src/venues/${manifest.slug}: move them to data or exec, or name them as listed`).toEqual([])
  })

  it.each(manifests)('$slug: has no file of the skeleton that its manifest does not use', (manifest) => {
    const required = requiredOf(manifest)
    const reserved = [...parts.map(({ file }) => file), 'exec/errors']
    const unused = filesOf(manifest.slug).filter((file) => reserved.includes(file) && !required.includes(file))
    expect(unused, `the manifest of ${manifest.slug} uses nothing of them`).toEqual([])
  })

  it.each(manifests)('$slug: its manifest uses the exports of these files', async (manifest) => {
    for (const { file, name, of } of parts) {
      const used = of(manifest)
      if (used === undefined) continue
      const exported = (await load(manifest.slug, file))[name]
      expect(exported === used, `${name} of the manifest is the export of ${file}.ts`).toBe(true)
    }
  })
})

it('the page on adding a venue names every file of the skeleton', () => {
  const page = sampleOf('docs/adding-a-venue.md', 'src/venues/<venue>')
  const names = [...always, ...optional, ...parts.map(({ file }) => file), 'exec/errors'].map((file) => basename(file))
  expect([...new Set(names)].filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([])
})

describe('the refusals of a venue', () => {
  const reading = manifests.filter((manifest) => requiredOf(manifest).includes('exec/errors'))

  it.each(reading)('$slug: are tables, of answers or of contract errors', async ({ slug }) => {
    const exported = await load(slug, 'exec/errors')
    const tables = Object.entries(exported).filter(([, value]) => isTable(value))
    const contractErrors = exported.contractErrors instanceof Map ? [exported.contractErrors] : []
    expect(tables.length + contractErrors.length, 'an errorTable, or contractErrors').toBeGreaterThan(0)
    for (const [name, table] of tables) {
      expect(name).toMatch(/Errors$/)
      expect((table as Partial<ErrorTable>).rows?.length, `the rows of ${name}`).toBeGreaterThan(0)
    }
  })

  it.each(reading)('$slug: are shown in our own words where no order was examined', async ({ slug }) => {
    for (const { rows } of Object.values(await load(slug, 'exec/errors')).filter(isTable)) {
      const own = rows.filter(({ means }) => means === 'notLookedAt')
      expect(own.filter(({ shownAs }) => shownAs === undefined)).toEqual([])
    }
  })

  it.each(reading.filter(({ exec }) => exec?.submit !== undefined))(
    '$slug: are next to the acceptances of what is sent to the venue',
    async ({ slug }) => {
      const names = Object.keys(await load(slug, 'exec/errors'))
      expect(names.includes('contractErrors') || names.some((name) => name.startsWith('accept'))).toBe(true)
    },
  )
})

describe('the description of an artifact', () => {
  const describing = manifests.filter(({ exec }) => exec !== undefined)

  it.each(describing)('$slug: is all that its file exports', async ({ slug }) => {
    expect(Object.keys(await load(slug, 'exec/describe'))).toEqual(['describe'])
  })
})
