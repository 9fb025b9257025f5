// Short names of football clubs that are not part of the full one, from openfootball/clubs (CC0, github.com/openfootball/clubs, read at
// 00e9d82). Parts of the full name ("Newcastle", "Leverkusen") are understood without a table; names missing from that list are missing here.

/** Full name, then its short ones. */
const table = `manchester united|man utd|man united|manchester utd|manchester u
manchester city|man city|manchester c
tottenham hotspur|spurs
wolverhampton wanderers|wolves|wolverhampton wand
nottingham forest|nottm forest|nott m forest
west bromwich albion|west brom
newcastle united|newcastle utd
sheffield united|sheffield utd|sheff united
sheffield wednesday|sheffield wed|sheffield weds|sheffield wednes
oxford united|oxford utd
cambridge united|cambridge utd
peterborough united|peterborough utd|peterboro
queens park rangers|qpr|queens park r
milton keynes dons|mk dons
middlesbrough|middlesboro
bristol rovers|bristol rvs
crystal palace|c palace|crystal p
athletic bilbao|ath bilbao
atletico madrid|atl madrid|ath madrid
sporting gijon|sp gijon
real sociedad|r sociedad
real madrid|r madrid
internazionale milano|inter|inter milan|internazionale
bayern munchen|bayern munich
borussia monchengladbach|borussia m gladbach|borussia mgladbach|bor monchengladbach|bor m gladbach|bor mgladbach|m gladbach|mgladbach
borussia dortmund|bor dortmund
bayer leverkusen|bay leverkusen
fortuna dusseldorf|f dusseldorf
eintracht frankfurt|e frankfurt|ein frankfurt|eint frankfurt|eintr frankfurt
kaiserslautern|k lautern|klautern
nurnberg|nuremberg`

const fullOf = new Map(
  table.split('\n').flatMap((line) => {
    const [full = '', ...short] = line.split('|')
    return short.map((name): [string, string[]] => [name, full.split(' ')])
  }),
)
const wordsMax = Math.max(...[...fullOf.keys()].map((name) => name.split(' ').length))

/** What may follow a club's name without changing the club: an age group, or the second team. "Inter Miami" is not Inter. */
const followers = /^(?:u\d\d|under|\d\d|b|ii|iii|w|women|reserves?|academy|youth|legends|primavera)$/

/** Words of a name, with a leading short name expanded. */
export function clubWords(words: string[]): string[] {
  for (let length = Math.min(wordsMax, words.length); length > 0; length--) {
    const full = fullOf.get(words.slice(0, length).join(' '))
    const rest = words.slice(length)
    if (full !== undefined && rest.every((word) => followers.test(word))) return [...full, ...rest]
  }
  return words
}
