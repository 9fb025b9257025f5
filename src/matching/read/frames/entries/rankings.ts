// How many, how high in a list, and what is released by a day.
import type { PropositionTemplate } from '../proposition.ts'

const ended = '(?: (?:on|in|at|by|during|from|between))?(?: the)?'
const list = '(?:on|in|of|at|among) (?:the )?<what>'

export const outputs: readonly PropositionTemplate[] = [
  {
    name: 'announced',
    cue: /announc/,
    affirms: [
      '<who> announces? (?:an? |the |his |her |their |its )?<what>',
      '(?:the )?<what> (?:be |is )?(?:officially )?announced(?: by <who>)?',
      'when will <who> announce (?:an? |the |his |her |their )?<what>(?: :)?',
    ],
    people: ['who'],
    simple: ['who', 'what'],
    window: 'open',
  },
  {
    name: 'released',
    cue: /releas|launch/,
    affirms: [
      '<who> (?:releases?|launch(?:es)?) (?:an? |the |his |her |their |its )?<what>',
      '(?:the )?<what> (?:be |is )?(?:officially )?(?:released|launched)(?: by <who>)?',
      'when will <who> (?:release|launch) (?:an? |the |his |her |their |its )?<what>(?: :)?',
      'when will (?:the )?<what> be (?:released|launched)(?: :)?',
    ],
    simple: ['who', 'what'],
    window: 'open',
  },
]

export const rankings: readonly PropositionTemplate[] = [
  {
    name: 'rank',
    cue: /#|number one|\btop\b|no\. ?1/,
    affirms: [
      `<who> (?:be|is|ranks?|reach(?:es)?|hits?|finish(?:es)?|debuts?|places?|charts?|peaks?)(?: (?:be|is))?(?: (?:ranked|placed))?(?: at| in)?(?: the)? (?:#<n>|(?<one>number one|number 1|no\\. ?1))(?: \\S+(?: \\S+)?)? ${list}`,
      `<who> (?:be|is|ranks?|finish(?:es)?|debuts?|places?|charts?|peaks?)(?: (?:ranked|placed))?(?: (?:in|within|inside))?(?: the)? top #<upto> ${list}`,
      `(?<one>#1|number one) ${list} : <who>`,
      `(?:which|what) (?:\\S+ )?(?:will )?(?:be|is|rank|hit|reach) (?:at )?(?:the )?(?:#<n>|(?<one>number one|no\\. ?1)) ${list} : <who>`,
    ],
    grid: { step: 1, min: 1 },
    mayFail: true,
    each: 'day',
    unique: 'who',
    window: 'recurring',
  },
  {
    name: 'count',
    cue: /\bpost|tweet|number of|how many|there be|will there|happen|transit|score|operate|cuts|hikes|sell|deport|get\b/,
    affirms: [
      `(?:the )?<who> (?<said>posts?|tweets?|sends?|scores?|sells?|signs?|issues?|deports?|makes?|hosts?|launch(?:es)?)(?: exactly)?(?: <n>)? <what>${ended}`,
      `how many <what> will (?:the )?<who> (?<said>post|tweet|send|score|sell|sign|issue|deport|make|host|launch)${ended}(?: :(?: <n>)?(?: [a-z]+)?)?`,
      `(?:the )?(?:total )?number of <what> (?:be|is)(?: exactly)?(?: <n>)?${ended}`,
      `there be(?: exactly)?(?: <n>)? <what>${ended}`,
      `how many <what>(?: will there be| be there| happen| will happen)?${ended}(?: :(?: <n>)?(?: [a-z]+)?)?`,
      `(?:exactly )?(?:<n> )?<what> happen${ended}`,
    ],
    implied: ['said'],
    grid: { step: 1, min: 0 },
    window: 'recurring',
  },
]
