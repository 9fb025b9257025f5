// Votes: who votes for what, how many do, a party's share, and the margin of victory.
import type { PropositionTemplate } from '../proposition.ts'

const voter =
  '(?:(?:us |u\\.s\\. )?(?<said>senators?|representatives?|members(?: of (?:congress|parliament))?|lawmakers|house members|mps|justices))'
const confirm = '(?:vote|votes)(?: (?:for|yes on|yea on|in favor of|to (?:confirm|approve|pass|support|elect)))'

export const votes: readonly PropositionTemplate[] = [
  {
    name: 'votes counted',
    cue: /vote/,
    affirms: [
      `(?:(?:exactly )?<n> )?${voter} (?:will )?${confirm} (?:the )?<what>(?: as (?:as )?(?:the )?<role>)?`,
      '<what> (?:receives?|gets?)(?: exactly)?(?: <n>)? (?:yea |yes |aye )?votes (?:in|for) (?:his|her|their|the)(?: <role>)? (?:confirmation|nomination)(?: vote)?',
      '<what> (?:be )?confirmed(?: as (?:the )?<role>)? (?:with|by)(?: exactly)?(?: <n>)? (?:yea |yes |aye )?votes',
      'how many (?<said>senators|representatives|members) will vote (?:for|to confirm) <what>(?: as (?:the )?<role>)?(?: :(?: <n>)?(?: (?:votes?|ballots?|rounds?|seats?|senators?))?)?',
    ],
    people: ['what'],
    implied: ['role', 'said'],
    grid: { step: 1, min: 0 },
    mayFail: true,
    window: 'bounded',
  },
  {
    name: 'ballots until one is elected',
    cue: /ballot|votes|rounds/,
    affirms: [
      '(?:it )?takes?(?: exactly)?(?: <n>)? (?:votes?|ballots?|rounds?(?: of voting)?) to elect (?:a |an |the )?(?:next |new )?<what>',
      '(?:(?:the )?(?:next|new) )?<what> (?:be )?elected (?:in|on|after)(?: exactly)?(?: <n>)? (?:votes?|ballots?|rounds?(?: of voting)?)',
      'how many (?:votes?|ballots?|rounds?)(?: of voting)? (?:will it take )?to elect (?:a |the )?<what>(?: :(?: <n>)?(?: (?:votes?|ballots?|rounds?|seats?|senators?))?)?',
    ],
    grid: { step: 1, min: 1 },
    window: 'bounded',
  },
  {
    name: 'vote of one',
    cue: /vote/,
    affirms: [`<who> ${confirm} (?:the )?<what>(?: as (?:as )?(?:the )?<role>)?`],
    implied: ['role'],
    people: ['who', 'what'],
    window: 'bounded',
  },
  {
    name: 'seats won',
    cue: /seat/,
    affirms: [
      '(?:the )?<who> (?:wins?|gets?|takes?|secures?|holds?|gains?)(?: exactly)?(?: <n>)?(?: of)?(?: the)? seats(?:(?: in| at)?(?: the)? <what>)?',
      'how many seats will (?:the )?<who> (?:win|get|take|have|hold)(?:(?: in| at)?(?: the)? <what>)?(?: :(?: <n>)?(?: (?:votes?|ballots?|rounds?|seats?|senators?))?)?',
      'how many <what> seats will (?:the )?<who> (?:win|get|take|have|hold)(?:(?: in| at)?(?: the)? <more>)?(?: :(?: <n>)?(?: (?:votes?|ballots?|rounds?|seats?|senators?))?)?',
      '(?:the )?<who> (?:wins?|gets?|takes?|secures?|holds?|gains?)(?: exactly)?(?: <n>)? <what> seats(?:(?: in| at)?(?: the)? <more>)?',
    ],
    grid: { step: 1, min: 0 },
    unit: 'count',
    window: 'recurring',
  },
  {
    name: 'share of the vote',
    cue: /vote/,
    affirms: [
      '(?:the )?<who> (?:receives?|gets?|wins?|earns?|takes?)(?: a share)? of (?:the )?(?:popular |total |national )?vote(?: share)?(?:(?: in| at| of)?(?: the)? <what>)?',
      "<who>(?:'s|s') (?:popular )?vote share(?: be)?(?: in| at)?(?: the)? <what>",
      'what (?:share|percent|percentage)(?: of the| of)? (?:popular )?vote will (?:the )?<who> (?:get|receive|win)(?: in| at)?(?: the)? <what>',
    ],
    people: ['who'],
    impliedOfPerson: /^(?:mayor|president|governor|senator|primeminister|chancellor)$/,
    grid: { step: 'said', min: 0, max: 100, brackets: true },
    unit: 'percent',
    window: 'recurring',
  },
  {
    name: 'margin of victory',
    cue: /\bwins? (?:by )?|margin/,
    affirms: [
      '(?:the )?<who> wins?(?: (?:the )?<what>)?(?: by)?(?: percentage)?(?: points?)?(?: (?:in|at) (?:the )?<more>)?',
    ],
    people: ['who'],
    implied: ['what'],
    grid: { step: 'said', min: 0, max: 100, brackets: true },
    mayFail: true,
    unit: 'percent',
    window: 'recurring',
  },
]
