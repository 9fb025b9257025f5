// Central banks and the figures of an economy under their long and short names, as the institutions write them (bls.gov, bea.gov, ecb.europa.eu …).

import { pattern, type Rewrites } from '../../pattern.ts'

export const economyForms: Rewrites = [
  [pattern(/\b(?:us |u\.s\. )?(?:federal reserve|fomc|fed)(?= $)/g), 'fed'],
  [pattern(/\b(?:european central bank|ecb)\b/g), 'ecb'],
  [pattern(/\b(?:bank of england|boe)\b/g), 'boe'],
  [pattern(/\b(?:bank of japan|boj)\b/g), 'boj'],
  [pattern(/\b(?:bank of canada|boc)\b/g), 'boc'],
  [pattern(/\b(?:reserve bank of australia|rba)\b/g), 'rba'],
  [pattern(/\b(?:reserve bank of new zealand|reserve bank of newzealand|rbnz)\b/g), 'rbnz'],
  [pattern(/\b(?:swiss national bank|snb)\b/g), 'snb'],
  [pattern(/\b(?:consumer price index|cpi)(?: inflation)?\b/g), 'cpi'],
  [pattern(/\b(?:gross domestic product|gdp)(?: growth)?(?: rate)?\b/g), 'gdp'],
  [pattern(/\bunemployment(?: rate)?(?: \(?u-?3\)?)?/g), 'unemployment'],
  [pattern(/\b(?:year[- ]o(?:ver|n)[- ]year|y\/y|annual)\b/g), 'yoy'],
  [pattern(/\b(?:month[- ]o(?:ver|n)[- ]month|m\/m|monthly)\b/g), 'mom'],
  [pattern(/\b(?:highest|high|maximum|max)(?= $)/g), 'highest'],
  [pattern(/\b(?:lowest|low|minimum|min)(?= $)/g), 'lowest'],
]
