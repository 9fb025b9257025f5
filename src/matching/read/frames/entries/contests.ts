// Who comes first: elections, nominations, prizes, titles, places behind the first.
import type { PropositionTemplate } from '../proposition.ts'

const be = '(?:be|is|becomes?|was)'
const named = `${be}(?: (?:named|announced|chosen|selected|elected|declared|crowned|picked|revealed))?(?: as)?(?: the)?`
const get = '(?:wins?|secures?|gets?|receives?|clinch(?:es)?|earns?|takes?(?: home)?)'

/** "Best Album at the Cedar Awards": what is won, regardless of the verb. */
const category =
  '(?:top|best|favou?rite|outstanding|breakthrough) .+ (?:awards?|grammys|oscars|emmys|tonys|vmas|baftas|espys)'

const ordinal = '(?<said>second|third|fourth|fifth|last|\\d+(?:st|nd|rd|th))'

export const contests: readonly PropositionTemplate[] = [
  {
    name: 'nominee of a party',
    cue: /nomin/,
    affirms: [
      `<who> ${named} (?:<what> )?nominee(?: for <more>)?`,
      `<who> ${get} (?:the )?<what> nomination(?: for <more>)?`,
      `<who> ${be} nominated by (?:the )?<what>(?: for <more>)?`,
      `<who> to (?:win|be) (?:the )?<what> nomin(?:ation|ee)(?: for <more>)?`,
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
    name: 'second and later places',
    cue: /place|\bsecond\b|\bthird\b|\bfourth\b|runner/,
    affirms: [
      `<who> (?:gets?|finish(?:es)?|comes?|places?|takes?|be)(?: in)? (?:the )?${ordinal}(?: place)?(?: in)?(?: the)? <what>`,
      `<who> (?:wins?|gets?|receives?) (?:the )?${ordinal}[- ]most(?: votes)?(?: in)?(?: the)? <what>`,
    ],
    people: ['who'],
    unique: 'who',
    window: 'recurring',
  },
  {
    name: 'winner',
    cue: /\bw[io]n|champion|elected|\bawards?\b|\b(?:grammy|oscar|emmy|tony|vma|bafta|espy)s\b/,
    affirms: [
      `(?<what>${category}) : <who>`,
      `<who> ${named} (?<what>${category})`,
      `<who> ${get} (?:the )?most votes in (?:the )?<what>`,
      `<who> ${named} (?:the )?winner (?:of|at|in) (?:the )?<what>`,
      `<who> ${named} (?:the )?<what> (?:winner|champions?)(?: (?:of|at|in) (?:the )?<more>)?`,
      '(?:who will win|which \\S+ will win) (?:the )?<what> : <who>',
      '<what> (?:winner|champions?)(?: (?:of|at|in) (?:the )?<more>)? : <who>',
      '<what> : (?:will )?<who> wins?',
      '<who> (?:to )?(?:wins?|wins? the) (?:the )?<what>',
    ],
    unique: 'who',
    window: 'recurring',
  },
]

/** Last: any naming of a person as something, in any words. */
export const general: readonly PropositionTemplate[] = [
  {
    name: 'named',
    cue: /\bbe\b|become|named|top|best|most|highest|biggest|largest/,
    affirms: [
      '<who> (?:be |is |become |becomes )?(?:named|announced as|crowned|revealed as) (?:as )?(?:the |an? )?<what>',
      '<who> (?:be|becomes?) (?:the |an? )?<what>',
      '(?<what>(?:top|best|most|highest|biggest|largest) .+) : <who>',
      'who will (?:be|become)(?: named| announced as| crowned)? (?:the )?<what> : <who>',
    ],
    window: 'open',
  },
]
