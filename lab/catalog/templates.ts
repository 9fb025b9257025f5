// Templated questions: games, temperatures, crypto strikes. As many as requested, all distinct.
import type { Prng } from '../prng.ts'
import type { EventSeed } from './questions.ts'

const teams = [
  ['Atlanta', 'ATL'], ['Boston', 'BOS'], ['Chicago', 'CHI'], ['Cleveland', 'CLE'], ['Dallas', 'DAL'], ['Denver', 'DEN'],
  ['Houston', 'HOU'], ['Los Angeles', 'LA'], ['Miami', 'MIA'], ['Milwaukee', 'MIL'], ['Minnesota', 'MIN'], ['New York', 'NY'],
  ['Philadelphia', 'PHI'], ['Phoenix', 'PHX'], ['San Diego', 'SD'], ['Seattle', 'SEA'], ['Toronto', 'TOR'], ['Washington', 'WSH'],
] as const // biome-ignore format: a table of facts

const cities = [
  ['NYC', 'KXHIGHNY'], ['Chicago', 'KXHIGHCHI'], ['Miami', 'KXHIGHMIA'], ['Austin', 'KXHIGHAUS'], ['Denver', 'KXHIGHDEN'],
] as const // biome-ignore format: a table of facts

const coins = [['Ethereum', 'ETH', 4200], ['Solana', 'SOL', 210], ['XRP', 'XRP', 3], ['Dogecoin', 'DOGE', 1]] as const // biome-ignore format: a table of facts

/** The n-th made-up event; the number is part of its key and shifts its date, so no two are alike. */
export function templateEvent(n: number, random: Prng): EventSeed {
  const kind = n % 3
  const round = Math.floor(n / 3)
  if (kind === 0) return game(n, round, random)
  return kind === 1 ? temperature(n, round, random) : strikes(n, round, random)
}

function game(n: number, round: number, random: Prng): EventSeed {
  const [home, homeCode] = teams[(round * 7 + 3) % teams.length]!
  const [away, awayCode] = teams[(round * 7 + 4 + (round % 11)) % teams.length]!
  const probability = 0.3 + random.next() * 0.4
  const winner = (team: string) => `Will ${team} win the ${away} vs ${home} professional baseball game on {date}?`
  return {
    key: `game-${n}`,
    title: `${away} vs ${home}`,
    category: 'Sports',
    tags: ['Sports', 'MLB'],
    series: ['KXMLBGAME', 'Professional Baseball Game'],
    endDays: 1 + (round % 300),
    exclusive: true,
    headToHead: true,
    rules: `resolves by the winner of the ${away} vs ${home} professional baseball game scheduled for {date}.`,
    outcomes: [
      { label: home, question: winner(home), probability, code: homeCode },
      { label: away, question: winner(away), probability: 1 - probability, code: awayCode },
    ],
  }
}

function temperature(n: number, round: number, random: Prng): EventSeed {
  const [city, series] = cities[round % cities.length]!
  const middle = 60 + random.int(30)
  const buckets = [
    [`${middle - 3}° or below`, 0.12, `T${middle - 3}`],
    [`${middle - 2}° to ${middle - 1}°`, 0.27, `B${middle - 1.5}`],
    [`${middle}° to ${middle + 1}°`, 0.38, `B${middle + 0.5}`],
    [`${middle + 2}° or above`, 0.23, `T${middle + 2}`],
  ] as const
  return {
    key: `temperature-${n}`,
    title: `Highest temperature in ${city} on {date}?`,
    category: 'Climate and Weather',
    tags: ['Weather'],
    series: [series, `Highest temperature in ${city}`],
    endDays: 1 + (round % 200),
    exclusive: true,
    rules: `resolves by the highest temperature recorded in ${city} on {date} in the final climatological report.`,
    outcomes: buckets.map(([label, probability, code]) => ({
      label,
      question: `Will the highest temperature in ${city} be ${label} on {date}?`,
      probability,
      code,
    })),
  }
}

function strikes(n: number, round: number, random: Prng): EventSeed {
  const [coin, code, price] = coins[round % coins.length]!
  const spread = 0.35 + random.next() * 0.3
  return {
    key: `strikes-${n}`,
    title: `${coin} above ___ on {date}?`,
    category: 'Crypto',
    tags: ['Crypto', coin],
    series: [`KX${code}D`, `${coin} price Above/below`],
    endDays: 2 + (round % 250),
    exclusive: false,
    fine: true,
    rules: `resolves to Yes if the ${coin} price is above the strike at 17:00 ET on {date}.`,
    outcomes: [0.9, 1, 1.1].map((factor, i) => {
      const strike = Number((price * factor).toPrecision(3))
      return {
        label: `$${strike.toLocaleString('en-US')}`,
        question: `Will the price of ${coin} be above $${strike.toLocaleString('en-US')} on {date}?`,
        probability: Math.min(0.96, Math.max(0.03, spread + (1 - i) * 0.28)),
        code: `T${strike}`,
      }
    }),
  }
}
