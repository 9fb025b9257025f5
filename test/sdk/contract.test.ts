// The clients follow the documents: the generated files match the current document, and a breaking change raises the version.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { breaking, isBreakingBump } from '#sdk/breaking'
import { type Documents, documents } from '#sdk/contract'
import { generated, generatedFolder, readSummary } from '#sdk/generate'
import { type Summary, summarize } from '#sdk/summary'

const current = documents()
const hint = 'run npm run sdk:generate, and commit what it writes'
const parse = (file: string) =>
  JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as { version: string }

it('the client has the version of the document and of the program', () => {
  const { info } = current.openapi as { info: { version: string } }
  expect(parse('sdk/typescript/package.json').version, 'sdk/typescript/package.json').toBe(info.version)
  expect(parse('package.json').version).toBe(info.version)
})

describe('generated files', () => {
  let now: Record<string, string>
  beforeAll(async () => {
    now = await generated(current)
  }, 60_000)

  it.each(['api.ts', 'frames.ts', 'operations.ts'])('%s matches the documents', (name) => {
    const committed = readFileSync(new URL(name, generatedFolder), 'utf8')
    // A diff of ten thousand lines would not help.
    expect(committed === now[name], `${name} is of another document: ${hint}`).toBe(true)
  })
})

it('no change breaks a client of the committed summary, unless the version is raised', () => {
  const before = readSummary()!
  const now = summarize(current)
  const breaks = isBreakingBump(before.version, now.version) ? [] : breaking(before, now)
  expect(breaks, `clients of ${before.version} break: npm run sdk:generate -- --raise, and commit`).toEqual([])
  expect(
    JSON.stringify(now) === JSON.stringify(before),
    `sdk/generated/contract.json is of another document: ${hint}`,
  ).toBe(true)
})

const schemas = {
  Row: {
    type: 'object',
    required: ['id', 'state'],
    properties: { id: { type: 'string' }, state: { enum: ['a', 'b'] }, more: { type: ['number', 'null'] } },
  },
  Wish: { type: 'object', required: ['a'], properties: { a: { type: 'string' }, b: { enum: ['x', 'y'] } } },
}
function summaryOf(
  change: (document: Record<string, never>, parts: typeof schemas) => void = () => undefined,
): Summary {
  const parts = structuredClone(schemas)
  const post = {
    operationId: 'put',
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'limit', in: 'query', schema: { type: 'integer' } },
    ],
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Wish' } } } },
    responses: {
      200: {
        content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Row' } } } },
      },
    },
  }
  const document = { paths: { '/rows/{id}': { post } }, components: { schemas: parts } }
  change(document as never, parts)
  const asyncapi = { components: { messages: {}, schemas: {} } }
  return summarize({ version: '0.1.0', openapi: document, asyncapi } as Documents)
}
// biome-ignore lint/suspicious/noExplicitAny: a document is changed by path
type Any = any

describe('a change', () => {
  it.each<[string, (document: Any, parts: Any) => void, string]>([
    ['an operation is removed', (document) => delete document.paths['/rows/{id}'], 'put: is gone'],
    [
      'it moved',
      (document) => Object.assign(document, { paths: { '/r/{id}': document.paths['/rows/{id}'] } }),
      'put: was POST /rows/{id}, is POST /r/{id}',
    ],
    [
      'a parameter is removed',
      ({ paths }) => paths['/rows/{id}'].post.parameters.pop(),
      'put: query.limit is no longer accepted',
    ],
    [
      'a parameter is required',
      ({ paths }) => Object.assign(paths['/rows/{id}'].post.parameters[1], { required: true }),
      'put: query.limit must be sent now',
    ],
    [
      'a new parameter is required',
      ({ paths }) => paths['/rows/{id}'].post.parameters.push({ name: 'n', in: 'query', required: true }),
      'put: query.n must be sent now',
    ],
    [
      'a parameter has another type',
      ({ paths }) => Object.assign(paths['/rows/{id}'].post.parameters[1], { schema: { type: 'string' } }),
      'put: query.limit: integer is no longer accepted',
    ],
    [
      'an enum value is removed',
      (_, { Wish }) => Wish.properties.b.enum.pop(),
      'put: body.b: "y" is no longer accepted',
    ],
    ['a field of a body is required', (_, { Wish }) => Wish.required.push('b'), 'put: body.b must be sent now'],
    [
      'a field of a response is removed',
      (_, { Row }) => delete Row.properties.more,
      'put: application/json[].more is no longer returned',
    ],
    [
      'a field of a response may be absent',
      (_, { Row }) => Row.required.pop(),
      'put: application/json[].state may be absent now',
    ],
    [
      'a field of a response has another type',
      (_, { Row }) => Object.assign(Row.properties, { id: { type: 'integer' } }),
      'put: application/json[].id: integer was not in the earlier version',
    ],
    [
      'a field of a response may be null',
      (_, { Row }) => Object.assign(Row.properties, { id: { type: ['string', 'null'] } }),
      'put: application/json[].id: null was not in the earlier version',
    ],
  ])('breaks clients where %s', (_, change, line) => {
    expect(breaking(summaryOf(), summaryOf(change))).toContain(line)
  })

  it.each<[string, (document: Any, parts: Any) => void]>([
    ['nothing changed', () => undefined],
    [
      'a shape has another name, or none',
      ({ paths }, parts) => {
        const { Wish, Row } = parts
        delete parts.Wish
        delete parts.Row
        Object.assign(parts, { Other: Row })
        const { post } = paths['/rows/{id}']
        post.requestBody.content['application/json'].schema = Wish
        post.responses[200].content['application/json'].schema.items.$ref = '#/components/schemas/Other'
      },
    ],
    ['an enum becomes free text', (_, { Row }) => Object.assign(Row.properties, { id: { enum: ['a', 'b'] } })],
    [
      'an operation is new',
      ({ paths }) => Object.assign(paths, { '/new': { get: { operationId: 'get', responses: {} } } }),
    ],
    ['a parameter is new', ({ paths }) => paths['/rows/{id}'].post.parameters.push({ name: 'n', in: 'query' })],
    ['a parameter need no longer be sent', (_, { Wish }) => Wish.required.pop()],
    ['an enum value of a request is added', (_, { Wish }) => Wish.properties.b.enum.push('z')],
    ['a field of a response is new', (_, { Row }) => Object.assign(Row.properties, { n: { type: 'string' } })],
    ['an enum value of a response is added', (_, { Row }) => Row.properties.state.enum.push('c')],
    [
      'a field of a response is no longer nullable',
      (_, { Row }) => Object.assign(Row.properties.more, { type: 'number' }),
    ],
  ])('breaks nothing where %s', (_, change) => {
    expect(breaking(summaryOf(), summaryOf(change))).toEqual([])
  })

  it.each([
    ['0.1.0', '0.1.9', false],
    ['0.1.0', '0.2.0', true],
    ['0.9.0', '1.0.0', true],
    ['1.0.0', '1.4.0', false],
    ['1.9.0', '2.0.0', true],
    ['1.0.0', '0.9.0', false],
  ])('of version %s to %s may break: %s', (from, to, may) => {
    expect(isBreakingBump(from, to)).toBe(may)
  })
})
