// Ordinary English words for the same thing, whatever the subject. Written by hand, not taken from a dictionary: what a reader would accept as the
// same without a second thought. Similar words (resign and leave, indict and charge, strike and invade, announce and do) are deliberately kept apart.

import { pattern, type Rewrites } from '../pattern.ts'

/** Substituted before words are compared; longer phrases first. */
export const paraphrases: Rewrites = [
  [pattern(/\b(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b(?! night| morning)/g), ''],
  [
    pattern(
      /\bwhich (?:countr(?:y|ies)|compan(?:y|ies)|part(?:y|ies)|teams?|candidates?|states?|nations?)(?= will\b)/g,
    ),
    '',
  ],
  // Something agreed exists; breaking, extending and signing are different.
  [pattern(/\b(ceasefire|truce|deals?|agreements?)\b(.*?)\b(?:be )?(?:reached|struck|agreed)\b/g), '$1$2'],
  // Votes
  [pattern(/\b(?:receives?|gets?|wins?) (?=(?:\d+ )?(?:yea|yes|aye) votes\b)/g), ''],
  [pattern(/\b(?:yea|yes|aye) votes (?:in|for) (?:his|her|their|the)\b(?=.*\bconfirmation\b)/g), 'votefor '],
  [pattern(/\b(?:\bconfirmation(?: vote)?)\b/g), 'confirm'],
  [pattern(/\bvot(?:e|es) (?:to confirm|for|in favou?r of|yes on|yea on|to (?:approve|pass))\b/g), 'votefor'],
  [pattern(/\b(?:share|percent|percentage|%) of (?:the )?(?:popular |total |national )?votes?\b/g), 'voteshare'],
  [pattern(/\b(?:popular |total )?vote share\b|\b(?:popular|total) vote\b/g), 'voteshare'],
  // Coming first, or behind
  [
    pattern(
      /\b(?:wins?|gets?|finish(?:es)?|comes?|places?|takes?)(?: in)? (?:the )?(\d+(?:st|nd|rd|th))(?:[- ]most(?: votes)?(?! \w+s\b)| place)\b/g,
    ),
    '$1',
  ],
  [pattern(/\b(?:wins?|secures?|gets?|receives?|clinch(?:es)?|earns?) (?=(?:\S+ ){1,6}nominations?\b)/g), ''],
  [pattern(/\b(?:nominees?|nominations?|nominated|nominates?)\b/g), 'nominee'],
  [pattern(/\b(?:be|is|becomes?) (?:the )?(?=(?:\S+ ){0,5}(?:champions?|winner)\b)/g), ''],
  [pattern(/\b(?:winners?|won|winning|victory|victorious|champions?)\b/g), 'win'],
  [pattern(/\b(?:be |is |gets? )?elected(?: as| to)?\b/g), 'win'],
  [pattern(/\bwins\b/g), 'win'],
  // Coming, going and staying
  [pattern(/\b(?:be |is )?no longer(?: be)?\b|\bceases? to be\b|\b(?:be )?out (?:as|of office)\b/g), 'leave'],
  [pattern(/\b(?:leaves?|leaving|departs?|departure|exits?)(?: office)?(?: as)?\b/g), 'leave'],
  [pattern(/\b(?:resigns?|resigned|resignation)\b/g), 'resign'],
  [pattern(/\bsteps? down\b|\bstepping down\b/g), 'stepdown'],
  [pattern(/\b(?:drops? out|withdraws?|withdrawal)(?: of| from)?\b/g), 'withdraw'],
  [pattern(/\b(?:be |is )?(?:named|announced|revealed|crowned|declared)(?: as)?(?= (?:the|an?|next|new)\b)/g), ''],
  [pattern(/\b(?:becomes?|became)\b/g), ''],
  // Doing
  [pattern(/\b(?:says?|mentions?|mentioned|said|utters?)(?: the (?:word|phrase|term))?\b/g), 'say'],
  [pattern(/\b(?:announces?|declares?)(?= (?:\S+ ){0,2}(?:candidacy|campaign|run|bid)\b)/g), 'announce'],
  [pattern(/\b(?:acquires?|acquired|acquisition|buys?|bought|purchases?d?|takes? over|taken over)\b/g), 'acquire'],
  [pattern(/\b(?:releas(?:es?|ed)|launch(?:es|ed)?|comes? out|came out)\b/g), 'release'],
  [pattern(/\b(?:ipos?|go(?:es)? public|initial public offering)\b/g), 'ipo'],
  [pattern(/\b(?:marries|married|marry|weds?)\b/g), 'marry'],
  [pattern(/\b(?:dies|died|death of|pass(?:es)? away)\b/g), 'die'],
  [pattern(/\b(?:convicted|found guilty)\b/g), 'convict'],
  [pattern(/\b(?:bans?|banned|prohibit(?:s|ed)?|outlaw(?:s|ed)?)\b/g), 'ban'],
  [pattern(/\b(?:visits?|travels? to)\b/g), 'visit'],
  [pattern(/\bmeets? with\b/g), 'meet'],
  [pattern(/\b(?:ends?|ended|concludes?|terminates?)\b/g), 'end'],
  [pattern(/\b(?:begins?|starts?|commences?)\b/g), 'begin'],
  [pattern(/\b(?:endorsements?|endorsed)\b/g), 'endorse'],
  [pattern(/\b(?:indictments?|indicted)\b/g), 'indict'],
  [pattern(/\b(?:hits?|reach(?:es|ed)?|touch(?:es|ed)?)\b/g), 'hit'],
  // Things
  [pattern(/\b(approval|favou?rability|disapproval) ratings?\b/g), '$1'],
  [pattern(/\b(?:deals?|agreements?|accords?|pacts?)\b/g), 'agreement'],
  [pattern(/\b(?:movies?|motion pictures?|films?)\b/g), 'film'],
  [pattern(/\b(?:nations?|countr(?:y|ies))\b/g), 'country'],
  [pattern(/\bprofitab(?:le|ility)\b/g), 'profit'],
  [pattern(/\bsingers?\b/g), 'singer'],
  [pattern(/\b(?:best|top)\b/g), 'top'],
  [pattern(/\b(?:supreme court|scotus)\b/g), 'supremecourt'],
  [pattern(/\b(?:scores?|scored|rating|ratings)(?= (?:of|on|at)\b|$)/g), 'score'],
]

/** One act negates the other: "remains CEO" is "is not out as CEO". */
export const opposites: Rewrites = [
  [pattern(/\b(?:remains?|stays?|continues?(?: on)?)(?: in office)?(?: as)?\b|\bbe still\b|\bstill be\b/g), 'leave'],
]

/** Verbs that only carry an amount: "gets 5 seats" and "wins 5 seats". Gaining and losing are a different kind. */
export const carriers = /\b(?:wins?|receives?|gets?|takes?|earns?|secures?|haves?|has|scores?|scored)\b/g

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
export const dress =
  words(`market election elections race contest official officially formal formally upcoming edition annual candidate candidates current currently
championship season award awards party held scheduled originally company reported worldwide voter popular`)
