// The questions of SX Bet's market types, by the venue's names; "12" is spelled out. The venue adds more: those have no name here.
// https://api.docs.sx.bet/#get-active-markets

const names: ReadonlyMap<number, string> = new Map([
  [1, '1X2'],
  [52, 'Winner'],
  [88, 'To Qualify'],
  [226, 'Winner Including Overtime'],
  [3, 'Asian Handicap'],
  [201, 'Asian Handicap Games'],
  [342, 'Asian Handicap Including Overtime'],
  [2, 'Under/Over'],
  [835, 'Asian Under/Over'],
  [28, 'Under/Over Including Overtime'],
  [29, 'Under/Over Rounds'],
  [166, 'Under/Over Games'],
  [1536, 'Under/Over Maps'],
  [202, 'First Period Winner'],
  [203, 'Second Period Winner'],
  [204, 'Third Period Winner'],
  [205, 'Fourth Period Winner'],
  [866, 'Set Spread'],
  [165, 'Set Total'],
  [53, 'Asian Handicap Halftime'],
  [64, 'Asian Handicap First Period'],
  [65, 'Asian Handicap Second Period'],
  [66, 'Asian Handicap Third Period'],
  [63, 'Winner Halftime'],
  [77, 'Under/Over Halftime'],
  [21, 'Under/Over First Period'],
  [45, 'Under/Over Second Period'],
  [46, 'Under/Over Third Period'],
  [281, 'First Five Innings Asian Handicap'],
  [1618, 'First Five Innings Winner'],
  [236, 'First Five Innings Under/Over'],
])

/** Undefined for a type added since. */
export const typeName = (type: number): string | undefined => names.get(type)

/** The winner of a tournament: one market per competitor, against the field. */
export const tournamentWinner = 274
