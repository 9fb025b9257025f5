import type { FixtureRow } from '#schemas/sports'

/** Who meets whom; "at" only where a venue says who is at home. */
export const titleOf = ({ home, away, teams }: Pick<FixtureRow, 'home' | 'away' | 'teams'>): string =>
  home === null || away === null ? teams.map(({ name }) => name).join(' – ') : `${away.name} at ${home.name}`
