// General knowledge of leagues whose teams are called by city, nickname or code. One line per team: code, other codes, city, nickname.
// Written by hand: cities and nicknames as the leagues list their clubs for the 2025-26 season, codes as in Kalshi tickers and Polymarket
// slugs. A club that moves or is renamed must be changed here.

import { named, type Pattern, pattern } from './patternFilter.ts'

export interface Team {
  league: string
  code: string
  city: string
  nickname: string
}

const tables: Readonly<Record<string, string>> = {
  mlb: `az/ari Arizona|Diamondbacks/D-backs;ath/oak Athletics/Oakland/A's/Sacramento|Athletics;atl Atlanta|Braves;bal Baltimore|Orioles;bos Boston|Red Sox;
chc Chicago C/Chicago|Cubs;cws/chw Chicago WS/Chicago|White Sox;cin Cincinnati|Reds;cle Cleveland|Guardians;col Colorado|Rockies;det Detroit|Tigers;
hou Houston|Astros;kc/kcr Kansas City|Royals;laa Los Angeles A/Los Angeles/Anaheim|Angels;lad Los Angeles D/Los Angeles|Dodgers;mia Miami|Marlins;
mil Milwaukee|Brewers;min Minnesota|Twins;nym New York M/New York|Mets;nyy New York Y/New York|Yankees;phi Philadelphia|Phillies;pit Pittsburgh|Pirates;
sd/sdp San Diego|Padres;sf/sfg San Francisco|Giants;sea Seattle|Mariners;stl St. Louis/Saint Louis/St Louis|Cardinals;tb/tbr Tampa Bay|Rays;tex Texas|Rangers;
tor Toronto|Blue Jays;wsh/was Washington|Nationals`,
  nba: `atl Atlanta|Hawks;bos Boston|Celtics;bkn/bro Brooklyn|Nets;cha Charlotte|Hornets;chi Chicago|Bulls;cle Cleveland|Cavaliers/Cavs;dal Dallas|Mavericks/Mavs;
den Denver|Nuggets;det Detroit|Pistons;gsw/gs Golden State|Warriors;hou Houston|Rockets;ind Indiana|Pacers;lac Los Angeles C/Los Angeles/LA|Clippers;
lal Los Angeles L/Los Angeles/LA|Lakers;mem Memphis|Grizzlies;mia Miami|Heat;mil Milwaukee|Bucks;min Minnesota|Timberwolves/Wolves;nop/no New Orleans|Pelicans;
nyk/ny New York|Knicks;okc Oklahoma City|Thunder;orl Orlando|Magic;phi Philadelphia|76ers/Sixers;phx/pho Phoenix|Suns;por Portland|Trail Blazers/Blazers;
sac Sacramento|Kings;sas/sa San Antonio|Spurs;tor Toronto|Raptors;uta/utah Utah|Jazz;was/wsh Washington|Wizards`,
  nfl: `ari/az Arizona|Cardinals;atl Atlanta|Falcons;bal Baltimore|Ravens;buf Buffalo|Bills;car Carolina|Panthers;chi Chicago|Bears;cin Cincinnati|Bengals;
cle Cleveland|Browns;dal Dallas|Cowboys;den Denver|Broncos;det Detroit|Lions;gb Green Bay|Packers;hou Houston|Texans;ind Indianapolis|Colts;jax/jac Jacksonville|Jaguars;
kc Kansas City|Chiefs;lac Los Angeles C/Los Angeles/LA|Chargers;lar/la Los Angeles R/Los Angeles/LA|Rams;lv Las Vegas|Raiders;mia Miami|Dolphins;min Minnesota|Vikings;
ne New England|Patriots;no New Orleans|Saints;nyg New York G/New York|Giants;nyj New York J/New York|Jets;phi Philadelphia|Eagles;pit Pittsburgh|Steelers;
sea Seattle|Seahawks;sf San Francisco|49ers/Niners;tb Tampa Bay|Buccaneers/Bucs;ten Tennessee|Titans;was/wsh Washington|Commanders`,
  nhl: `ana Anaheim|Ducks;bos Boston|Bruins;buf Buffalo|Sabres;cgy/cal Calgary|Flames;car Carolina|Hurricanes;chi Chicago|Blackhawks;col Colorado|Avalanche;
cbj Columbus|Blue Jackets;dal Dallas|Stars;det Detroit|Red Wings;edm Edmonton|Oilers;fla Florida|Panthers;la/lak Los Angeles/LA|Kings;min Minnesota|Wild;
mtl/mon Montreal|Canadiens;nsh Nashville|Predators;nj/njd New Jersey|Devils;nyi New York I/New York|Islanders;nyr New York R/New York|Rangers;ott Ottawa|Senators;
phi Philadelphia|Flyers;pit Pittsburgh|Penguins;sj/sjs San Jose|Sharks;sea Seattle|Kraken;stl St. Louis/Saint Louis/St Louis|Blues;tb/tbl Tampa Bay|Lightning;
tor Toronto|Maple Leafs;uta/utah Utah|Mammoth/Hockey Club;van Vancouver|Canucks;vgk/veg/las Vegas/Las Vegas|Golden Knights;wsh/was Washington|Capitals;wpg Winnipeg|Jets`,
  wnba: `atl Atlanta|Dream;chi Chicago|Sky;conn/con Connecticut|Sun;dal Dallas|Wings;gs/gsv Golden State|Valkyries;ind Indiana|Fever;la/las Los Angeles/LA|Sparks;
lv/lva Las Vegas|Aces;min Minnesota|Lynx;ny/nyl New York|Liberty;phx/pho Phoenix|Mercury;sea Seattle|Storm;tor Toronto|Tempo;por/pdx Portland|Fire;wsh/was Washington|Mystics`,
  ipl: `csk Chennai|Super Kings;dc/dcap/del Delhi|Capitals;gt/guj Gujarat|Titans;kkr/kol Kolkata|Knight Riders;lsg/luc Lucknow|Super Giants;mi/mui/mum Mumbai|Indians;
pbks/pun Punjab|Kings;rr/raj Rajasthan|Royals;rcb/roy Royal Challengers/Bengaluru/Bangalore|Royal Challengers Bengaluru/Royal Challengers Bangalore;srh/sun Sunrisers/Hyderabad|Sunrisers Hyderabad`,
}

