import { describe, expect, it } from 'vitest'
import { curlOf, type Document, found, operationsOf, type Parameter, resolve } from '../../../ui/reference/documents.ts'
import { inlineMarkdown } from '../../../ui/reference/inlineMarkdown.ts'
import { constraintText, partsOf, typeText } from '../../../ui/reference/schemaText.ts'

const document: Document = {
  info: { title: 'x', version: '1' },
  paths: {
    '/v1/things/{id}': {
      get: { operationId: 'getThing', summary: 'One thing', tags: ['things'] },
      delete: { operationId: 'deleteThing', tags: ['things'] },
    },
    '/health': { get: { operationId: 'health', security: [] } },
  },
  webhooks: { 'thing.changed': { post: { operationId: 'on.thing.changed', tags: ['webhooks'] } } },
  components: {
    schemas: {
      Tree: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string' },
          children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        },
      },
      Again: { $ref: '#/components/schemas/Tree' },
      Circle: { $ref: '#/components/schemas/Circle' },
    },
  },
}
const tree = { $ref: '#/components/schemas/Tree' }

describe('the documents', () => {
  it('list operations in their order, followed by events', () => {
    expect(operationsOf(document).map(({ id, tag, method }) => [id, tag, method])).toEqual([
      ['getThing', 'things', 'GET'],
      ['deleteThing', 'things', 'DELETE'],
      ['health', 'others', 'GET'],
      ['on.thing.changed', 'webhooks', 'EVENT'],
    ])
  })

  it('find operations that have every word, in any order', () => {
    const ids = (query: string) => found(operationsOf(document), query).map(({ id }) => id)
    expect(ids('thing ONE')).toEqual(['getThing'])
    expect(ids('nothing')).toEqual([])
    expect(ids('')).toHaveLength(4)
  })

  it('follow references over several hops, and end where they are circular or missing', () => {
    expect(resolve(document, { $ref: '#/components/schemas/Again' })).toHaveProperty('required')
    expect(resolve(document, { $ref: '#/components/schemas/Circle' })).toBeNull()
    expect(resolve(document, { $ref: '#/components/none' })).toBeUndefined()
  })

  it('show a call as a shell command: required parameters, the key unless none is needed, and a body', () => {
    const [get, remove, health] = operationsOf(document)
    const id: Parameter = { name: 'id', in: 'path', required: true, example: 'a1' }
    const query: Parameter = { name: 'limit', in: 'query' }
    expect(curlOf(get!, [id, query], 'http://h')).toBe('curl -H "Authorization: Bearer $KEY" "http://h/v1/things/a1"')
    expect(curlOf(remove!, [], 'http://h')).toBe(
      'curl -X DELETE -H "Authorization: Bearer $KEY" "http://h/v1/things/<id>"',
    )
    expect(curlOf(health!, [], 'http://h')).toBe('curl "http://h/health"')
    const posted = {
      ...remove!,
      method: 'POST',
      operation: { ...remove!.operation, requestBody: { content: { 'application/json': { example: { a: 1 } } } } },
    }
    expect(
      curlOf(
        posted,
        [
          { name: 'Idempotency-Key', in: 'header', required: true },
          { name: 'q', in: 'query', required: true },
        ],
        '',
      ),
    ).toBe(
      `curl -X POST -H "Authorization: Bearer $KEY" -H "Idempotency-Key: <Idempotency-Key>" -H "Content-Type: application/json" -d '{"a":1}' "/v1/things/<id>?q=<q>"`,
    )
  })
})

describe('a schema as text', () => {
  it.each<[string, Record<string, unknown>]>([
    ['Tree', tree],
    ['Tree[]', { type: 'array', items: tree }],
    ['string | null (date-time)', { type: ['string', 'null'], format: 'date-time' }],
    ['"a" | "b"', { enum: ['a', 'b'] }],
    ['true', { const: true }],
    ['number | "max"', { anyOf: [{ type: 'number' }, { const: 'max' }] }],
    ['one of 5 forms', { oneOf: [1, 2, 3, 4, 5].map((value) => ({ const: value })) }],
    ['object', { properties: {} }],
    ['any', {}],
  ])('is %s', (words, schema) => {
    expect(typeText(document, schema)).toBe(words)
  })

  it('has its parts, with the required ones, also of a schema that contains itself', () => {
    expect(partsOf(document, tree).map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ['name', true],
      ['children', false],
    ])
    expect(partsOf(document, partsOf(document, tree)[1]!.schema).map(({ name }) => name)).toEqual(['name', 'children'])
    const forms = { anyOf: [{ type: 'object', properties: { op: { const: 'stop' } } }, tree] }
    expect(partsOf(document, forms).map(({ name }) => name)).toEqual(['op: "stop"', 'Tree'])
    expect(partsOf(document, { type: 'string' })).toEqual([])
  })

  it('has its bounds, except those of a safe integer', () => {
    expect(constraintText({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 5 })).toBe(
      '≥ 0, default 5',
    )
  })
})

it('the code in a description is set apart, and a lone backtick is text', () => {
  expect(inlineMarkdown('`default` lists by status')).toEqual([
    { text: 'default', isCode: true },
    { text: ' lists by status', isCode: false },
  ])
  expect(inlineMarkdown('a ` b')).toEqual([{ text: 'a ` b', isCode: false }])
  expect(inlineMarkdown('')).toEqual([])
})
