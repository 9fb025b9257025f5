// What follows between bets on one game: margins, sums and counts are separate lines, cut by winners, draws, spreads and totals.
import { canBeVoid } from '../compare/fields/rules.ts'
import { similarity } from '../compare/games/sameGame.ts'
import { type GameClaim, gameClaimOf } from '../read/games/gameClaim.ts'
import { crossed, type Figure, figureOf, figures, type Region } from '../read/games/scoreRegion.ts'
import type { Question } from '../read/question.ts'
import { type Found, ladder } from './ladder.ts'
import type { Cut, PartitionPart } from './partitionParts.ts'

interface Bet {
  key: string
  claim: GameClaim
  /** From the perspective of side one of the group's first bet. */
  region: Region
  unsettled: boolean
}

/** Bets that no entry reads, and whole lines that may be refunded, have no relations. */
export function bets(markets: readonly Question[]): { found: Found; sure: boolean }[] {
  const found: { found: Found; sure: boolean }[] = []
  for (const group of groupsOf(markets)) {
    const tieless = group.some(({ claim }) => claim.tieless)
    for (const figure of figures) {
      const own = group.filter(({ region }) => figureOf(region) === figure)
      const line = own.flatMap((bet) => pieceOf(bet, figure, tieless) ?? [])
      const voided = new Set(own.flatMap(({ key, unsettled }) => (unsettled ? key : [])))
      for (const each of ladder(line)) found.push({ found: each, sure: !needsAnswer(each, voided) })
    }
    const exact = group.filter(({ claim }) => claim.frame.boundKind === 'score')
    if (exact.length > 1 && new Set(exact.map(({ region }) => scoreOf(region))).size === exact.length) {
      const members = exact.map(({ key }) => ({ market: key, side: 'yes' as const }))
      found.push({ found: { kind: 'outcomes', members, complete: false }, sure: true })
    }
  }
  return found
}

/** Requires that one of them is Yes. */
const needsAnswer = (found: Found, voided: ReadonlySet<string>): boolean =>
  (found.kind === 'inverse' && (voided.has(found.a) || voided.has(found.b))) ||
  (found.kind === 'outcomes' && found.complete && found.members.some(({ market }) => voided.has(market)))

const scoreOf = ({ one, two }: Region): string => `${one.low}-${two.low}`

function groupsOf(markets: readonly Question[]): Bet[][] {
  const groups: Bet[][] = []
  for (const market of markets) {
    const claim = gameClaimOf(market)
    if (claim === null || claim.denied || claim.push) continue
    const bet = { key: market.key, claim, region: claim.region, unsettled: canBeVoid(market) }
    const group = groups.find(([first]) => isComparable((first as Bet).claim, claim))
    if (group === undefined) groups.push([bet])
    else {
      const same = similarity(group[0]!.claim.game, claim.game)
      group.push(same?.crossed === true && claim.who === null ? { ...bet, region: crossed(claim.region) } : bet)
    }
  }
  return groups.filter((group) => group.length > 1)
}

function isComparable(a: GameClaim, b: GameClaim): boolean {
  if (a.scope !== b.scope || a.unit !== b.unit || a.who?.text !== b.who?.text) return false
  const same = similarity(a.game, b.game)
  return same !== null && !same.weak
}

/** Null for a bet that every score meets, or none. If ties are impossible, the margins −1 and 1 are neighbours. */
function pieceOf({ key, region }: Bet, figure: Figure, tieless: boolean): PartitionPart | null {
  const { low, high } = region[figure]
  const floor = figure === 'margin' ? Number.NEGATIVE_INFINITY : 0
  const level = tieless && figure === 'margin'
  const from = low <= floor ? null : cutAt(level && low === 0 ? 1 : low, level)
  const to = high === Number.POSITIVE_INFINITY ? null : cutAt(high + 1, level)
  if (from === null && to === null) return null
  return from !== null && to !== null && from.value >= to.value ? null : { key, from, to }
}

const cutAt = (value: number, level: boolean): Cut => ({ value: level && value > 0 ? value - 1 : value, side: 0 })
