// What readers must know to interpret an answer. Sent with it, as sentences.

/** On everything that contains a score. */
export const informedness = 'Scores are informational, not advice.'
export const scoped = 'Wallets are scoped to their venue.'
export const acrossVenues =
  'Entries of several venues are listed side by side, each with its venue; nothing claims that two of them are one person.'
export const allTime = 'Ranked by current stored scores, of all time; there are no other windows.'
export const feedWindow =
  'window=all reaches back to when this deployment began to record; nothing earlier is filled in, except what venues then returned as their newest trades.'
export const noRecord = 'This deployment keeps no record of wallets: nothing is scored.'
/**
 * For figures that a venue does not report. `since`: when the first trade was recorded, epoch ms. `asOf`: when they were counted; null: each row says
 * it.
 */
export const fromRecord = (figures: string, since: number | null, asOf: string | null = null): string =>
  `${figures}: counted from this deployment’s own record, which has what was observed${since === null ? '' : ` since ${new Date(since).toISOString()}`}, and for wallets added later the history their venue returned${asOf === null ? '' : `; as of ${asOf}`}.`
/** For figures that are the venue's. */
export const fromVenue = (figures: readonly string[], readAt: number): string =>
  `${figures.join(', ')}: the venue’s own, read at ${new Date(readAt).toISOString()}.`
export const venueUnavailable = (figures: readonly string[]): string =>
  `${figures.join(', ')}: null, because they come from the venue, which could not be read just now; the record’s counts do not replace them.`
/** For the feed. */
export const polledUntil = (looked: readonly (readonly [venue: string, at: number])[]): string =>
  `Read until: ${looked.map(([venue, at]) => `${venue} ${new Date(at).toISOString()}`).join(', ')}; for each venue the markets that this deployment follows, up to a hundred trades of a market at a time.`
export const notPolled = (venues: readonly string[]): string =>
  `It is not known until when ${venues.join(', ')} ${venues.length === 1 ? 'was' : 'were'} read, so asOf is null.`
export const notRead = (venue: string, why: string): string => `Nothing of ${venue} is read here: ${why}.`
export const lastBackfilled = (takenUp: readonly (readonly [venue: string, at: number])[]): string =>
  `Last trades recorded: ${takenUp.map(([venue, at]) => `${venue} ${new Date(at).toISOString()}`).join(', ')}.`
export const noBackfill = (venues: readonly string[]): string =>
  `No trade of ${venues.join(', ')} was recorded recently.`
export const neverBackfilled = (venues: readonly string[]): string =>
  `${venues.join(', ')} ${venues.length === 1 ? 'identifies' : 'identify'} no wallets in ${venues.length === 1 ? 'its' : 'their'} trades, so none of them can be here.`
export const scoresOlderThan = 'The roll-up is behind: scores and categories of trades are older than the trades.'
export const notScored =
  'No record of this wallet is kept yet, so it has no score; its figures are the venue’s own, as of `asOf`.'
export const backfilled =
  'No record of this wallet was kept, so it has no score; its figures are the venue’s own, as of `asOf`. Its trades are being read into the record: a score follows once enough of its markets are settled.'
