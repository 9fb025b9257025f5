// Names of one thing that share too few letters to be found by stem or spelling. A search for one finds the others.
import { wordsOf } from './tokenizer.ts'

/** One line per thing. From the symbols of exchanges, the institutions' own names, and how venues title their markets. */
const table = `btc, bitcoin, xbt
eth, ethereum, ether
sol, solana
doge, dogecoin
xrp, ripple
ada, cardano
ltc, litecoin
avax, avalanche
fed, federal reserve, fomc
ecb, european central bank
boe, bank of england
boj, bank of japan
sec, securities and exchange commission
scotus, supreme court
gop, republican
dems, democrat, democratic
potus, president
vp, vice president
us, united states, u.s
uk, united kingdom, britain
eu, european union
uae, united arab emirates
un, united nations
nyc, new york city
cpi, consumer price index
gdp, gross domestic product
jobless, unemployment
rate cut, cut rates, bps cut, bps decrease, rate decrease
rate hike, hike rates, bps hike, bps increase, rate increase
cut, decrease
hike, increase
spx, sp500, s&p 500, s&p500
ndx, nasdaq 100, nasdaq100
dow, djia
ai, artificial intelligence
agi, artificial general intelligence
nfl, pro football
nba, pro basketball
mlb, pro baseball
nhl, pro hockey
epl, premier league
ucl, champions league
f1, formula 1, formula one
superbowl, super bowl
oscars, academy awards
ww3, world war 3, world war iii`

/** By first word: names that begin with it, longest first, each with the other names of its thing. */
const byFirst = new Map<string, { name: string[]; others: string[][] }[]>()
for (const line of table.split('\n')) {
  const names = line.split(', ').map(wordsOf)
  for (const name of names) {
    const others = names.filter((other) => other !== name)
    byFirst.set(name[0]!, [...(byFirst.get(name[0]!) ?? []), { name, others }].sort(longestFirst))
  }
}

function longestFirst(a: { name: string[] }, b: { name: string[] }): number {
  return b.name.length - a.name.length
}

/** The longest known name at the beginning of the words, and the other names of what it means. */
export const aliasAt = (words: readonly string[]): { length: number; others: readonly string[][] } | null => {
  const found = byFirst.get(words[0] ?? '')?.find(({ name }) => name.every((word, at) => words[at] === word))
  return found === undefined ? null : { length: found.name.length, others: found.others }
}
