// The account's net positions over markets that ask the same or related questions, and what they can pay together.
import { z } from 'zod'
import { cursorBinding } from '#core/cursor'
import { NextCursor } from '#schemas/envelope'
import { ExposureMeta, ExposureRow, ExposureView, exposureLimitDefault, exposureLimitMax } from '#schemas/exposure'
import { portfolioFields } from '#schemas/portfolio'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import { TradedVenue } from '#server/http/venueName'
import { access, accountOf, fieldsOf, tag } from '../../routes/shapes.ts'
import { concentration, largestFirst, type Part, printCapital } from '../concentration.ts'
import { type AccountExposure, readExposure } from '../exposure.ts'
import type { Holding } from '../holdings.ts'
import { currencyOf } from '../money.ts'
import type { ExposureRouteDeps } from '../ports.ts'
import { eventKey, groupRow, type PartKey, partRow, venueKey } from '../rows.ts'

const cursorKind = 'exposure'
/** Parts listed in `meta.concentration`, of each kind. */
const concentrationMax = 20

const Query = z.strictObject({
  by: ExposureView.default('group'),
  venue: TradedVenue.optional().describe('groups with a position there; venues and events of this venue'),
  cursor: z.string().min(1).optional().describe('opaque, from nextCursor'),
  limit: clampedLimit(exposureLimitDefault, exposureLimitMax).describe('values above 100 are served as 100'),
})

/** Where a page ends: capital in the ledger's units, and the part's id. */
const Position = z.tuple([z.string().regex(/^-?\d+$/), z.string()])

export const getExposure = defineRoute({
  operationId: 'getExposure',
  method: 'get',
  path: '/v1/portfolio/exposure',
  access,
  heavy: true,
  summary:
    'What the account’s positions can pay together: worst case, best case and locked profit over markets that ask the same or related questions, largest capital first',
  tag,
  query: Query,
  data: z.array(ExposureRow),
  topLevelFields: {
    ...portfolioFields,
    unavailable: z
      .array(z.enum(['catalog', 'matches']))
      .describe(
        'sources that did not answer: without `matches` each market is a group, without `catalog` no payout is known',
      ),
    meta: ExposureMeta,
    nextCursor: NextCursor,
  },
  errors: ['EXCHANGE_NOT_AVAILABLE', 'EXEC_UNAVAILABLE', 'NOT_SUPPORTED'],
  async handle(input, { exposure: deps }: ExposureRouteDeps) {
    const { by, venue, cursor, limit } = input.query
    const accountId = accountOf(input)
    const bind = cursorBinding({ accountId, by, venue })
    const after = cursor === undefined ? null : Position.parse(deps.cursors.decode(cursorKind, bind, cursor))
    const exposure = await readExposure(deps, accountId)
    const venues = concentration(exposure.held.holdings, venueKey)
    const events = concentration(exposure.held.holdings, eventKey)
    const page = <Key>(parts: readonly Part<Key>[]) => pageOf(parts, venue, after, limit)
    const { rows, next } =
      by === 'group'
        ? await rowsOf(exposure, page(exposure.groups), (part) => groupRow(exposure, part))
        : await rowsOf(exposure, page(by === 'venue' ? venues : events), (part) => partRow(exposure, by, part))
    return {
      data: rows,
      siblings: {
        ...fieldsOf({ ...exposure.journal, unavailable: exposure.unavailable }),
        meta: metaOf(exposure, venues, events),
        ...(next === null ? {} : { nextCursor: deps.cursors.encode(cursorKind, bind, next) }),
      },
    }
  },
})

interface PageOfParts<Key> {
  parts: Part<Key>[]
  next: [capital: string, id: string] | null
}

function pageOf<Key>(
  parts: readonly Part<Key>[],
  venue: string | undefined,
  after: readonly [capital: string, id: string] | null,
  limit: number,
): PageOfParts<Key> {
  const isThere = ({ position }: Holding): boolean => venue === undefined || position.venue === venue
  const end = after === null ? null : { capital: { known: BigInt(after[0]) }, id: after[1] }
  const left = parts.filter((part) => part.holdings.some(isThere) && (end === null || largestFirst(part, end) > 0))
  const page = left.slice(0, limit)
  const last = left.length > limit ? page.at(-1) : undefined
  return { parts: page, next: last === undefined ? null : [String(last.capital.known), last.id] }
}

async function rowsOf<Key, Row>(
  { budget }: AccountExposure,
  { parts, next }: PageOfParts<Key>,
  rowOf: (part: Part<Key>) => Promise<Row>,
): Promise<{ rows: Row[]; next: PageOfParts<Key>['next'] }> {
  const rows: Row[] = []
  for (const part of parts) {
    rows.push(await rowOf(part))
    await budget.nextTurn()
  }
  return { rows, next }
}

function metaOf(
  { held, groups }: AccountExposure,
  venues: readonly Part<PartKey>[],
  events: readonly Part<PartKey>[],
): ExposureMeta {
  const shareOf = ({ money, capital, share }: Part<unknown>) => ({
    currency: currencyOf(money),
    ...printCapital(capital),
    share,
  })
  return {
    positions: held.holdings.length,
    groups: groups.length,
    concentration: {
      venues: venues.slice(0, concentrationMax).map((part) => ({ venue: part.key.venue, ...shareOf(part) })),
      events: events.slice(0, concentrationMax).map((part) => ({ ...part.key, ...shareOf(part) })),
      groups: groups.slice(0, concentrationMax).map((part) => ({ groupId: part.key.id, ...shareOf(part) })),
    },
  }
}
