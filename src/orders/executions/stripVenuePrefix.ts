// Ids of the catalog may have their venue in front, in a build's body as everywhere else: lanes get them without it.
import { withoutVenue } from '#schemas/venues'

const idFields = new Set(['asset', 'outcome', 'marketId', 'outcomeId'])

/** Another venue's name in front stays, and names nothing here. */
export const withoutVenuePrefix = (venue: string, body: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' && idFields.has(name) ? withoutVenue(venue, value) : value,
    ]),
  )
