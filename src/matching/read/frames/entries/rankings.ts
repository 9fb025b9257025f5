// How many, and how high in a list.
import type { PropositionTemplate } from '../proposition.ts'

const ended = '(?: (?:on|in|at|by|during|from|between))?(?: the)?'
const list = '(?:on|in|of|at|among) (?:the )?<what>'

export const rankings: readonly PropositionTemplate[] = [
  {
    name: 'rank',
    cue: /#|number one|\btop\b|no\. ?1/,
    affirms: [
      `<who> (?:be|is|ranks?|reach(?:es)?|hits?|finish(?:es)?|debuts?|places?|charts?|peaks?)(?: (?:be|is))?(?: (?:ranked|placed))?(?: at| in)?(?: the)? (?:#<n>|(?<one>number one|number 1|no\\. ?1))(?: \\S+(?: \\S+)?)? ${list}`,
      `<who> (?:be|is|ranks?|finish(?:es)?|debuts?|places?|charts?|peaks?)(?: (?:ranked|placed))?(?: (?:in|within|inside))?(?: the)? top #<upto> ${list}`,
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
      `there be(?: exactly)?(?: <n>)? <what>${ended}`,
      `how many <what>(?: will there be| be there| happen| will happen)?${ended}(?: :(?: <n>)?(?: [a-z]+)?)?`,
      `(?:exactly )?(?:<n> )?<what> happen${ended}`,
    ],
    implied: ['said'],
    grid: { step: 1, min: 0 },
    window: 'recurring',
  },
]
