// Figures published somewhere: critics' scores, approval, prices.
import type { PropositionTemplate } from '../proposition.ts'

const critics = 'rotten tomatoes|tomatometer|metacritic|metascore|imdb|letterboxd|opencritic'

const stance = '(?<said>(?:net |job )*(?:approval|disapproval|favorability|unfavorability|favorable|unfavorable))'

export const figures: readonly PropositionTemplate[] = [
  {
    name: 'score of critics',
    cue: new RegExp(critics),
    affirms: [
      `<who> (?:scores?|haves?|has|gets?|receives?)(?: an?)?(?: score)?(?: of)?(?: (?:on|at))?(?: (?:the|a))? (?<source>${critics})(?: tomatometer)?(?: (?:score|rating)(?: of)?)?`,
      `<who>(?:'s)? (?<source>${critics})(?: (?:tomatometer|critics?))?(?: score| rating)?(?: (?:be|is|of))?(?: :)?`,
    ],
    grid: { step: 1, min: 0, max: 100 },
    window: 'bounded',
  },
  {
    name: 'approval in polls',
    cue: /approv|favorab/,
    affirms: [
      `<who>(?:'s|s')? ${stance} rating(?: (?:be|is))?(?:(?: on| in| per| by| according to)(?: the)? <source>)?(?: (?:be|is))?(?: :)?`,
      `what will <who>(?:'s|s') ${stance} rating be(?:(?: on| in| per| by| according to)(?: the)? <source>)?(?: :)?`,
    ],
    people: ['who'],
    grid: { step: 'said', max: 100, brackets: true },
    unit: 'percent',
    each: 'day',
    window: 'recurring',
  },
  {
    name: 'price touched',
    cue: /\bhits?\b|reach|\bdips?\b|\bdrops?\b|how (?:high|low)/,
    affirms: [
      'how (?:high|low) (?:will|can|could) (?:the )?(?:price of )?<what> (?:get|go|be|climb|rise|fall|drop)(?: :)?',
      '(?:the )?(?:price of )?<what>(?: price)?(?: \\$)?',
    ],
    touch: true,
    grid: { step: null },
    window: 'open',
  },
]
