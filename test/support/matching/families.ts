// Families of labelled pairs, and which of them the matcher was developed with.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { MatchInput } from '#matching/read/input'
import type { LabelledPair } from '../labelledPairs.ts'

const states =
  'AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY'
const stateRace = new RegExp(`^(HOUSE|SENATE|GOVPARTY|LTGOV|ATTYGEN)(?:${states})(?:AL|\\d{1,2})?$`)
const statePrimary = new RegExp(`^(?:${states})(PRIMARY)$`)
const partyNomination = /^(PRESNOM)[DR]$/

/** Series of a Kalshi ticker without the prefix; one for all states and for both parties. Null for other ids. */
export function seriesOf({ marketId }: Pick<MatchInput, 'marketId'>): string | null {
  const ticker = /^([A-Z][A-Z0-9]+)-/.exec(marketId)?.[1]
  if (ticker === undefined) return null
  const series = ticker.replace(/^KX/, '')
  return (stateRace.exec(series) ?? statePrimary.exec(series) ?? partyNomination.exec(series))?.[1] ?? series
}

/** The label's family; otherwise the series; otherwise the first title without names and numbers. */
export function familyOf({ a, b, family }: LabelledPair): string {
  return family ?? seriesOf(a) ?? seriesOf(b) ?? wordingOf(a.title)
}

