// Plain words: insignificant ones, those that may be missing on one side, and several words for one thing. Stems, because they are compared as stems.
import { rewrites } from './patternFilter.ts'
import { stem } from './text.ts'

const list = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''))

/** Grammar. */
const stopWords =
  list(`will the a an of in on at to for be is are was were been being by with from as and or this that it its do does did have has had there
their his her he she they who whom what which how many much when where if than then into during between per get gets happen happens occur occurs take place
exactly times whether anyone anybody someone would could should shall can may might any some each vs v versus yes s us we i you your our time date here`)

/** Used by some venues and omitted by others without changing the question. */
const softWords =
  list(`market price value race election elections party seat award awards series championship team esports esport gaming club fc cf sc afc ac cd ud rc
major tournament official officially pro professional men mens contest held scheduled upcoming edition annual prize trophy general winner match game
season current currently political candidate person people individual level token prize event best-of bo1 bo3 bo5 moneyline result outcome question day position national
de la el le al del da do dos di du van von bin ibn
worldwide resolve reported according`)

/** Words for teams and firms that are filler in a name. */
const nameNoise = list(
  `ec ca and sco us rcd as ss ssc vfl vfb tsg fsv acf cfc ogc aj osc fk sk nk kv kaa rsc aik rkc az cs cp se gd fc cf sc afc ac cd ud rc sv bsc bk if ff team esports esport gaming club the de la el 1 inc corp ltd llc plc co`,
)

const synonyms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    covid19: 'covid',
    coronavirus: 'covid',
    movie: 'film',
    percentage: 'percent',
    prison: 'jail',
    imprison: 'jail',
    assassinate: 'kill',
    murder: 'kill',
    earliest: 'first',
    biggest: 'largest',
    greatest: 'largest',
    leader: 'lead',
    picture: 'film',
  }).map(([from, to]) => [stem(from), stem(to)]),
)

/** Words capitalized in headlines without being names. */
const common = new Set(
  [
    ...list(`will who what how when where which next new first last best worst most least highest lowest hottest coldest record number top up down out over under
before after end year month week day today decision rate rates cut cuts hike price market temperature fight fights lead leads leading leader run runs score scores scored goal goals
point points home stolen base bases triple triples double doubles strikeout strikeouts hit hits save saves assist assists rebound rebounds touchdown touchdowns yard yards
named name sign signed deal agreement ceasefire war peace attack strike strikes invade invasion nuclear weapon test tariff tariffs tax law bill pass passed veto ban banned
approve approval rating announce announced confirm confirmed nominate nominated appoint appointed chair head leader minister cabinet member person people
film movie album song artist actor actress director picture animated feature supporting screenplay score opening weekend box office gross rotten tomatoes
company model ai stock share shares index token airdrop launch launched listing list coin crypto exchange hurricane hurricanes storm earthquake measles cases case flu
vote votes turnout margin state county district recession inflation growth report jobs meeting statement speech tweet tweets post posts followers subscriber
coach manager player draft pick mvp rookie defensive offensive regular season playoff playoffs qualifier qualifiers title medal gold silver bronze
shut shutdown government debt default budget federal funds recognize state visa pardon indict indicted charged convicted sentence sentenced trial court rule ruling
leave leaves resign fired join joins return returns retire retires die pregnant married divorce engaged baby boy girl change end start begin continue`),
  ].map(stem),
)

/** Sports and competitions: the context of a game, once the participants are known. */
const gameWords = new Set(
  [
    ...list(`league legends lol counter strike counterstrike cs2 cs dota 2 valorant laliga la liga bundesliga bundl serie a ligue 1 ufc mma mls atp wta tennis cricket basketball
baseball football hockey soccer nba nfl mlb nhl ipl professional fifa uefa group stage playoffs round final cup open masters tour originally total goal goals score scored scores
run runs point points leading lead play win bo1 bo3 bo5 t20 test odi esports kxlol kbo npb`),
  ].map(stem),
)
export const isGameWord = (word: string): boolean => gameWords.has(stem(word))

/** What is counted. */
const measures = new Set(
  [
    ...list(`goals assists points rebounds steals blocks saves shots yards touchdowns runs hits strikeouts walks corners cards kills maps sets games wins losses
threes interceptions sacks receptions completions aces fouls passes tackles seats votes deaths cases hospitalizations storms hurricanes earthquakes cuts hikes`),
  ].map(stem),
)
export const isMeasure = (word: string): boolean => measures.has(stem(word))

export const isStop = (word: string): boolean => stopWords.has(word)
export const isWeakTerm = (stemmed: string): boolean => softStems.has(stemmed)
export const isCommon = (stemmed: string): boolean => common.has(stemmed)
/** Filler of a name; founding years too ("Como 1907"). */
export const isStopPhrase = (word: string): boolean => nameNoise.has(word) || /^(?:18|19|20)\d\d$/.test(word)
export const synonym = (stemmed: string): string => synonyms.get(stemmed) ?? stemmed

const softStems = new Set([...softWords].map(stem))

/** People known by one name. Written by hand: only those whom headlines call by a surname alone. */
export const peopleGazetteer = rewrites([
  [/\b(?:donald (?:j\.? )?trump|president trump)\b(?! jr)/g, 'Trump'],
  [/\b(?:joe|joseph) biden\b/g, 'Biden'],
  [/\bkamala harris\b/g, 'Harris'],
  [/\bvladimir putin\b/g, 'Putin'],
  [/\bvolod[iy]m[iy]r zelensk(?:y|yy|iy)\b/g, 'Zelensky'],
  [/\b(?:benjamin|bibi) netanyahu\b/g, 'Netanyahu'],
  [/\belon musk\b/g, 'Musk'],
  [/\bxi jinping\b/g, 'Xi Jinping'],
  [/\b(?:sir )?keir starmer\b/g, 'Starmer'],
  [/\bemmanuel macron\b/g, 'Macron'],
  [/\b(?:gta|grand theft auto) ?(?:vi|6)\b/g, 'GTA6'],
  [/\bgrand theft auto\b/g, 'GTA'],
])
