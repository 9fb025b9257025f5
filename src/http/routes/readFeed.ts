// Holds the address of the reference feeds until they are built: the family is dark, and dark feeds say so with a 503.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import { defineRoute } from '../defineRoute.ts'
import { darkAnswers } from '../families.ts'

export const readFeed = defineRoute({
  operationId: 'readFeed',
  method: 'get',
  path: '/api/feeds/{feed}/{verb}',
  family: 'feeds',
  access: { scope: 'read', credits: 0 },
  summary: 'Reference feeds; dark on this version',
  tag: 'not served',
  data: z.null(),
  errors: ['FEEDS_UNAVAILABLE'],
  handle: () => {
    throw new Fault(...darkAnswers.feeds)
  },
})
