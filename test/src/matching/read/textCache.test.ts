// Text that many markets share is parsed once, with the same result as parsing it for each market.
import { expect, test } from 'vitest'
import { type MatchInput, readQuestion } from '#matching/candidateIndex'
import { TextCache } from '#matching/read/textCache'
import { generateMarkets } from '../../../bench/syntheticMarkets.ts'

const rules = (at: number): string =>
  `Resolves by the National Weather Service reading at Central Park before July ${1 + (at % 28)}, 2027. If the game is postponed, it resolves to No. ${at}`

/** Every three markets share their rules, and there are more rules than the cache holds. */
const markets: MatchInput[] = generateMarkets(630).markets.map((market, at) => ({
  ...market,
  rules: rules(Math.floor(at / 3)),
  resolutionSource: at % 2 === 0 ? 'https://www.binance.com' : null,
}))

test('parses the same question whatever was parsed before', () => {
  const shared = new TextCache()
  const plain = ({ bet, ...question }: ReturnType<typeof readQuestion>) => ({ ...question, bet: bet() })
  for (const market of markets) expect(plain(readQuestion(market, { shared }))).toEqual(plain(readQuestion(market)))
  for (const market of markets.slice(0, 30))
    expect(plain(readQuestion(market, { shared }))).toEqual(plain(readQuestion(market)))
})

test('shares one object for equal rules and phrases', () => {
  const shared = new TextCache()
  const [one, two] = ['Ada Finch', 'Iris Boyd'].map((who, at) =>
    readQuestion(
      { venue: 'north', marketId: `${at}`, title: `Will ${who} win the 2027 Kroll Prize?`, rules: rules(1) },
      { shared },
    ),
  )
  expect(two!.parsedRules).toBe(one!.parsedRules)
  expect(two!.settlement).toBe(one!.settlement)
  expect(two!.proposition!.args.what).toBe(one!.proposition!.args.what)
  expect(two!.proposition!.args.who).not.toBe(one!.proposition!.args.who)
})
