// Bets on a game in the wording of venues, and the condition under which each resolves Yes. The tests enumerate the possible results.
import fc from 'fast-check'
import type { MatchInput } from '#matching/read/input'

/** Scores at the end of a part, and the counts of two players. */
export interface World {
  half: readonly [number, number]
  full: readonly [number, number]
  advances: 0 | 1
  players: Readonly<Record<string, number>>
}

export interface Meaning {
  side: 0 | 1
  /** Bounds of whatever the frame limits; null where there is none. */
  low: number | null
  high: number | null
  part: 'half' | 'full'
  player: string
  /** Only for an exact score. */
  score: readonly [number, number]
  /** The event names the second side first. */
  turned: boolean
}

export interface Game {
  sides: readonly [string, string]
  league: string
  /** The same names as another venue writes them. */
  long: readonly [string, string]
  /** The game cannot end in a tie. */
  tieless: boolean
  unit: string
}

export const football: Game = {
  sides: ['Getafe', 'Mallorca'],
  long: ['Getafe CF', 'RCD Mallorca'],
  league: 'LaLiga',
  tieless: false,
  unit: 'goals',
}
export const baseball: Game = {
  sides: ['Houston', 'San Diego'],
  long: ['Houston Astros', 'San Diego Padres'],
  league: 'MLB',
  tieless: true,
  unit: 'runs',
}

type Words = Omit<MatchInput, 'venue' | 'marketId'>

export interface Maker {
  entry: string
  draw: fc.Arbitrary<Meaning>
  manners: readonly ((meaning: Meaning, game: Game) => Words)[]
  yes(meaning: Meaning, world: World): boolean
}

const players = ['Jalen Harlow', 'Mats Berglund'] as const
const day = 'May 13, 2026'
const titled = ({ sides, long, league }: Game, turned: boolean, full: boolean): string => {
  const [one, two] = full ? long : sides
  return `${turned ? `${two} vs ${one}` : `${one} vs ${two}`} ${league} on ${day}`
}
const event = (game: Game, meaning: Meaning, full = false): { eventTitle: string } => ({
  eventTitle: titled(game, meaning.turned, full),
})
const inPart = ({ part }: Meaning): string => (part === 'half' ? ' in the 1st half' : '')

const drawn = (fields: Partial<Record<keyof Meaning, fc.Arbitrary<unknown>>>): fc.Arbitrary<Meaning> =>
  fc.record({
    side: fc.constantFrom(0 as const, 1 as const),
    low: fc.constant(null),
    high: fc.constant(null),
    part: fc.constantFrom('full' as const, 'full' as const, 'half' as const),
    player: fc.constantFrom(...players),
    score: fc.tuple(fc.nat(3), fc.nat(3)),
    turned: fc.boolean(),
    ...fields,
  }) as fc.Arbitrary<Meaning>

const least = (from: number, to: number): fc.Arbitrary<Meaning> => drawn({ low: fc.integer({ min: from, max: to }) })
/** A range that may be open on either side. */
const either = (from: number, to: number): fc.Arbitrary<Meaning> =>
  fc
    .tuple(least(from, to), fc.boolean())
    .map(([meaning, up]) => (up ? meaning : { ...meaning, low: null, high: meaning.low! - 1 }))

const inBounds = ({ low, high }: Meaning, value: number): boolean =>
  (low === null || value >= low) && (high === null || value <= high)
const scoreOf = ({ part }: Meaning, world: World): readonly [number, number] => world[part]
const marginOf = (meaning: Meaning, world: World): number => {
  const [one, two] = scoreOf(meaning, world)
  return meaning.side === 0 ? one - two : two - one
}

/** "Over 2.5", "3 or more", "under 2.5", "2 or fewer". */
const amounts: readonly ((meaning: Meaning) => string)[] = [
  ({ low, high }) => (low === null ? `under ${high! + 0.5}` : `over ${low - 0.5}`),
  ({ low, high }) => (low === null ? `${high} or fewer` : `${low} or more`),
]
const [plain, counted] = amounts as [(meaning: Meaning) => string, (meaning: Meaning) => string]
const signed = (value: number): string => (value > 0 ? `+${value}` : `${value}`)

