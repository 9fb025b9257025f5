// Central banks and the figures of an economy under their long and short names, as the institutions write them (bls.gov, bea.gov, ecb.europa.eu …).

import { rewrites } from '../../patternFilter.ts'

export const economyForms = rewrites([
  [/\b(?:us |u\.s\. )?(?:federal reserve|fomc|fed)(?= $)/g, 'fed'],
  [/\b(?:european central bank|ecb)\b/g, 'ecb'],
  [/\b(?:bank of england|boe)\b/g, 'boe'],
  [/\b(?:bank of japan|boj)\b/g, 'boj'],
  [/\b(?:bank of canada|boc)\b/g, 'boc'],
  [/\b(?:reserve bank of australia|rba)\b/g, 'rba'],
  [/\b(?:reserve bank of new zealand|reserve bank of newzealand|rbnz)\b/g, 'rbnz'],
  [/\b(?:swiss national bank|snb)\b/g, 'snb'],
  [/\b(?:consumer price index|cpi)(?: inflation)?\b/g, 'cpi'],
  [/\b(?:gross domestic product|gdp)(?: growth)?(?: rate)?\b/g, 'gdp'],
  [/\bunemployment(?: rate)?(?: \(?u-?3\)?)?/g, 'unemployment'],
  [/\b(?:year[- ]o(?:ver|n)[- ]year|y\/y|annual)\b/g, 'yoy'],
  [/\b(?:month[- ]o(?:ver|n)[- ]month|m\/m|monthly)\b/g, 'mom'],
  [/\b(?:highest|high|maximum|max)(?= $)/g, 'highest'],
  [/\b(?:lowest|low|minimum|min)(?= $)/g, 'lowest'],
])
