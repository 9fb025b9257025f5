// Who comes first: elections, nominations, prizes, titles.
import type { PropositionTemplate } from '../proposition.ts'

const be = '(?:be|is|becomes?|was)'
const named = `${be}(?: (?:named|announced|chosen|selected|elected|declared|crowned|picked|revealed))?(?: as)?(?: the)?`
const get = '(?:wins?|secures?|gets?|receives?|clinch(?:es)?|earns?|takes?(?: home)?)'

/** "Best Album at the Cedar Awards": what is won, regardless of the verb. */
const category =
  '(?:top|best|favou?rite|outstanding|breakthrough) .+ (?:awards?|grammys|oscars|emmys|tonys|vmas|baftas|espys)'

export const contests: readonly PropositionTemplate[] = [
  {
    name: 'nominee of a party',
    cue: /nomin/,
    affirms: [
      `<who> ${named} (?:<what> )?nominee(?: for <more>)?`,
      `<who> ${get} (?:the )?<what> nomination(?: for <more>)?`,
      `(?:who will (?:be|win) )?(?:the )?<what> nomin(?:ation|ee)(?: for <more>)? : <who>`,
    ],
    people: ['who'],
    unique: 'who',
    window: 'recurring',
  },
  {
    name: 'nominated for a prize',
    cue: /nominee|nominated/,
    affirms: [
      `<who> ${be} (?:a )?(?:nominated|nominee) for (?:the )?<what>`,
      `<who> ${be} (?:a )?<what> nominee`,
      '<what> nominees(?: for <more>)? : <who>',
      'who will be nominated for <what> : <who>',
    ],
    window: 'bounded',
  },
  {
    name: 'winner',
    cue: /\bw[io]n|champion|elected|\bawards?\b|\b(?:grammy|oscar|emmy|tony|vma|bafta|espy)s\b/,
    affirms: [
      `(?<what>${category}) : <who>`,
      `<who> ${named} (?<what>${category})`,
      `<who> ${get} (?:the )?most votes in (?:the )?<what>`,
      `<who> ${named} (?:the )?<what> (?:winner|champions?)(?: (?:of|at|in) (?:the )?<more>)?`,
      '(?:who will win|which \\S+ will win) (?:the )?<what> : <who>',
      '<what> (?:winner|champions?)(?: (?:of|at|in) (?:the )?<more>)? : <who>',
      '<who> (?:to )?(?:wins?|wins? the) (?:the )?<what>',
    ],
    unique: 'who',
    window: 'recurring',
  },
]
