// Countries, US states and cities under one name each: demonyms, short forms and other languages. General knowledge, not a gazetteer. Written
// by hand: countries as ISO 3166 names them in English with English demonyms, states by the two letters of the US Postal Service, cities only
// if they have several words or a short form that venues use.

const states =
  'alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada new-hampshire new-jersey new-mexico new-york north-carolina north-dakota ohio oklahoma oregon pennsylvania rhode-island south-carolina south-dakota tennessee texas utah vermont virginia washington west-virginia wisconsin wyoming'

const stateCodes =
  'al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa ri sc sd tn tx ut vt va wa wv wi wy'

/** name: other spellings and demonyms, all lower case and folded. */
const countries = `us: united states of america/united states/u.s.a./u.s./usa/american/america/us
uk: united kingdom/great britain/u.k./british/britain/uk
england: english
scotland: scottish
wales: welsh
france: french
germany: german/deutschland
italy: italian
spain: spanish
portugal: portuguese
netherlands: dutch/holland
belgium: belgian
switzerland: swiss
austria: austrian
poland: polish
czechia: czech republic/czech
slovakia: slovak/slovakian
hungary: hungarian
romania: romanian
bulgaria: bulgarian
greece: greek
turkiye: turkey/turkish
ukraine: ukrainian
russia: russian/russian federation
belarus: belarusian
sweden: swedish
norway: norwegian
denmark: danish
finland: finnish
iceland: icelandic
ireland: irish/republic of ireland
serbia: serbian
croatia: croatian
slovenia: slovenian
bosnia: bosnia and herzegovina/bosnia & herzegovina/bosnia-herzegovina/bosnian
albania: albanian
kosovo: kosovan
north-macedonia: north macedonia
moldova: moldovan
georgia: georgian
armenia: armenian
azerbaijan: azerbaijani
kazakhstan: kazakh
israel: israeli
palestine: palestinian
iran: ir iran/iranian/islamic republic of iran
iraq: iraqi
syria: syrian
lebanon: lebanese
jordan: jordanian
saudi-arabia: saudi arabia/saudi arabian/saudi
uae: united arab emirates/u.a.e./uae/emirati
qatar: qatari
kuwait: kuwaiti
yemen: yemeni
egypt: egyptian
morocco: moroccan
algeria: algerian
tunisia: tunisian
libya: libyan
nigeria: nigerian
ghana: ghanaian
senegal: senegalese
kenya: kenyan
ethiopia: ethiopian
south-africa: south africa/south african
ivory-coast: cote d'ivoire/ivory coast/ivorian
dr-congo: democratic republic of the congo/democratic republic of congo/dr congo/congo dr/drc
cape-verde: cabo verde/cape verde
cameroon: cameroonian
china: chinese/prc/people's republic of china
taiwan: taiwanese
hong-kong: hong kong
japan: japanese
south-korea: south korea/korea republic/republic of korea/south korean
north-korea: north korea/dprk/north korean
india: indian
pakistan: pakistani
bangladesh: bangladeshi
nepal: nepalese/nepali
sri-lanka: sri lanka/sri lankan
thailand: thai
vietnam: vietnamese
philippines: philippine/filipino
indonesia: indonesian
malaysia: malaysian
singapore: singaporean
australia: australian
new-zealand: new zealand
canada: canadian
mexico: mexican
brazil: brazilian/brasil
argentina: argentine/argentinian
chile: chilean
colombia: colombian
peru: peruvian
venezuela: venezuelan
ecuador: ecuadorian
bolivia: bolivian
paraguay: paraguayan
uruguay: uruguayan
cuba: cuban
haiti: haitian
panama: panamanian
honduras: honduran
costa-rica: costa rica/costa rican
jamaica: jamaican
curacao: curacaoan
eu: european union/e.u./eu
greenland: greenlandic
uzbekistan: uzbek
sudan: sudanese
south-sudan: south sudan/south sudanese
somalia: somali
somaliland
latvia: latvian
estonia: estonian
lithuania: lithuanian
luxembourg: luxembourgish
malta: maltese
cyprus: cypriot
montenegro: montenegrin
kyrgyzstan: kyrgyz
tajikistan: tajik
turkmenistan: turkmen
mongolia: mongolian
myanmar: burma/burmese
cambodia: cambodian
laos: laotian
afghanistan: afghan
bahrain: bahraini
oman: omani
mali: malian
burkina-faso: burkina faso/burkinabe
tanzania: tanzanian
uganda: ugandan
rwanda: rwandan
burundi: burundian
zambia: zambian
zimbabwe: zimbabwean
mozambique: mozambican
angola: angolan
namibia: namibian
botswana: botswanan
malawi: malawian
madagascar: malagasy
gabon: gabonese
togo: togolese
benin: beninese
liberia: liberian
gambia: gambian
guatemala: guatemalan
el-salvador: el salvador/salvadoran
nicaragua: nicaraguan
guyana: guyanese
suriname: surinamese
fiji: fijian
brunei: bruneian
bhutan: bhutanese
maldives: maldivian`

