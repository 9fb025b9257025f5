// Which part of a game an answer refers to, what is counted there, and whether it cannot end in a tie.
import { isEsport } from './competitions.ts'
import type { Game } from './game.ts'

/** Words for play beyond regular time. */
const regulation =
  /\b(?:in )?(?:regulation(?: time)?|90 minutes(?: (?:plus|and) stoppage(?: time)?)?|full[- ]time|regular time)\b/g
const beyond =
  /\b(?:in |after )?(?:\(?(?:including|includes|incl\.?|counting) )(?:overtime|ot|extra time)(?:(?:,| and| or|\/) ?(?:penalt(?:y|ies)(?: shoot-?outs?)?|shoot-?outs?|extra time|ot))*\)?/g
const without =
  /\b(?:not includ\w*|excluding|exclud\w*|does not count|regardless of|no) (?:any )?(?:overtime|ot\b|extra time|shoot)/

export interface OutOfBand {
  /** The words that remain. */
  left: string
  scope: string
}

/**
 * `period` is what `periodOf` reads. A football match means regular time unless stated otherwise; elsewhere a game is everything played.
 */
export function scopeOf(low: string, rules: string, period: string, { sport }: Pick<Game, 'sport'>): OutOfBand {
  const marked = low.replace(beyond, ' overtime+ ').replace(regulation, ' regulation ')
  const left = marked.replaceAll(/ (?:overtime\+|regulation) /g, ' ')
  if (period !== 'game') return { left, scope: period }
  if (/ overtime\+ /.test(marked)) return { left, scope: sport === 'soccer' ? 'overtime' : 'game' }
  if (/ regulation /.test(marked)) return { left, scope: 'regulation' }
  const ruled = rules.toLowerCase()
  if (sport === 'soccer')
    return { left, scope: !without.test(ruled) && ruled.search(beyond) >= 0 ? 'overtime' : 'regulation' }
  return { left, scope: without.test(ruled) ? 'regulation' : 'game' }
}

/** What decides a part of a sport if words name nothing; sports that count several things are decided by the least of them. */
export function unitOf(unit: string | undefined, { sport }: Pick<Game, 'sport'>, scope: string, line: boolean): string {
  if (unit === 'goal' || unit === 'point' || unit === 'run')
    return sport === 'tennis' ? 'point' : sport === 'cricket' && !line ? 'verdict' : 'score'
  if (unit !== undefined) return unit
  if (sport === 'tennis' || sport === 'table-tennis')
    return scope === 'game' ? (line ? 'game' : 'set') : line ? 'game' : 'verdict'
  if (sport !== null && isEsport(sport)) return scope === 'game' ? 'map' : line ? 'round' : 'verdict'
  if (sport === 'mma' || sport === 'boxing') return line ? 'round' : 'verdict'
  return sport === 'cricket' && !line ? 'verdict' : 'score'
}

/** It cannot end in a draw: it is played until a side has won. Unknown if the sport is. */
export function hasNoTie(
  { sport, competition }: Pick<Game, 'sport' | 'competition'>,
  scope: string,
  even: boolean,
): boolean {
  if (scope === 'advance' || scope === 'series') return true
  if (/^(?:set|map)_/.test(scope)) return true
  if (scope !== 'game') return false
  if (sport === 'basketball' || sport === 'tennis') return true
  if (sport !== null && isEsport(sport)) return !even
  return /^(?:mlb|nhl|khl|shl|ncaaf|ufl|ipl)$/.test(competition ?? '')
}
