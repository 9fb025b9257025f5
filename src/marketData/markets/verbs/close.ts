// Clients of the family end with this. A stateless server has nothing to release.
import { z } from 'zod'
import { defineVerb } from '../defineVerb.ts'
import { emulated } from './shapes.ts'

export const close = defineVerb({
  name: 'close',
  summary: 'Nothing to release: always succeeds',
  args: [],
  query: z.object({}).meta({ examples: [{}] }),
  data: z.null(),
  router: 'pure',
  credits: 0,
  handle: (_, markets) => emulated(markets, null),
})