/** Names of leagues; the first one in the words (or leading the id) gives the context in which a city is a team. */
export const leagues = named([
  ['wnba', /\bwnba\b|pro(?:fessional)? women'?s basketball/],
  ['nba', /\bnba\b|pro(?:fessional)? basketball|larry o'?brien/],
  [
    'nfl',
    /\bnfl\b|pro(?:fessional)? football\b(?! \(soccer)|super bowl|\bafc (?:championship|north|south|east|west)|\bnfc\b/,
  ],
  [
    'mlb',
    /\bmlb\b|pro(?:fessional)? baseball|world series(?! of)|(?:american|national) league|\b[an]l (?:cy young|mvp|east|west|central|rookie)|cy young/,
  ],
  ['nhl', /\bnhl\b|pro(?:fessional)? hockey|stanley cup|hart (?:memorial )?trophy/],
  ['ipl', /\bipl\b|indian premier league/],
])

const literal = (text: string): string => text.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

interface Alias {
  team: string
  pattern: Pattern
}

/** A club as its league lists it. */
interface Club {
  league: string
  cities: readonly string[]
  nicknames: readonly string[]
}

const clubs: Club[] = []
const fullNames: Alias[] = []
const inLeague = new Map<string, Alias[]>()
const byNickname = new Map<string, Set<string>>()
const codes = new Map<string, string>()
const names = new Map<string, string>()

function load(): void {
  for (const [league, table] of Object.entries(tables)) {
    const aliases: [string, string][] = []
    const cities = new Map<string, number>()
    for (const line of table.split(';')) {
      const [code = '', rest = ''] = splitOnce(line.trim(), ' ')
      const [cityText = '', nicknameText = ''] = splitOnce(rest, '|')
      const team = `${league}:${(code.split('/')[0] as string).toLowerCase()}`
      for (const other of code.split('/')) codes.set(`${league}:${other.toLowerCase()}`, team)
      const nicknames = nicknameText.split('/')
      const named = cityText.split('/')
      names.set(team, fullName(named, nicknames[0] as string))
      for (const nickname of nicknames) {
        aliases.push([nickname, team])
        byNickname.set(nickname.toLowerCase(), (byNickname.get(nickname.toLowerCase()) ?? new Set()).add(team))
        for (const city of named)
          fullNames.push({
            team,
            pattern: pattern(new RegExp(`\\b(?:the )?${literal(`${city} ${nickname}`)}\\b`, 'g')),
          })
      }
      clubs.push({ league, cities: named, nicknames })
      for (const city of named) {
        aliases.push([city, team])
        cities.set(city, (cities.get(city) ?? 0) + 1)
      }
    }
    inLeague.set(
      league,
      aliases
        // A city with two teams identifies neither.
        .filter(([name]) => (cities.get(name) ?? 0) <= 1)
        .sort((a, b) => b[0].length - a[0].length)
        .map(([name, team]) => ({ team, pattern: pattern(new RegExp(`\\b(?:the )?${literal(name)}(?![\\w])`, 'g')) })),
    )
  }
  fullNames.sort((a, b) => b.pattern.regex.source.length - a.pattern.regex.source.length)
}

/** "Chicago WS" and "New York M" are one venue's names for two teams of a city; some nicknames contain the city. */
function fullName(cities: readonly string[], nickname: string): string {
  const city = cities.find((each) => !/ [A-Z]{1,2}$/.test(each)) ?? ''
  return nickname.includes(city) || cities.some((each) => nickname.startsWith(each)) ? nickname : `${city} ${nickname}`
}

const splitOnce = (text: string, by: string): string[] => {
  const at = text.indexOf(by)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + by.length)]
}

load()

/** One test before the long list: most texts name no team at all. */
const anyNickname = new RegExp(`\\b(?:${[...byNickname.keys()].map(literal).join('|')})\\b`)

/** Patterns worth trying on this text: full names always, cities and nicknames alone only inside their league. */
export function teamAliases(low: string, league: string | null): readonly Alias[] {
  const full = anyNickname.test(low) ? fullNames : []
  return league === null ? full : [...full, ...(inLeague.get(league) ?? [])]
}

/** A nickname unique to one league. */
export function teamOfNickname(name: string): string | null {
  const teams = byNickname.get(name.toLowerCase().replace(/^the /, ''))
  return teams?.size === 1 ? ([...teams][0] as string) : null
}

/** Nicknames that are ordinary words: alone they name no club. */
const ordinary: ReadonlySet<string> = new Set(
  'aces,angels,bears,bills,blues,bulls,capitals,chiefs,devils,dream,ducks,eagles,fever,fire,flames,giants,heat,jazz,jets,kings,liberty,lightning,lions,lynx,magic,mercury,nationals,nets,panthers,pirates,rangers,rays,reds,rockets,royals,saints,senators,sharks,sky,sparks,stars,storm,suns,sun,tempo,thunder,tigers,titans,twins,wild,wings,wizards,wolves'.split(
    ',',
  ),
)

export interface CalledClub {
  /** What it is called where only its city is. A city with two clubs of the league names neither, unless with a letter. */
  cities: string[]
  /** Nicknames of other clubs of its cities, in any league. */
  neighbours: string[]
}

/** Clubs of this nickname, in lower case. */
export function clubsCalled(nickname: string): CalledClub[] {
  if (ordinary.has(nickname)) return []
  return clubs.filter(({ nicknames }) => nicknames.some((each) => each.toLowerCase() === nickname)).map(calledClub)
}

function calledClub(club: Club): CalledClub {
  const shared = clubs.filter((other) => other !== club && other.cities.some((city) => club.cities.includes(city)))
  const isTaken = (city: string): boolean =>
    shared.some(({ league, cities }) => league === club.league && cities.includes(city))
  return {
    cities: club.cities.filter((city) => !isTaken(city)),
    neighbours: shared.flatMap(({ nicknames }) => nicknames),
  }
}

/** `mlb`, `ari` → `mlb:az`; null for a code the league does not have. */
export const teamOfCode = (league: string, code: string): string | null =>
  codes.get(`${league}:${code.toLowerCase()}`) ?? null

/** `mlb:det` → `Detroit Tigers`; null for anything not in the tables. */
export const teamName = (team: string): string | null => names.get(team) ?? null

/** Every code of a league, longest first: ids contain two of them without a separator. */
export const leagueCodes = (league: string): string[] =>
  [...codes.keys()].filter((key) => key.startsWith(`${league}:`)).map((key) => key.slice(league.length + 1))
