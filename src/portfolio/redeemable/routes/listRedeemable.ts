// What the account can redeem: from its journal, or for a wallet from what venues and contracts show of it.
import { z } from 'zod'
import { cursorBinding } from '#core/cursor'
import { Fault } from '#core/fault'
import { NextCursor } from '#schemas/envelope'
import { isPaperAccount } from '#schemas/paper'
import { portfolioFields } from '#schemas/portfolio'
import { Redeemable } from '#schemas/redeemable'
import { defineRoute } from '#server/http/defineRoute'
import { clampedLimit } from '#server/http/queryNumbers'
import { TradedVenue } from '#server/http/venueName'
import { marketKey } from '../../journal/settlements.ts'
import { compareText } from '../../ledger/order.ts'
import type { PortfolioRouteDeps } from '../../ports.ts'
import type { ReconciliationRouteDeps } from '../../reconciliation/ports.ts'
import { access, accountOf, fieldsOf, tag } from '../../routes/shapes.ts'
import { redeemableInJournal } from '../fromJournal.ts'
import { redeemableAtVenues } from '../fromVenues.ts'
import { type HeldShares, redeemableRow } from '../rows.ts'

const limitDefault = 100
const limitMax = 500

/** The last row of the previous page. */
const Position = z.tuple([z.string(), z.string(), z.string()])
type Key = z.infer<typeof Position>

export const listRedeemable = defineRoute({
  operationId: 'listRedeemable',
  method: 'get',
  path: '/v1/portfolio/redeemable',
  access,
  heavy: true,
  summary: 'Shares of resolved markets that pay something and are not redeemed, with the body that redeems each',
  tag,
  query: z.object({
    venue: TradedVenue.optional(),
    wallet: z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
      .optional()
      .describe(
        'the wallet that holds the shares: venues that show wallets to anyone are read, and every body names it',
      ),
    cursor: z.string().optional(),
    limit: clampedLimit(limitDefault, limitMax),
  }),
  data: z.array(Redeemable),
  topLevelFields: {
    ...portfolioFields,
    unavailable: z
      .array(z.string())
      .describe('sources that did not answer: `catalog`, `accounts:<venue>`; shares that only they know are missing'),
    incomplete: z.array(z.string()).describe('venues that were read, and did not list every position'),
    nextCursor: NextCursor,
  },
  errors: ['EXCHANGE_NOT_AVAILABLE', 'NOT_SUPPORTED', 'EXEC_UNAVAILABLE'],
  async handle(input, { portfolio, reconciliation }: PortfolioRouteDeps & ReconciliationRouteDeps) {
    const { venue, wallet, cursor, limit } = input.query
    const accountId = accountOf(input)
    const bind = cursorBinding({ accountId, venue, wallet: wallet?.toLowerCase() })
    const after = cursor === undefined ? null : Position.parse(portfolio.cursors.decode('redeemable', bind, cursor))
    const caller = { accountId, signal: input.call.signal }
    // What a paper account holds is in its journal only, and no venue is read for it.
    const isRead = wallet !== undefined && !isPaperAccount(accountId)
    const shown = isRead ? await redeemableAtVenues(reconciliation, caller, { wallet, venue }) : null
    const found = await portfolio.reader.read(accountId, { marks: false })
    // What a venue shows of the wallet replaces what the journal has of that venue.
    const journal = redeemableInJournal(found).filter((held) => shown?.read.includes(held.venue) !== true)
    const rows = [...(shown?.shares ?? []), ...journal]
      .filter((held) => venue === undefined || held.venue === venue)
      .sort((a, b) => compareKeys(keyOf(a), keyOf(b)))
      .filter((held) => after === null || compareKeys(keyOf(held), after) > 0)
    const page = rows.slice(0, limit)
    const lacking = page.filter((held) => held.marketId !== null && shown?.markets.has(nameOf(held)) !== true)
    const markets = await findMarkets(reconciliation, lacking)
    const marketOf = (held: HeldShares) => shown?.markets.get(nameOf(held)) ?? markets?.get(nameOf(held)) ?? null
    const ports = { lanes: portfolio.lanes, wallet: wallet ?? null }
    const next = rows.length > limit ? portfolio.cursors.encode('redeemable', bind, keyOf(page.at(-1)!)) : null
    const unavailable = [...(shown?.unavailable ?? []), ...(markets === null ? ['catalog'] : [])]
    return {
      data: page.map((held) => redeemableRow(ports, held, marketOf(held))),
      siblings: {
        ...fieldsOf(found, unavailable),
        incomplete: shown?.incomplete ?? [],
        ...(next !== null && { nextCursor: next }),
      },
    }
  },
})

const nameOf = ({ venue, marketId }: HeldShares): string => marketKey(venue, marketId ?? '')

/** Null: the catalog did not answer. */
async function findMarkets(
  { catalog }: Pick<ReconciliationRouteDeps['reconciliation'], 'catalog'>,
  held: readonly HeldShares[],
) {
  try {
    return await catalog.findMarketsByIds(
      held.flatMap(({ venue, marketId }) => (marketId === null ? [] : [{ venue, marketId }])),
    )
  } catch (error) {
    if (error instanceof Fault && error.code === 'CATALOG_UNAVAILABLE') return null
    throw error
  }
}

const keyOf = ({ venue, marketId, outcomeId }: HeldShares): Key => [venue, marketId ?? '', outcomeId]

function compareKeys(a: Key, b: Key): number {
  for (const [i, part] of a.entries()) {
    const compared = compareText(part, b[i]!)
    if (compared !== 0) return compared
  }
  return 0
}
