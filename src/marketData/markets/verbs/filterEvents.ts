// Keeps the caller's events that match. Pure: no row is fetched.
import { z } from 'zod'
import { EventCriteria, matchesEvent } from '../criteria.ts'
import { defineVerb } from '../defineVerb.ts'
import { filterBodyBytesMax, filterRows, rowsMax } from './filterRows.ts'

export const filterEvents = defineVerb({
  name: 'filterEvents',
  summary: 'The given events that match a text or criteria',
  args: [
    { name: 'events', kind: 'json' },
    { name: 'criteria', kind: 'text-or-json' },
  ],
  query: z
    .object({
      events: z.array(z.looseObject({})).max(rowsMax),
      criteria: z.union([z.string().max(512), EventCriteria]),
    })
    .meta({ examples: [{ events: [{ title: 'Yes we can' }], criteria: 'yes' }] }),
  data: z.array(z.looseObject({})),
  router: 'pure',
  bodyBytesMax: filterBodyBytesMax,
  handle: ({ query: { events: rows, criteria } }, markets) =>
    filterRows(markets, rows, (row) => matchesEvent(row, criteria)),
})
