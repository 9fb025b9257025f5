// What the lanes take and build, venue by venue: derived from the schemas that validate their bodies.
import { z } from 'zod'
import { positionIntents } from '#schemas/executions'
import type { LaneVerb } from '../defineRoute.ts'
import { examplesOf, type Json, type Shapes } from './shapes.ts'
import { upperCamel } from './shared.ts'

interface Verb {
  body: z.ZodType
}

/** The documented parts of a lane. */
export interface DescribedVenue {
  slug: string
  buildVersion?: number
  artifacts?: Readonly<Record<string, z.ZodType | undefined>>
  order?: Verb
  redeem?: Verb
  split?: Verb
  merge?: Verb
  convert?: Verb
  cancel?: Verb
  modify?: Verb
  submit?: Verb
  refresh?: Verb
}

export interface LaneShapes {
  /** One of the bodies that lanes take; null when none of them has the verb. */
  bodies: Readonly<Record<LaneVerb, z.ZodType | null>>
  /** The shape of `unsigned` in executions built by this version of a lane, one per intent. */
  artifacts: readonly { venue: string; buildVersion: number; schemas: readonly z.ZodType[] }[]
}

/** Read by the core, whatever the lane. */
const preview = z.boolean().optional()

export function executionSchemas(lanes: readonly DescribedVenue[]): LaneShapes {
  const of = (verb: 'cancel' | 'modify' | 'submit' | 'refresh') =>
    oneOf(
      verb,
      lanes.flatMap(({ slug, [verb]: taken }) => (taken === undefined ? [] : [{ slug, body: taken.body }])),
    )
  const orders = lanes.flatMap(({ slug, order }) =>
    order === undefined ? [] : [named(slug, 'build', withIntent(order.body, z.literal('order').optional()))],
  )
  const calls = (['redeem', ...positionIntents] as const).flatMap((intent) =>
    sharedBy(
      intent,
      lanes.flatMap(({ slug, [intent]: verb }) => (verb === undefined ? [] : [{ slug, body: verb.body }])),
      ({ body }) => withIntent(body, z.literal(intent)),
    ),
  )
  return {
    bodies: {
      build: union([...orders, ...calls]),
      cancel: of('cancel'),
      modify: of('modify'),
      submit: of('submit'),
      refresh: of('refresh'),
    },
    artifacts: lanes.flatMap(({ slug, buildVersion, artifacts }) =>
      buildVersion === undefined || artifacts === undefined
        ? []
        : [{ venue: slug, buildVersion, schemas: namedArtifacts(slug, artifacts) }],
    ),
  }
}

/** Shapes that are the same for all intents are merged. */
function namedArtifacts(slug: string, artifacts: Readonly<Record<string, z.ZodType | undefined>>): z.ZodType[] {
  const entries = Object.entries(artifacts).flatMap(([intent, schema]) =>
    schema === undefined ? [] : [{ intent, schema }],
  )
  const isOne = entries.length > 1 && new Set(entries.map(({ schema }) => schema)).size === 1
  return (isOne ? [{ intent: '', schema: entries[0]!.schema }] : entries).map(({ intent, schema }) =>
    schema.meta({ id: `${upperCamel(slug)}${upperCamel(intent)}Artifact` }),
  )
}

interface Taken {
  slug: string
  body: z.ZodType
}

const oneOf = (verb: string, taken: readonly Taken[]): z.ZodType | null =>
  union(sharedBy(verb, taken, ({ body }) => body))

const union = (schemas: readonly z.ZodType[]): z.ZodType | null =>
  schemas.length > 1 ? z.union(schemas) : (schemas[0] ?? null)

/** One component for all that take the same body, named after the verb alone. */
function sharedBy<T extends Taken>(verb: string, taken: readonly T[], shapeOf: (first: T) => z.ZodType): z.ZodType[] {
  const groups = new Map<z.ZodType, T[]>()
  for (const each of taken) groups.set(each.body, [...(groups.get(each.body) ?? []), each])
  return [...groups.values()].map((group) => {
    const [first] = group
    if (group.length === 1) return named(first!.slug, verb, shapeOf(first!))
    const description = `At ${group.map(({ slug }) => slug).join(', ')}`
    return shapeOf(first!).meta({ id: `${upperCamel(verb)}Body`, description })
  })
}

const named = (slug: string, verb: string, shape: z.ZodType): z.ZodType =>
  shape.meta({ id: `${upperCamel(slug)}${upperCamel(verb)}Body` })

/** Plus what the core reads itself. Cross-member conditions are in no schema. */
function withIntent(body: z.ZodType, intent: z.ZodLiteral | z.ZodOptional<z.ZodLiteral>): z.ZodType {
  const intentExample = intent instanceof z.ZodLiteral ? { intent: intent.value } : {}
  const examples = examplesOf(body).map((example) => ({ ...intentExample, ...(example as object) }))
  return z.strictObject({ dryRun: preview, intent, ...membersOf(body) }).meta({ examples })
}

function membersOf(body: z.ZodType): z.ZodRawShape {
  if (body instanceof z.ZodObject) return body.shape
  // What it is parsed into.
  if (body instanceof z.ZodPipe) return membersOf(body.def.in as z.ZodType)
  throw new Error('a build body is not an object')
}

/**
 * `unsigned` is any object: what an older version of a lane built is returned unchanged. What each builds now is documented under the condition
 * of its venue and version.
 */
export function withArtifactSchemas(
  { components, of, named }: Shapes,
  { artifacts }: LaneShapes,
  closed: boolean,
): Readonly<Record<string, Json>> {
  const { Execution: execution } = components
  if (execution === undefined) return components
  const chain = artifacts.reduceRight<Json>((otherwise, { venue, buildVersion, schemas }) => {
    const [one, ...others] = schemas.map((schema) => of(schema, 'input'))
    const unsigned = others.length === 0 ? one : { anyOf: [one, ...others] }
    return {
      if: { properties: { venue: { const: venue }, buildVersion: { const: buildVersion } } },
      // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
      then: { properties: { unsigned } },
      ...(Object.keys(otherwise).length === 0 ? {} : { else: otherwise }),
    }
  }, {})
  const references = artifacts.flatMap(({ schemas }) => schemas.map((schema) => String(of(schema, 'input').$ref)))
  const opened = closed ? [] : references.map((ref) => [ref.slice(ref.lastIndexOf('/') + 1), withFurther(named(ref))])
  return { ...components, ...Object.fromEntries(opened), Execution: { ...execution, ...chain } }
}

/** Answers may get further fields. */
const withFurther = (shape: Json): Json =>
  JSON.parse(
    JSON.stringify(shape, (key, value) => (key === 'additionalProperties' && value === false ? undefined : value)),
  )
