// Several written forms of one thing that neither initials nor spelling reveal. Each pattern is normalized to its one form before words are compared.

import { pattern, type Rewrites } from '../../pattern.ts'

/** Offices, by the names of their holders and seats. From the institutions' own names. */
export const offices: Rewrites = [
  [pattern(/\b(?:secretary of (?:defense|war)|(?:defense|war) secretary)\b/g), 'secretary defense'],
  [
    pattern(
      /\bsecretary of (?:the )?(treasury|state|labor|energy|education|commerce|agriculture|interior|transportation)\b/g,
    ),
    'secretary $1',
  ],
  [
    pattern(/\b(treasury|labor|energy|education|commerce|agriculture|interior|transportation) secretary\b/g),
    'secretary $1',
  ],
  [pattern(/\b(?:lieutenant|lt\.?) gov(?:ernor(?:ship)?|\.)?(?= |$)/g), 'lieutenantgovernor'],
  [pattern(/\b(?:attorney general|ag race)\b/g), 'attorneygeneral'],
  [pattern(/\b(?:vice[- ]presiden(?:t|cy|tial)|vp)\b/g), 'vicepresident'],
  [pattern(/\bpresiden(?:cy|tial)\b/g), 'president'],
  [pattern(/\b(?:governorship|gubernatorial|gov\.)(?= |$)/g), 'governor'],
  [pattern(/\bmayor(?:al|alty|ship)\b/g), 'mayor'],
  [pattern(/\bsenat(?:e|orial)(?= (?:seat|race|election|nominee|nomination|primary))\b/g), 'senator'],
  [pattern(/\b(?:prime minister(?:ship)?|premiership)\b/g), 'primeminister'],
  [
    pattern(
      /\b(?:house speaker|speaker of the (?:us )?house(?: of representatives)?|us speaker|speakership|speaker)\b/g,
    ),
    'speaker',
  ],
  [pattern(/\bchair(?:man|woman|person)\b/g), 'chair'],
  [pattern(/\bdirector of (?:the )?(fbi|cia|nsa|nih|cdc|dea|atf)\b/g), '$1 director'],
  [pattern(/\bambassador to (?:the )?(?:united nations|u\.?n\.?)/g), 'un ambassador'],
  [pattern(/\b(?:pontiff|papacy)\b/g), 'pope'],
]

/** Parties, chambers and acts. "Reconciliation" in Congress is that of the budget (Congressional Budget Act of 1974, title III). */
export const forms: Rewrites = [
  [pattern(/\b(?:democratic|democrats?|dems?)(?: party)?\b/g), 'democratic'],
  [pattern(/\b(?:republicans?|gop)(?: party)?\b/g), 'republican'],
  [pattern(/\bbudget reconciliation\b/g), 'reconciliation'],
  [pattern(/\bunited nations\b|\bu\.n\./g), 'un'],
  [pattern(/\bfederal reserve\b/g), 'fed'],
  [pattern(/\brun-?off(?: election)?s?\b|\bsecond round\b/g), 'runoff'],
  [pattern(/\b(?:1st|first) round(?: of voting)?\b/g), 'firstround'],
  [pattern(/(?:\b(?:number one|number 1|no\. ?1)|#1)(?= |$)/g), 'top'],
  [pattern(/\bus (open|amateur|masters|grand prix|league|music awards)\b/g), 'us$1'],
  [pattern(/\b(?:british open|open championship)\b/g), 'britishopen'],
  [pattern(/\bfifa world cup\b/g), 'world cup'],
  [pattern(/\b(?:rotten tomatoes|tomatometer)\b/g), 'rottentomatoes'],
  [pattern(/\b(?:metacritic|metascore)\b/g), 'metacritic'],
  [pattern(/\bgrammys?(?: awards?)?\b/g), 'grammys'],
  [pattern(/\bespys?(?: awards?)?\b/g), 'espys'],
  [pattern(/\b(?:academy awards?|oscars|oscar(?= (?:winner|nominee|nomination|award|for)))\b/g), 'oscars'],
  [pattern(/\bemmys?(?: awards?)?\b/g), 'emmys'],
  [pattern(/\btonys?(?: awards?)\b|\btonys\b/g), 'tonys'],
  [pattern(/\bgolden globes?(?: awards?)?\b/g), 'goldenglobes'],
  [pattern(/\bbaftas?(?: awards?)?\b/g), 'baftas'],
  [pattern(/\b(?:the )?game awards\b/g), 'gameawards'],
  [pattern(/\bvmas?\b|\bvideo music awards?\b/g), 'vmas'],
]
