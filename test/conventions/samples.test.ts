// Every code sample of the pages is run or compared with what it describes: `claims` says how; none is left out.
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { routes } from '#roles/routes'
import { streamChannels } from '#schemas/stream'
import { tradeFilterVenue } from '#schemas/venues'
import { buildAsyncApi } from '#server/http/asyncapi'
import { buildOpenApi } from '#server/http/openapi'
import { parseClientFrame } from '#stream/protocol'
import { type Claim, claims } from '#test/support/docs/claims'
import { misfits, type Schema, valuesIn } from '#test/support/docs/fits'
import { pagesWithSamples, projectRoot, type Sample, samplesIn } from '#test/support/docs/samples'
import { messageOf } from '#test/support/heldFrames'
import { type ListedOperation, operationsOf, resolve } from '#test/support/openapiDocument'

const samples = pagesWithSamples().flatMap(samplesIn)
const nameOf = ({ page, line }: Sample): string => `${page}:${line}`
const claimsOf = ({ page, text }: Sample) => (claims[page] ?? []).filter(([begins]) => text.startsWith(begins))
const claimed = (kind: 'ranBy' | 'answers' | 'refuses' | 'streams' | 'asks' | 'shown') =>
  samples.flatMap((sample) =>
    claimsOf(sample).flatMap(([, claim]): [string, Sample, Claim][] =>
      kind in claim ? [[nameOf(sample), sample, claim]] : [],
    ),
  )

let openapi: object
let asyncapi: object
let operations: Map<string, ListedOperation>
beforeAll(() => {
  openapi = buildOpenApi(routes, { version: 'test', closed: true })
  asyncapi = buildAsyncApi('test', { channels: streamChannels, pendingTrades: tradeFilterVenue })
  operations = new Map(operationsOf(openapi).map((operation) => [operation.operationId, operation]))
})

describe('the samples', () => {
  it('each has one claim, and each claim one sample', () => {
    expect(samples.length).toBeGreaterThan(90)
    const unclaimed = samples.filter((sample) => claimsOf(sample).length !== 1)
    expect(unclaimed.map(nameOf)).toEqual([])
    const idle = Object.entries(claims).flatMap(([page, pageClaims]) =>
      pageClaims.flatMap(([begins]) => {
        const { length } = samples.filter((sample) => sample.page === page && sample.text.startsWith(begins))
        return length === 1 ? [] : [`${page}: ${begins} (${length})`]
      }),
    )
    expect(idle).toEqual([])
  })

  it.each(claimed('ranBy'))('%s is named by the file that runs it', (_, { page }, claim) => {
    const { ranBy } = claim as { ranBy: string }
    expect(existsSync(join(projectRoot, ranBy)), ranBy).toBe(true)
    const name =
      page === 'README.md' || basename(page) !== 'README.md' ? basename(page, '.md') : basename(dirname(page))
    // The gate runs its commands, not the page.
    const isScript = ranBy.startsWith('.ci/')
    if (!isScript) expect(readFileSync(join(projectRoot, ranBy), 'utf8')).toContain(name)
  })

  it.each(claimed('shown'))('%s is in a language that cannot be run', (_, { language }) => {
    expect(language).toBe('')
  })
})

test('detects a sample that differs from its schema, and … matches anything', () => {
  const item = { type: 'object', required: ['n'], properties: { n: { type: 'integer' }, at: { type: 'string' } } }
  const schema = { type: 'object', required: ['data'], properties: { data: { type: 'array', items: item } } }
  const of = (text: string): string[] => valuesIn(text).flatMap((value) => misfits(value, schema, {}))
  expect(of('{"data":[{"n":1,"at":"…"}]}\n{"data":[{"n":…}]}\n{"data":\n …}')).toEqual([])
  expect(of('{"data":[{"at":"now",…}],…}')).toEqual([])
  expect(of('{"data":[{"n":1.5}]}')).toEqual([expect.stringContaining('.data[0].n')])
  expect(of('{"data":[{"at":"now"}],"date":1}')).toEqual(['.data[0].n is missing', '.date is not known'])
  expect(() => valuesIn('{"data":')).toThrow('no JSON')
})

describe('responses', () => {
  const jsonOf = (operationId: string, status: string): Schema => {
    const { responses } = operations.get(operationId)!
    return responses[status]!.content!['application/json']!.schema
  }
  const within = (schema: Schema, [name, ...rest]: readonly string[]): Schema => {
    if (name === undefined) return schema
    const whole = resolve(openapi, schema) as Schema
    const properties = whole.properties as Readonly<Record<string, Schema>>
    return within(properties[name]!, rest)
  }

  it.each(claimed('answers'))('%s', (_, { text }, claim) => {
    const { answers, within: path = [] } = claim as { answers: string; within?: string[] }
    for (const value of valuesIn(text))
      expect(misfits(value, within(jsonOf(answers, '200'), path), openapi)).toEqual([])
  })

  it.each(claimed('refuses'))('%s', (_, { text }) => {
    for (const value of valuesIn(text)) expect(misfits(value, jsonOf('fetchMarkets_get', '400'), openapi)).toEqual([])
  })
})

describe('stream messages', () => {
  it.each(claimed('streams'))('%s', (_, { text }) => {
    for (const value of valuesIn(text) as { op?: string; type?: string; replay?: true }[]) {
      if (value.op !== undefined)
        expect(parseClientFrame(Buffer.from(JSON.stringify(value)), false), value.op).toMatchObject({ ok: true })
      else {
        const payload = { $ref: `#/components/messages/${messageOf(value as { type: string })}` }
        const { payload: schema } = resolve(asyncapi, payload) as unknown as { payload: Schema }
        expect(misfits(value, schema, asyncapi)).toEqual([])
      }
    }
  })
})

describe('requests', () => {
  it.each(claimed('asks'))('%s', (_, { text }) => {
    for (const request of text.split(/^(?=[A-Z]+ \/)/m)) {
      const [, method, path, rest] = /^([A-Z]+) (\S+)([\s\S]*)$/.exec(request)!
      const operation = [...operations.values()].find((each) => each.method === method && each.path === path)
      expect(operation, `${method} ${path}`).toBeDefined()
      const named = [...rest!.matchAll(/\s\?(\w+)|([A-Z][\w-]+): /g)].map(([, query, header]) => query ?? header!)
      const known = operation!.parameters.map(({ name }) => name)
      expect(known).toEqual(expect.arrayContaining(named))
      const schema = operation!.requestBody?.content['application/json']?.schema
      for (const [body] of rest!.matchAll(/\{"[\s\S]*?\}(?=\s*$|\s+or\s)/g))
        for (const value of valuesIn(body)) expect(misfits(value, schema!, openapi), path).toEqual([])
    }
  })
})
