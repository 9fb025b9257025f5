// Several written forms of one thing that neither initials nor spelling reveal. Each pattern is normalized to its one form before words are compared.

import { rewrites } from '../../patternFilter.ts'

/** Offices, by the names of their holders and seats. From the institutions' own names. */
export const offices = rewrites([
  [/\b(?:secretary of (?:defense|war)|(?:defense|war) secretary)\b/g, 'secretary defense'],
  [
    /\bsecretary of (?:the )?(treasury|state|labor|energy|education|commerce|agriculture|interior|transportation)\b/g,
    'secretary $1',
  ],
  [/\b(treasury|labor|energy|education|commerce|agriculture|interior|transportation) secretary\b/g, 'secretary $1'],
  [/\b(?:lieutenant|lt\.?) gov(?:ernor(?:ship)?|\.)?(?= |$)/g, 'lieutenantgovernor'],
  [/\b(?:attorney general|ag race)\b/g, 'attorneygeneral'],
  [/\b(?:vice[- ]presiden(?:t|cy|tial)|vp)\b/g, 'vicepresident'],
  [/\bpresiden(?:cy|tial)\b/g, 'president'],
  [/\b(?:governorship|gubernatorial|gov\.)(?= |$)/g, 'governor'],
  [/\bmayor(?:al|alty|ship)\b/g, 'mayor'],
  [/\bsenat(?:e|orial)(?= (?:seat|race|election|nominee|nomination|primary))\b/g, 'senator'],
  [/\b(?:prime minister(?:ship)?|premiership)\b/g, 'primeminister'],
  [
    /\b(?:house speaker|speaker of the (?:us )?house(?: of representatives)?|us speaker|speakership|speaker)\b/g,
    'speaker',
  ],
  [/\bchair(?:man|woman|person)\b/g, 'chair'],
  [/\bdirector of (?:the )?(fbi|cia|nsa|nih|cdc|dea|atf)\b/g, '$1 director'],
  [/\bambassador to (?:the )?(?:united nations|u\.?n\.?)/g, 'un ambassador'],
  [/\b(?:pontiff|papacy)\b/g, 'pope'],
])

/** Parties, chambers and acts. "Reconciliation" in Congress is that of the budget (Congressional Budget Act of 1974, title III). */
export const forms = rewrites([
  [/\b(?:democratic|democrats?|dems?)(?: party)?\b/g, 'democratic'],
  [/\b(?:republicans?|gop)(?: party)?\b/g, 'republican'],
  [/\bbudget reconciliation\b/g, 'reconciliation'],
  [/\bunited nations\b|\bu\.n\./g, 'un'],
  [/\bfederal reserve\b/g, 'fed'],
  [/\brun-?off(?: election)?s?\b|\bsecond round\b/g, 'runoff'],
  [/\b(?:1st|first) round(?: of voting)?\b/g, 'firstround'],
  [/(?:\b(?:number one|number 1|no\. ?1)|#1)(?= |$)/g, 'top'],
  [/\bus (open|amateur|masters|grand prix|league|music awards)\b/g, 'us$1'],
  [/\b(?:british open|open championship)\b/g, 'britishopen'],
  [/\bfifa world cup\b/g, 'world cup'],
  [/\b(?:rotten tomatoes|tomatometer)\b/g, 'rottentomatoes'],
  [/\b(?:metacritic|metascore)\b/g, 'metacritic'],
  [/\bgrammys?(?: awards?)?\b/g, 'grammys'],
  [/\bespys?(?: awards?)?\b/g, 'espys'],
  [/\b(?:academy awards?|oscars|oscar(?= (?:winner|nominee|nomination|award|for)))\b/g, 'oscars'],
  [/\bemmys?(?: awards?)?\b/g, 'emmys'],
  [/\btonys?(?: awards?)\b|\btonys\b/g, 'tonys'],
  [/\bgolden globes?(?: awards?)?\b/g, 'goldenglobes'],
  [/\bbaftas?(?: awards?)?\b/g, 'baftas'],
  [/\b(?:the )?game awards\b/g, 'gameawards'],
  [/\bvmas?\b|\bvideo music awards?\b/g, 'vmas'],
])
