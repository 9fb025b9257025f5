// Who holds, takes or leaves an office.
import type { PropositionTemplate } from '../proposition.ts'

const be = '(?:be|is|becomes?)'
const named = `${be}(?: (?:named|appointed|announced|chosen|selected|elected|picked|sworn in))?(?: as| to be)?`

export const offices: readonly PropositionTemplate[] = [
  {
    name: 'first to leave',
    cue: /first|next/,
    affirms: [
      '<who> (?:be|is) (?:the )?(?<said>first|next)(?: person| member| one| secretary| official)? (?:to leave|out of|to depart|to resign from|to exit) (?:the )?<what>',
      'who will be (?:the )?(?<said>first|next)(?: person| member)? (?:to leave|out of) (?:the )?<what> : <who>',
    ],
    unique: 'who',
    people: ['who', 'role'],
    window: 'open',
  },
  {
    name: 'next to hold an office',
    cue: /next|replace|succeed/,
    affirms: [
      `<who> ${named} (?:the )?(?:<role> )?next <what>`,
      '<who> (?:the )?next <what> be',
      '<who> (?:replaces?|succeeds?) <role> as (?:the )?(?:next )?<what>',
      '(?:who will be )?(?:the )?next <what> : <who>',
    ],
    implied: ['role'],
    selfEnding: true,
    unique: 'who',
    people: ['who', 'role'],
    window: 'open',
  },
  {
    name: 'loses a seat',
    cue: /seat/,
    affirms: ['<who> loses? (?:his|her|their|its|the) seat(?: (?:in|at) (?:the )?<what>)?'],
    denies: ['<who> (?:keeps?|holds?|retains?) (?:his|her|their|its|the) seat(?: (?:in|at) (?:the )?<what>)?'],
    people: ['who'],
    implied: ['what'],
    window: 'bounded',
  },
  {
    name: 'gives up a race',
    cue: /drop|withdraw|suspend/,
    affirms: [
      '<who> (?:drops? out|withdraws?)(?: of| from) (?:the )?<what>',
      '<who> (?:suspends?|ends?) (?:his|her|their) (?:campaign|candidacy)(?: for (?:the )?<what>)?',
    ],
    people: ['who'],
    window: 'bounded',
  },
  {
    name: 'in office',
    cue: /\bout\b|leave|resign|step|longer|remain|stay|depart|cease/,
    denies: ['<who> (?:remains?|stays?|continues?)(?: in office)?(?: on)?(?: as)? (?:the )?<what>'],
    affirms: [
      '<who> (?:be )?out as (?:the )?<what>',
      '<who> (?:no longer be|cease to be|be no longer) (?:the )?<what>',
      '<who> (?:leaves?|departs?|exits?|steps? down|resigns?)(?: from office)?(?: as| from being) (?:the )?<what>',
      '<who> (?:leaves?|departs?|exits?) (?:the )?<what>',
    ],
    people: ['who', 'role'],
    // A person leads only one chamber.
    impliedOfPerson: /^(?:senate|house)$/,
    window: 'open',
  },
]
