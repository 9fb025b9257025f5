// Adding a venue takes its folders and three lines. Every other place that names one must be checked for each new venue, so they are
// counted.
import { describe, expect, it } from 'vitest'
import { labVenueNames } from '#lab/venues'
import { disabledVenues, sandboxVenues, servedVenues } from '#schemas/venues'
import { folderNames, sourceFiles } from './source.ts'

const slugs = [...servedVenues, ...disabledVenues, ...sandboxVenues].map((slug) => slug.replaceAll('-', '[-_]'))

const lists = ['schemas/venues', 'src/venues/registry', 'lab/venues']

const example = 'an example of the OpenAPI document'

const exceptions: Readonly<Record<string, string>> = {
  'src/orders/funding/routes/getSpotFundingSteps': 'the specification has this route for one venue, by its name',
  'src/server/mcp/orderFields':
    'what an order of each venue is built from, as one text; a test compares it with the adapters',
  'src/roles/funding': 'joins that route to its venue',
  'schemas/algorithms': example,
  'schemas/batch': example,
  'schemas/router': example,
  'src/orders/executions/routes/cancelAll': example,
  'src/orders/risk/routes/adminRiskLimits': example,
  'src/portfolio/reconciliation/routes/reconcilePortfolio': example,
  'src/portfolio/routes/imports': example,
  'src/paper/routes/changePaperAccount': example,
  'lab/recordedTapes': 'recordings, which name the venues they were taken at',
  'src/matching/read/parsedMarket': 'rain, the weather',
  'src/matching/read/subjects': 'rain, the weather, and a coin that questions mention',
}

// A whole word of the code, or of a name in camel case or an environment variable. Words of the specification that begin with a venue
// (`gemini_time_nonce_required`, the fee formula `kalshi_quadratic`) do not count, and neither does a second opinion.
const naming = new RegExp(`(?<!\\w)(?:${slugs.join('|')})(?!\\w)|CROSSBOOK_(?:${slugs.join('|')})_`, 'i')

const isNaming = (code: string): boolean =>
  naming.test(
    code
      .replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
      .replace(/second[- ]?opinions?/gi, '')
      .replace(/([a-z\d])([A-Z])/g, '$1-$2'),
  )

const namingFiles = sourceFiles('src', 'actors', 'workers', 'schemas', 'lab')
  .filter(
    ({ path }) =>
      !/^(src\/venues|lab)\/[^/]+\//.test(path) || /^(src\/venues\/shared|lab\/(catalog|chain|engine))\//.test(path),
  )
  .filter(({ text }) => isNaming(text))
  .map(({ path }) => path)

describe('a venue is named', () => {
  it('in three lists and the exceptions, each of which is still needed', () => {
    expect(namingFiles.sort(), 'ask its manifest, or its line in the lab’s table').toEqual(
      [...lists, ...Object.keys(exceptions)].sort(),
    )
  })

  it.each([
    ["venue === 'gemini'", true],
    ['import { x } from "#venues/polymarket_us/exec/index"', true],
    ['hyperliquidSpot(owner)', true],
    ['const startPolymarketUsLab = 1', true],
    ['value.CROSSBOOK_KALSHI_LANE', true],
    ["['kalshi-demo']", true],
    ["code: 'gemini_time_nonce_required'", false],
    ["kind: 'kalshi_quadratic'", false],
    ['prediction, training, opinionated, predicate', false],
    ['secondOpinion(a, b, new SecondOpinions())', false],
    ['// as kalshi does\n/** gemini */ const url = "https://example.com"', false],
  ])('%s: %s', (code, expected) => {
    expect(isNaming(code)).toBe(expected)
  })

  it('as a lab folder only where the table has it', () => {
    const others = ['catalog', 'chain', 'engine', 'feeds', 'glide']
    const folders = folderNames('lab').filter((name) => !others.includes(name))
    expect(folders.sort()).toEqual([...labVenueNames].sort())
  })
})
