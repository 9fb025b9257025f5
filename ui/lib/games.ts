import type { FixtureRow } from '#schemas/sports'

/** The two teams of a game; "at" only if a venue says which one is at home. */
export const titleOf = ({ home, away, teams }: Pick<FixtureRow, 'home' | 'away' | 'teams'>): string =>
  home === null || away === null ? teams.map(({ name }) => name).join(' – ') : `${away.name} at ${home.name}`
