// Turns every verb into its route `/api/{exchange}/{verb}`, GET and POST alike, and every unserved verb into a 501.

import { z } from 'zod'
import { Fault } from '#core/fault'
import { snapshotFields } from '#schemas/envelope'
import { defineRoute, type Route, type RouteAnswer } from '#server/http/defineRoute'
import { parseWith, requireArchive, requireFeature } from '#server/http/pipeline'
import type { Method, VerbAnswer } from '../defineVerb.ts'
import { withSuggestions } from '../didYouMean.ts'
import type { Exchange } from '../exchange.ts'
import type { MarketsDeps } from '../markets.ts'
import { capabilityOf } from '../verbs/has.ts'
import { unsupportedMethods } from '../verbs/unsupported.ts'
import { verbs } from '../verbs.ts'
import { conventionOf } from './callingConvention.ts'
import { listVenues } from './listVenues.ts'

/** As clients of the family send them; each verb defines how many it takes. */
const Positional = z.object({ args: z.array(z.unknown()) }).meta({ id: 'PositionalArguments' })

const BookOf = { venue: z.string(), outcomeId: z.string() }
const MergedBook = z.object({ ...BookOf, asOf: z.iso.datetime() })
/** By venue when the book is merged from several. */
const FailedBook = z.object({ ...BookOf, venue: z.string().optional(), code: z.string() })

/** The fields in `meta` depend on the verb. */
const verbFields = {
  ...snapshotFields,
  meta: z
    .object({
      limit: z.number().int().optional().describe('maximum number of rows, as understood'),
      total: z.number().int().optional(),
      totalUnknown: z.literal(true).optional().describe('not counted'),
      nextCursor: z.string().optional().describe('absent on the last page'),
      pending: z
        .literal(true)
        .optional()
        .describe('the tape did not answer in time: price changes and coverage follow'),
      tapeUntil: z.iso.datetime().optional().describe('candles after this are not known yet'),
      suggestions: z
        .array(z.string())
        .optional()
        .describe('of a search by title that finds nothing: the nearest titles'),
      failed: z.array(FailedBook).optional().describe('books that are missing'),
      merged: z.array(MergedBook).optional().describe('books in this one'),
      runId: z.string().nullable().optional().describe('matching run'),
      source: z
        .object({
          venue: z.string(),
          marketId: z.string(),
          bestBid: z.number().nullable(),
          bestAsk: z.number().nullable(),
        })
        .optional()
        .describe('the requested market'),
      contracts: z.number().optional().describe('size of the rows'),
      venuesLeftOut: z
        .number()
        .nullable()
        .optional()
        .describe(
          'venues without rows because their cluster has more than ten; those with the best bands are kept. Null where several processes share the clusters',
        ),
      reason: z.string().optional().describe('why there is no price'),
      filledAmount: z.number().optional(),
    })
    .meta({ id: 'ListMeta' })
    .optional(),
}

/** By their query schema. */
const named = new Map<Method['query'], z.ZodType>()

export const marketRoutes: readonly Route<MarketsDeps>[] = [
  listVenues,
  ...verbs.map(routeOf),
  ...Object.entries(unsupportedMethods).map(([name, pointer]) => unservedRoute(name, pointer)),
]

function routeOf(verb: Method): Route<MarketsDeps> {
  const convention = conventionOf(verb.args, verb.query)
  return defineRoute({
    operationId: verb.name,
    method: ['get', 'post'],
    path: `/api/{exchange}/${verb.name}`,
    access: {
      scope: 'read',
      credits: verb.credits,
      ...(verb.rowsPerCredit !== undefined && { rowsPerCredit: verb.rowsPerCredit }),
    },
    summary: verb.summary,
    tag: 'markets',
    data: verb.data,
    topLevelFields: verbFields,
    ...(verb.bodyBytesMax === undefined ? {} : { bodyBytesMax: verb.bodyBytesMax }),
    documented: {
      query: verb.query,
      body: z.union([argumentsOf(verb), Positional]),
    },
    errors: [
      ...verb.errors,
      'EXCHANGE_NOT_AVAILABLE',
      'NOT_SUPPORTED',
      ...(verb.feature === undefined ? [] : (['PLAN_REQUIRED'] as const)),
    ],
    handle({ params, query, body, call, principal, heavyReads }, { markets, plans }: MarketsDeps) {
      const exchange = markets.exchangeOf(params.exchange!)
      if (capabilityOf(verb, exchange) === false) throw notSupported(exchange, `${exchange.name} has no ${verb.name}`)
      // Only here: which exchanges exist and what they have does not depend on the plan.
      if (verb.feature !== undefined) requireFeature(plans, principal!, verb.feature)
      const named = call.method.toUpperCase() === 'GET' ? convention.fromQuery(query) : convention.fromBody(body)
      const mayReadArchive = (atMs: number): void => requireArchive(plans, principal!, atMs, markets.clock.now())
      const input = { query: parseWith(verb.query, named), exchange, mayReadArchive }
      const refused = async (error: unknown): Promise<never> => {
        throw await withSuggestions(error, input.query, exchange, markets)
      }
      try {
        const answer = verb.isHeavy(input.query)
          ? heavyReads.run(principal!.keyId, () => verb.handle(input, markets), call.signal)
          : verb.handle(input, markets)
        return answer instanceof Promise ? answer.then(toRouteAnswer, refused) : toRouteAnswer(answer)
      } catch (error) {
        return refused(error)
      }
    },
  })
}

/** Verbs with equal arguments share one, named after the first of them. */
function argumentsOf({ name, query }: Method): z.ZodType {
  const known = named.get(query)
  if (known !== undefined) return known
  const made = query.meta({ id: `${name[0]!.toUpperCase()}${name.slice(1)}Arguments` })
  named.set(query, made)
  return made
}

function toRouteAnswer(answer: VerbAnswer): RouteAnswer {
  const { rows } = answer
  if ('encoded' in answer) return { rawData: answer.encoded, siblings: answer.siblings, rows }
  if ('stream' in answer) return { raw: { contentType: 'application/json; charset=utf-8', body: answer.stream }, rows }
  const { data, asOf, source, meta } = answer
  return { data, siblings: { asOf, provenance: { source }, ...(meta === undefined ? {} : { meta }) }, rows }
}

function unservedRoute(name: string, pointer: string): Route<MarketsDeps> {
  return defineRoute({
    operationId: name,
    method: ['get', 'post'],
    path: `/api/{exchange}/${name}`,
    access: { scope: 'read', credits: 0 },
    summary: `Not served here: ${pointer}`,
    tag: 'markets',
    served: false,
    data: z.null(),
    errors: ['EXCHANGE_NOT_AVAILABLE', 'NOT_SUPPORTED'],
    handle({ params }, { markets }: MarketsDeps) {
      throw notSupported(markets.exchangeOf(params.exchange!), `${name} is not served here: ${pointer}`)
    },
  })
}

const notSupported = (exchange: Exchange, message: string): Fault =>
  new Fault('NOT_SUPPORTED', message, exchange.router ? {} : { exchange: exchange.name })
