// Keeps the caller's events that fit. Pure: no row is fetched.
import { z } from 'zod'
import { EventCriteria, matchesEvent } from '../criteria.ts'
import { defineVerb } from '../defineVerb.ts'
import { rowsMax } from './filterMarkets.ts'
import { computed } from './shapes.ts'

export const filterEvents = defineVerb({
  name: 'filterEvents',
  summary: 'The given events that fit a text or criteria',
  args: [
    { name: 'events', kind: 'json' },
    { name: 'criteria', kind: 'text-or-json' },
  ],
  query: z.object({
    events: z.array(z.looseObject({})).max(rowsMax),
    criteria: z.union([z.string().max(512), EventCriteria]),
  }),
  data: z.array(z.looseObject({})),
  router: 'pure',
  handle: ({ query: { events, criteria } }, markets) =>
    computed(
      markets,
      events.filter((row) => matchesEvent(row, criteria)),
    ),
})
