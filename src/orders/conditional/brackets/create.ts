// Creating a bracket: its exits are checked as they will be built and armed, so that a refusal comes now and not when the entry has filled.
import { z } from 'zod'
import { canonicalJson, sha256 } from '#core/canonicalJson'
import { Fault } from '#core/fault'
import type { BracketRow } from '#storage/postgres/brackets/bracketRow'
import { expiryOf } from '../arm.ts'
import type { Caller } from '../ports.ts'
import { ruleOf } from '../triggerRule.ts'
import { checkBuild, checkTerms, Exit, type ExitName, exitNames, triggerOf } from './exits.ts'
import type { BracketDeps, Entry } from './ports.ts'

/** Brackets of an account that wait or are being armed. */
const openMax = 1_000

export const BracketBody = z
  .strictObject({
    entryExecutionId: z.uuid(),
    takeProfit: Exit.optional(),
    stopLoss: Exit.optional(),
    /** Of the exits, and of the wait for the entry. */
    expiresAt: z.iso.datetime({ offset: true }),
  })
  .meta({
    examples: [
      {
        entryExecutionId: '6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11',
        takeProfit: { trigger: { price: 0.7 }, build: { asset: '1234', isBuy: false, price: 0.69 } },
        stopLoss: {
          trigger: { trail: { by: 'price', distance: 0.05 } },
          build: { asset: '1234', isBuy: false, price: 0.3 },
        },
        expiresAt: '2026-12-01T00:00:00Z',
      },
    ],
  })
export type BracketBody = z.infer<typeof BracketBody>

export interface StoredBracket {
  row: BracketRow
  replay: boolean
}

export async function createBracket(
  deps: BracketDeps,
  caller: Caller,
  key: string,
  body: BracketBody,
): Promise<StoredBracket> {
  const { store, builds, conditional } = deps
  const { accountId, keyId, country } = caller
  const bodySha256 = sha256(canonicalJson(body))
  const before = await findReplay(deps, accountId, key, bodySha256)
  if (before !== null) return before
  const { entryExecutionId, takeProfit = null, stopLoss = null } = body
  const exits = exitNames.flatMap((name) => (body[name] === undefined ? [] : [{ name, exit: body[name] }]))
  if (exits.length === 0) throw new Fault('VALIDATION_ERROR', 'give takeProfit, stopLoss, or both')
  const entry = await builds.entry(accountId, entryExecutionId)
  if (entry.status === 'failed' || entry.status === 'expired' || entry.status === 'canceled')
    throw new Fault('EXECUTION_TERMINAL', `the entry is ${entry.status}: arm exits for what was filled of it yourself`)
  const at = new Date(conditional.clock.now())
  const expiresAt = expiryOf(body, { goodUntilMs: null }, at.getTime())
  await requireBook(conditional, entry)
  for (const { name, exit } of exits) await checkExit(deps, caller, { name, exit, entry, at, expiresAt })
  const id = conditional.newId()
  const wanted = {
    id,
    accountId,
    keyId,
    key,
    bodySha256,
    entryId: entryExecutionId,
    takeProfit,
    stopLoss,
    expiresAt,
    at,
  }
  const result = await store.insert({ ...wanted, ocoGroupId: conditional.newId(), armCountry: country }, openMax)
  switch (result.kind) {
    case 'made':
      return { row: result.row, replay: false }
    case 'has_bracket':
      throw new Fault('VALIDATION_ERROR', 'entryExecutionId: it has a bracket already; cancel that one first')
    case 'account_full':
      throw new Fault('VALIDATION_ERROR', `an account has at most ${openMax} open brackets: cancel some first`)
    case 'taken': {
      // A concurrent call with the same key won.
      const replay = await findReplay(deps, accountId, key, bodySha256)
      if (replay === null) throw new Error('an idempotency key is taken, but its bracket is missing')
      return replay
    }
  }
}

async function findReplay(
  { store }: Pick<BracketDeps, 'store'>,
  accountId: string,
  key: string,
  bodySha256: Buffer,
): Promise<StoredBracket | null> {
  const row = await store.findByKey(accountId, key)
  if (row === null) return null
  if (!row.body_sha256.equals(bodySha256))
    throw new Fault('IDEMPOTENCY_CONFLICT', 'this Idempotency-Key was used for another request')
  return { row, replay: true }
}

async function requireBook({ books }: BracketDeps['conditional'], { venue, terms }: Entry): Promise<void> {
  // One that is not live now may be when the entry has filled.
  if ((await books.availability(venue, terms.marketId, terms.outcomeId)) === 'none')
    throw new Fault('NOT_SUPPORTED', 'this market has no order book of its own', { exchange: venue })
}

interface GivenExit {
  name: ExitName
  exit: Exit
  entry: Entry
  at: Date
  expiresAt: Date
}

async function checkExit({ builds }: BracketDeps, caller: Caller, given: GivenExit): Promise<void> {
  const { name, exit, entry, at, expiresAt } = given
  checkBuild(name, exit)
  const { size, isBuy } = entry.terms
  ruleOf(triggerOf(name, exit), isBuy ? 'sell' : 'buy', { nowMs: at.getTime(), expiresAtMs: expiresAt.getTime() })
  checkTerms(name, entry, await builds.preview(caller, entry.venue, { build: exit.build, size }), size)
}