const cities = `new-york-city: new york city/nyc/ny city
los-angeles: los angeles
washington-dc: washington dc/washington d.c./d.c.
philadelphia: philly
san-francisco: san francisco
new-orleans: new orleans
las-vegas: las vegas
san-antonio: san antonio
oklahoma-city: oklahoma city
kansas-city: kansas city
salt-lake-city: salt lake city
sao-paulo: sao paulo
buenos-aires: buenos aires
mexico-city: mexico city
tel-aviv: tel aviv`

/** `tx` → `texas`. */
export const stateOfCode: ReadonlyMap<string, string> = new Map(
  stateCodes.split(' ').map((code, index) => [code, states.split(' ')[index] as string]),
)

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const names = new Map<string, string>()
for (const state of states.split(' ')) names.set(state.replaceAll('-', ' '), state)
for (const line of `${cities}\n${countries}`.split('\n')) {
  const [name = '', others = ''] = line.split(': ')
  if (!names.has(name.replaceAll('-', ' '))) names.set(name.replaceAll('-', ' '), name)
  for (const other of others.split('/')) if (other !== '' && !names.has(other)) names.set(other, name)
}

/** Longest first: "West Virginia" before "Virginia". */
export const placePattern = new RegExp(
  `(?<![\\w])(?:the )?(${[...names.keys()]
    .sort((a, b) => b.length - a.length)
    .map(literal)
    .join('|')})(?:'s|s')?(?![\\w])`,
  'g',
)

/** First words of place names. */
const heads = new Set([...names.keys()].map((name) => /^[a-z0-9]+/.exec(name)?.[0] ?? name))

/** False only if a lower-case text names no place: most name none, and the pattern is long. */
export function couldBePlaceName(low: string): boolean {
  let start = -1
  for (let at = 0; at <= low.length; at++) {
    const code = low.charCodeAt(at)
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) {
      if (start < 0) start = at
      continue
    }
    if (start >= 0 && isHead(low.slice(start, at))) return true
    start = -1
  }
  return false
}

/** "Ohios'", too. */
const isHead = (word: string): boolean => heads.has(word) || (word.endsWith('s') && heads.has(word.slice(0, -1)))

/** A single word that is a place, for words left inside names. */
export const placeWord = new RegExp(`^${placePattern.source}$`)

/** The place a plain word names, null for most words. */
export const placeOfWord = (word: string): string | null => names.get(word) ?? null

/** The canonical name of a place found by the pattern. "us" is the country only in capitals. */
export function placeOf(found: string, raw: string): string | null {
  if (/^(?:us|uk|eu|uae|drc)$/.test(found) && !/\b(?:US|UK|EU|UAE|DRC)\b/.test(raw)) return null
  return names.get(found) ?? null
}

const joined = new Set([...names.values()].map((name) => name.replaceAll('-', '')))

/** A place as one word, as templates' sentences have it: `newyorkcity`. */
export const isPlace = (word: string): boolean => joined.has(word)
