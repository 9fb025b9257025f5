// Ordinary English words for the same thing, whatever the subject. Written by hand, not taken from a dictionary: what any reader would
// accept as the same. Similar words (resign and leave, indict and charge, strike and invade, announce and do) are deliberately kept apart.

import { rewrites } from '../../read/patternFilter.ts'

/** Substituted before words are compared; longer phrases first. */
export const paraphrases = rewrites([
  [/\bwhich (?:countr(?:y|ies)|compan(?:y|ies)|part(?:y|ies)|teams?|candidates?|states?|nations?)(?= will\b)/g, ''],
  // Something agreed exists; breaking, extending and signing are different.
  [/\b(ceasefire|truce|deals?|agreements?)\b(.*?)\b(?:be )?(?:reached|struck|agreed)\b/g, '$1$2'],
  // Votes
  [/\b(?:yea|yes|aye) votes (?:in|for) (?:his|her|their|the)\b(?=.*\bconfirmation\b)/g, 'votefor '],
  [/\b(?:\bconfirmation(?: vote)?)\b/g, 'confirm'],
  [/\bvot(?:e|es) (?:to confirm|for|in favou?r of|yes on|yea on|to (?:approve|pass))\b/g, 'votefor'],
  [/\b(?:share|percent|percentage|%) of (?:the )?(?:popular |total |national )?votes?\b/g, 'voteshare'],
  // Coming first, or behind
  [
    /\b(?:wins?|gets?|finish(?:es)?|comes?|places?|takes?)(?: in)? (?:the )?(\d+(?:st|nd|rd|th))(?:[- ]most(?: votes)?(?! \w+s\b)| place)\b/g,
    '$1',
  ],
  [/\b(?:wins?|secures?|gets?|receives?|clinch(?:es)?|earns?) (?=(?:\S+ ){1,6}nominations?\b)/g, ''],
  [/\b(?:nominees?|nominations?|nominated|nominates?)\b/g, 'nominee'],
  // Coming, going and staying
  [/\b(?:be |is )?no longer(?: be)?\b|\bceases? to be\b|\b(?:be )?out (?:as|of office)\b/g, 'leave'],
  [/\b(?:leaves?|leaving|departs?|departure|exits?)(?: office)?(?: as)?\b/g, 'leave'],
  [/\b(?:resigns?|resigned|resignation)\b/g, 'resign'],
  [/\bsteps? down\b|\bstepping down\b/g, 'stepdown'],
  [/\b(?:drops? out|withdraws?|withdrawal)(?: of| from)?\b/g, 'withdraw'],
  [/\b(?:be |is )?(?:named|announced|revealed|crowned|declared)(?: as)?(?= (?:the|an?|next|new)\b)/g, ''],
  [/\b(?:becomes?|became)\b/g, ''],
  // Doing
  [/\b(?:says?|mentions?|mentioned|said|utters?)(?: the (?:word|phrase|term))?\b/g, 'say'],
  [/\b(?:announces?|declares?)(?= (?:\S+ ){0,2}(?:candidacy|campaign|run|bid)\b)/g, 'announce'],
  [/\b(?:acquires?|acquired|acquisition|buys?|bought|purchases?d?|takes? over|taken over)\b/g, 'acquire'],
  [/\b(?:releas(?:es?|ed)|launch(?:es|ed)?|comes? out|came out)\b/g, 'release'],
  [/\b(?:ipos?|go(?:es)? public|initial public offering)\b/g, 'ipo'],
  [/\b(?:marries|married|marry|weds?)\b/g, 'marry'],
  [/\b(?:convicted|found guilty)\b/g, 'convict'],
  [/\b(?:ends?|ended|concludes?|terminates?)\b/g, 'end'],
  [/\b(?:begins?|starts?|commences?)\b/g, 'begin'],
  [/\b(?:endorsements?|endorsed)\b/g, 'endorse'],
  [/\b(?:indictments?|indicted)\b/g, 'indict'],
  [/\b(?:hits?|reach(?:es|ed)?|touch(?:es|ed)?)\b/g, 'hit'],
  // Things
  [/\b(approval|favou?rability|disapproval) ratings?\b/g, '$1'],
  [/\b(?:deals?|agreements?|accords?|pacts?)\b/g, 'agreement'],
  [/\b(?:movies?|motion pictures?|films?)\b/g, 'film'],
  [/\b(?:nations?|countr(?:y|ies))\b/g, 'country'],
  [/\bprofitab(?:le|ility)\b/g, 'profit'],
  [/\b(?:best|top)\b/g, 'top'],
  [/\b(?:supreme court|scotus)\b/g, 'supremecourt'],
])

/** Verbs that only carry an amount: "gets 5 seats" and "wins 5 seats". Gaining and losing are a different kind. */
export const lightVerbs = /\b(?:wins?|receives?|gets?|takes?|earns?|secures?|haves?|has|scores?|scored)\b/g

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Grammar. "Or", "all", "only", "first", "to" and "from" are distinctive and are compared by the guards. */
export const grammar =
  words(`will the a an of in on to at for be is are was were been being by with from as and or this that it its do does did have has had
there his her their he she they who whom what which how much many when where if then into during between per gets get got receives receive happen happens occur
occurs exactly times whether anyone any some would could should shall can may might us s i we you your our time place through within upon`)

/**
 * Words that venues include or omit without changing the question. Shorter than the list of the fields: a token, a prize or a seat may be the thing
 * itself.
 */
export const surfaceForm =
  words(`market election elections race contest official officially formal formally upcoming edition annual candidate candidates current currently
championship season award awards party held scheduled originally company reported worldwide voter popular`)
