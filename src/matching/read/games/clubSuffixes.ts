// Clubs of the same name distinguished only by their suffix: "Barcelona" is not "Barcelona SC". Elsewhere such a suffix means nothing, and venues
// omit it.

const letters = 'fc|cf|afc|sc|ac|cd|ca|ec|ud|rc|sk|fk|bk|if|kf|nk'
/** Equivalent letters: football club. */
const family = (found: string): string => (/^(?:cf|afc)$/.test(found) ? 'fc' : found)

/**
 * Clubs whose bare name never means the namesake, with their own letters. A short manual list, of the larger of two clubs of one name:
 * Barcelona SC plays in Guayaquil, CD Everton in Viña del Mar, Arsenal in Sarandí, Liverpool in Montevideo.
 */
const own = new Map(
  Object.entries({
    barcelona: 'fc',
    everton: 'fc',
    arsenal: 'fc',
    liverpool: 'fc',
    chelsea: 'fc',
    juventus: 'fc',
    santos: 'fc',
    valencia: 'fc',
    sevilla: 'fc',
    villarreal: 'fc',
    milan: 'ac',
  }),
)

const behind = new RegExp(`([\\p{L}]{4,}) (${letters})(?![\\p{L}\\d])`, 'gu')
const before = new RegExp(`(?<![\\p{L}\\d])(${letters}) ([\\p{L}]{4,})`, 'gu')
const any = new RegExp(`\\b(?:${letters})\\b`)

/** Names with letters next to them, each with the letters. */
function lettered(low: string): Map<string, string> {
  const found = new Map<string, string>()
  if (!any.test(low)) return found
  for (const [, found1, name] of low.matchAll(before)) found.set(name as string, family(found1 as string))
  for (const [, name, found2] of low.matchAll(behind)) found.set(name as string, family(found2 as string))
  return found
}

/** The name under which the two texts mean two clubs; null if nothing distinguishes them. */
export function otherClub(one: string, two: string): string | null {
  const [a, b] = [one.toLowerCase(), two.toLowerCase()]
  const [x, y] = [lettered(a), lettered(b)]
  if (x.size === 0 && y.size === 0) return null
  for (const name of new Set([...x.keys(), ...y.keys()])) {
    const [mine, other] = [x.get(name), y.get(name)]
    if (mine !== undefined && other !== undefined) {
      if (mine !== other) return name
      continue
    }
    const bare = own.get(name)
    if (bare !== undefined && (mine ?? other) !== bare && (mine === undefined ? a : b).includes(name)) return name
  }
  return null
}
