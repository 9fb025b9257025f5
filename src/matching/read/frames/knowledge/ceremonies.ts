// Numbered annual prizes, and the categories unique to each of them.

/** Year of the ceremony = number + this. Recording Academy, Academy of Motion Picture Arts, Television Academy, HFPA, American Theatre Wing, NFL. */
const first: Readonly<Record<string, number>> = {
  grammy: 1958,
  oscar: 1928,
  academy: 1928,
  emmy: 1948,
  primetime: 1948,
  'golden globe': 1943,
  tony: 1947,
}

const edition = new RegExp(`\\b(\\d{2,3})(?:st|nd|rd|th) (?:annual )?(?=(${Object.keys(first).join('|')})s?\\b)`, 'gi')

/** "68th Annual Grammy Awards" is "2026 Grammy Awards". */
export const datedEditions = (text: string): string =>
  /\d(?:st|nd|rd|th)\b/.test(text)
    ? text.replace(
        edition,
        (_, number: string, name: string) => `${Number(number) + (first[name.toLowerCase()] ?? 0)} `,
      )
    : text

/** Categories by what they are given for; words of one line name prizes of that ceremony alone. Their own lists of categories. */
const only: Readonly<Record<string, readonly RegExp[]>> = {
  grammys: [/\bbest (?:[a-z&]+ ){1,4}(?:album|song|performance|recording)\b/],
  espys: [/\bbest (?:athlete|team|championship performance|comeback athlete|breakthrough athlete)\b/],
  oscars: [/\bbest international feature(?: film)?\b/],
  emmys: [/\boutstanding lead act(?:or|ress)\b/],
  tonys: [/\bbest (?:musical|play|revival of a (?:musical|play))$/],
}

const names = new Set([...Object.keys(only), 'goldenglobes', 'baftas', 'vmas'])
export const isCeremony = (term: string): boolean => names.has(term)

/** Only this ceremony gives a prize of that name. */
export const givenOnlyAt = (ceremony: string, category: string): boolean =>
  only[ceremony]?.some((pattern) => pattern.test(category)) === true
