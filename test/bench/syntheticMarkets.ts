// Generated markets for the matcher's benches and its candidate tests: every third question is listed on two venues in two wordings.
import type { MatchInput } from '#matching/read/input'

const firsts =
  'Maria Jonas Priya Tomas Aisha Viktor Lena Omar Sofia Pavel Chidi Noor Hugo Mina Karl Ines Yusuf Clara Dmitri Akira Rosa Emil Tariq Greta Bruno Zara'.split(
    ' ',
  )
const syllables =
  'kel ler lind qvist ra man her re ra bel lo no vak sza bo mor gen tan aki ro sen dal vik pet ko var ga'.split(' ')
const states = 'Ohio Texas Virginia Oregon Nevada Arizona Georgia Michigan Montana Maine Iowa Utah'.split(' ')
const assets = ['Bitcoin', 'Ethereum', 'Solana', 'XRP', 'Dogecoin', 'Gold']
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const acts = ['resign', 'be indicted', 'be pardoned', 'announce a candidacy', 'visit Oslo', 'sign the treaty']

export interface GeneratedMarkets {
  markets: MatchInput[]
  /** Positions of the two listings of one question. */
  twins: [number, number][]
}

export interface GeneratedMarketsOptions {
  seed?: number
  /** Sixteen at most. */
  venues?: number
  /** How many people there are; if omitted, hardly any name occurs twice. */
  people?: number
}

const venueNames =
  'north south east west centre hill lake river coast plain forest island harbour valley meadow bridge'.split(' ')

/** Seeded: the same size and options always give the same markets. */
export function generateMarkets(
  size: number,
  { seed = 7, venues = 5, people }: GeneratedMarketsOptions = {},
): GeneratedMarkets {
  let state = seed
  const int = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pick = <T>(list: readonly T[]): T => list[int(list.length)] as T
  const randomName = (): string => {
    const last = Array.from({ length: 2 + int(2) }, () => pick(syllables)).join('')
    return `${pick(firsts)} ${last[0]?.toUpperCase()}${last.slice(1)}`
  }
  const known = people === undefined ? null : Array.from({ length: people }, randomName)
  const name = (): string => (known === null ? randomName() : pick(known))
  const questions: (() => [string, string])[] = [
    () => {
      const [person, act, month, day] = [name(), pick(acts), pick(months), 1 + int(28)]
      return [
        `Will ${person} ${act} by ${month} ${day}, 2027?`,
        `${person} to ${act} by ${month.slice(0, 3)} ${day} 2027?`,
      ]
    },
    () => {
      const [person, state, party] = [name(), pick(states), pick(['Republican', 'Democratic'])]
      return [
        `Will ${person} be the ${party} nominee for Governor in ${state}?`,
        `Will ${person} win the 2026 ${state} Governor ${party} nomination?`,
      ]
    },
    () => {
      const [asset, strike, month, day] = [pick(assets), 100 * (1 + int(900)), pick(months), 1 + int(28)]
      return [
        `${asset} price on ${month} ${day}, 2026: $${strike.toLocaleString('en-US')} or above`,
        `Will ${asset} be above $${strike} on ${month} ${day}?`,
      ]
    },
    () => {
      const [home, away, month, day] = [name().split(' ')[1], name().split(' ')[1], 1 + int(12), 1 + int(28)]
      const date = `2026-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
      return [
        `${home} FC vs ${away} United on ${months[month - 1]} ${day}, 2026: ${home} FC`,
        `Will ${home} win on ${date}? (${home} vs. ${away})`,
      ]
    },
  ]
  const markets: MatchInput[] = []
  const twins: [number, number][] = []
  while (markets.length < size) {
    const [one, two] = pick(questions)()
    const venue = int(venues)
    markets.push({ venue: venueNames[venue] as string, marketId: `m${markets.length}`, title: one })
    if (int(3) !== 0 || markets.length >= size) continue
    twins.push([markets.length - 1, markets.length])
    markets.push({
      venue: venueNames[(venue + 1 + int(venues - 1)) % venues] as string,
      marketId: `m${markets.length}`,
      title: two,
    })
  }
  return { markets, twins }
}