const wordingOf = (title: string): string =>
  (title.match(/(?<![\p{L}\p{N}.'’-])\p{Ll}[\p{L}'’-]*/gu) ?? []).join(' ') || 'names only'

/** Families and series of the sets that rules, entries, phrases and templates were written with. */
const developed: ReadonlySet<string> = new Set(
  `AFDPERCENT ALBUMRELEASE ALIENS ALLVOTEHEGSETH ALLVOTERFKJR ALLVOTETG AMERICAPROFIT AOCENDORSE ARGENTINAPRES ARREST
  ATPMATCH ATPSETWINNER ATTYGEN AUDIT AUSSEATDUTTON BERLINSTATE BOLIVIAFIRSTROUND BRAZILPRES1R BRPRES BRPRES1MOV
  BRPRES1R BRPRESIDENT2 BRPRESIDENT3 BTCMAX150 BTCMENTIONULBRICHT BULGARIAPRES CABOUT CAGOVPRIMARY1ST CALIEUTENANTGOV
  CANAL CANELECTRICITY CDUPERCENT CHILE1ROUND COLOMBIAPRES CONTROLH CONTROLS CPICORE CS2 CS2GAME CS2MAP CS2QUALIFIERS
  DHOUSESEATS DNCCHAIR ELECTIONMOVNJGOV ELECTIONMOVVAGOV ENGAGEMENTTIMOTHEEKYLIE ENGAGEMENTTRUDEAUPERRY ESPY
  ESPYBESTATHLETEMEN ESPYBESTATHLETEWOMEN ESPYSOCCER ESPYTENNIS EXTRADITEUSISRAELTALEX F1 FRENCHPRES GABBARDCOUNT
  GOVCONOMR GOVPARTY GOVTRECOGSYRIA GRAM GRAMBCA GRAMBCS GRAMBRBS GRAMMYCOUNTBILLIE GRAMMYNOMBRA GTEMP HEGSETHCOUNT
  HOUSE HOUSERACE IPLGAME JOINTRUMPADMIN JONESDROPOUT LEADERMLBRUNS LEADERMLBSTEALS LEADERMLBTRIPLES
  LEAVETULSIGABBARD LINKEPERCENT LOLGAME LOLMAP LTGOV MAYORCHI MCBORDERLANDSFOUR MCGREGORFIGHTNEXT MCHKSILKSONG
  MCMETALGEARSOLIDDELTASNAKEEATER MCPOKEMONLEGENDSZA MEASLES MENWORLDCUP MILSPEND MINASGOV MISSIONIMPOSSIBLE MLBAL
  MLBALCY MLBALHAARON MLBGAME MLBNL MLBNLCY MUSKPACKAGEVOTE NATLEMERGENCY NBAGAME NEWPOPE NHLGAME NORWAYPF PARIS
  PATELCOUNT PCTVOTECUOR1 PCTVOTEMAMR1 PERUPRES POILIEVRESEAT PRESNIGERIA PRESNOM PRESTAIWAN
  PRIMARY RFKCOUNT RTACCOUNTANT2 RTALIENEARTH RTBLACKPHONE2 RTCAPTAINAMERICA RTCAUGHTSTEALING RTCONJURING
  RTDOWNTONABBEY RTF1 RTFANTASTICFOUR RTFIGHTORFLIGHT RTHAPPYGILMORE2 RTHOWTOTRAINYOURDRAGON RTJURASSICWORLDREBIRTH
  RTJWBALLERINA RTKARATEKIDLEGENDS RTMINECRAFT RTMOANA2 RTMUFASA RTNAKEDGUN RTNOBODY2 RTONEBATTLEAFTERANOTHER
  RTROOFMAN RTROSES RTSMURFS RTSONIC3 RTSUPERMAN RTTHEAMATEUR RTTHELONGWALK RTTHESMASHINGMACHINE RTTHUNDERBOLTS
  RTWEAPONS RTWITCHERS4 RUBIO SCHUMEROUT SECONDPLACENJGOVDNOM SPDPERCENT SPEAKERVOTE TOKENLAUNCHINFINEX TOPPOP
  TRUMPNETFAVINAUG UFCFIGHT VANCE VOTECHAVEZDEREMER VOTEHEGSETH VOTEPATEL VOTEPERCENTAUTO VOTEPERCENTCUOMO
  VOTEPERCENTNOFRP VOTEPERCENTNOLIB VOTEPERCENTPIRATES VOTEPERCENTSLIWA VOTEPERCENTSTAN VOTERECNCS WALTZCOUNT
  WNBAGAME WTAMATCH WTASETWINNER YESILGOZOUT score senvote share`
    .split(/\s+/)
    .filter(Boolean),
)

/** SHA-256 of those sets, uncompressed: their pairs without a family or series are recognized by the set alone. */
const developedSets: ReadonlySet<string> = new Set([
  // relations/labelled_relations.jsonl
  '3dff11aff4c861c45bc01b8edc50c6941be6afa792a51adb7c4f085c2b8243d4',
  // matching/labeled_corpus.jsonl
  'c961b89a41dca7d35bdc853b1368b6b68f1c44a91379ae6f62a89640027afb74',
  // matching/ground-truth-pairs.csv
  '867ce0eb2a5d8019b4d68072efa7b363093b4076442aed0db7780ecc9fec0bf2',
  // matching/candidate_filter_scores.csv
  '88f81dbb29a974c19513286546afb1105fd963e4cf23f7cdcdefeed4846294bb',
  // matching/xplat_equivalence_seed.jsonl
  'f97ca0833e18b6cb7cb93ef2d7cc88615dde1d699aa4b5bf45efe1aa753dec9c',
  // matching/polymarket_us_kalshi_pairs.json
  '8814dc9fa7cd74f96fa1c0872e7b7aa3629deadee23261197802d5c83fa34fb8',
  // arbitrage/sample_matches.csv
  '8e643e782be853a0cf25008aceecc358b4f777d28105451e4d7c6eae4f3a1f2b',
  // test/src/matching/wordings/listings.jsonl
  'e1c70fe5072752995b87e56974b6fb5f95f0e85e5102e36a5a01ba1c5bc46ab4',
])

/** Whether the matcher was developed with other pairs of this family. */
export function isDeveloped(pair: LabelledPair): boolean {
  return [pair.family, seriesOf(pair.a), seriesOf(pair.b)].some((name) => name !== null && developed.has(name))
}

export function isDevelopedSet(path: string): boolean {
  const bytes = readFileSync(path)
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes
  return developedSets.has(createHash('sha256').update(plain).digest('hex'))
}