export const makers: readonly Maker[] = [
  {
    entry: 'game winner',
    draw: drawn({}),
    manners: [
      (m, g) => ({ title: `Will ${g.sides[m.side]} win${inPart(m)}?`, ...event(g, m) }),
      (m, g) => ({ title: `Will ${g.long[m.side]} win${inPart(m)} on ${day}?`, ...event(g, m, true) }),
      (m, g) => ({
        title: `${titled(g, m.turned, false)}${m.part === 'half' ? ': 1H' : ''} Winner?`,
        subtitle: g.sides[m.side]!,
      }),
    ],
    yes: (m, world) => marginOf(m, world) >= 1,
  },
  {
    entry: 'draw',
    draw: drawn({ part: fc.constantFrom('full', 'half') }),
    manners: [
      (m, g) => ({ title: `Will it end in a draw${inPart(m)}?`.replace('it ', ''), ...event(g, m) }),
      (m, g) => ({ title: `${titled(g, m.turned, true)}: Draw${m.part === 'half' ? ' at halftime' : ''}?` }),
    ],
    yes: (m, world) => marginOf(m, world) === 0,
  },
  {
    entry: 'win or draw',
    draw: drawn({}),
    manners: [(m, g) => ({ title: `Will ${g.sides[m.side]} win or draw${inPart(m)}?`, ...event(g, m) })],
    yes: (m, world) => marginOf(m, world) >= 0,
  },
  {
    entry: 'spread',
    draw: least(-3, 4),
    manners: [
      (m, g) => ({
        title: `${m.part === 'half' ? '1H ' : ''}Spread: ${g.long[m.side]} (${signed(0.5 - m.low!)})`,
        ...event(g, m, true),
      }),
      (m, g) => ({ title: `${g.sides[m.side]} ${signed(0.5 - m.low!)}${inPart(m)}`, ...event(g, m) }),
    ],
    yes: (m, world) => inBounds(m, marginOf(m, world)),
  },
  {
    entry: 'margin',
    draw: least(2, 4),
    manners: [
      (m, g) => ({ title: `${g.sides[m.side]} wins${inPart(m)} by over ${m.low! - 0.5} ${g.unit}?`, ...event(g, m) }),
      (m, g) => ({
        title: `Will ${g.long[m.side]} win by at least ${m.low} ${g.unit}${inPart(m)}?`,
        ...event(g, m, true),
      }),
    ],
    yes: (m, world) => inBounds(m, marginOf(m, world)),
  },
  {
    entry: 'total',
    draw: either(1, 5),
    manners: [
      (m, g) => ({ title: `Will ${plain(m)} ${g.unit} be scored${inPart(m)}?`, ...event(g, m) }),
      (m, g) => ({ title: `${titled(g, m.turned, true)}: ${counted(m)} total ${g.unit}${inPart(m)}?` }),
    ],
    yes: (m, world) => inBounds(m, scoreOf(m, world)[0] + scoreOf(m, world)[1]),
  },
  {
    entry: 'team total',
    draw: either(1, 3),
    manners: [
      (m, g) => ({ title: `${g.sides[m.side]} team total ${plain(m)}${inPart(m)}`, ...event(g, m) }),
      (m, g) => ({ title: `Will ${g.long[m.side]} score ${counted(m)} ${g.unit}${inPart(m)}?`, ...event(g, m, true) }),
    ],
    yes: (m, world) => inBounds(m, scoreOf(m, world)[m.side]),
  },
  {
    entry: 'both score',
    draw: drawn({}),
    manners: [
      (m, g) => ({ title: `Will both teams score${inPart(m)}?`, ...event(g, m) }),
      (m, g) => ({ title: `${titled(g, m.turned, true)}: Both Teams to Score${inPart(m)}` }),
    ],
    yes: (m, world) => scoreOf(m, world).every((score) => score > 0),
  },
  {
    entry: 'exact score',
    draw: drawn({}),
    manners: [
      (m, g) => ({
        title: `Exact Score: ${g.long[m.side]} ${m.score[0]} - ${m.score[1]} ${g.long[1 - m.side]}${inPart(m)}?`,
        ...event(g, m, true),
      }),
      (m, g) => ({
        title: `Correct score: ${g.sides[m.side]} ${m.score[0]}-${m.score[1]} ${g.sides[1 - m.side]}${inPart(m)}`,
        ...event(g, m),
      }),
    ],
    yes: (m, world) =>
      scoreOf(m, world)[m.side] === m.score[0] && scoreOf(m, world)[m.side === 0 ? 1 : 0] === m.score[1],
  },
  {
    entry: 'advances',
    draw: drawn({ part: fc.constant('full') }),
    manners: [
      (m, g) => ({ title: `Will ${g.sides[m.side]} advance?`, ...event(g, m) }),
      (m, g) => ({ title: `${titled(g, m.turned, true)}: ${g.long[m.side]} to advance` }),
    ],
    yes: (m, world) => world.advances === m.side,
  },
  {
    entry: 'player line',
    draw: fc.tuple(either(1, 5), fc.constant('full' as const)).map(([m, part]) => ({ ...m, part })),
    manners: [
      (m, g) => ({ title: `${m.player}: ${counted(m)} shots`, ...event(g, m) }),
      (m, g) => ({ title: `${m.player}: Shots ${plain(m)}`, ...event(g, m, true) }),
    ],
    yes: (m, world) => inBounds(m, world.players[m.player]!),
  },
]
