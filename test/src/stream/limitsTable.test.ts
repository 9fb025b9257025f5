// The limits on the page of the stream are those of the program.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defaultPlans } from '#platform/plans/plans'
import {
  closeFlood,
  closeGoingAway,
  closeSlowConsumer,
  closeTooBig,
  closeTryAgain,
  closeUnauthorized,
  marketsPerMessageMax,
  messageBytesMax,
  messageBytesMost,
} from '#schemas/stream'
import { idleTimeoutSeconds } from '#server/gateway/wsAdapter'
import { slowConsumerMs } from '#stream/hub'
import { clientMessages } from '#stream/server'
import { burstSpare } from '#stream/session'

const page = readFileSync(new URL('../../../docs/stream.md', import.meta.url), 'utf8').replaceAll(
  /(\d),(\d{3})/g,
  '$1$2',
)

test('sockets and subscriptions of each plan', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| (\d+) \|$/gm)].map(([, plan, sockets, subscriptions]) => ({
    plan,
    streamConnections: Number(sockets),
    subscriptionsPerConnection: Number(subscriptions),
  }))
  expect(rows).toEqual(
    Object.entries(defaultPlans).map(([plan, { streamConnections, subscriptionsPerConnection }]) => ({
      ...{ plan, streamConnections, subscriptionsPerConnection },
    })),
  )
})

test('close codes', () => {
  const codes = [...page.matchAll(/^\| (\d{4}) \|/gm)].map(([, code]) => Number(code))
  const sent = [closeFlood, closeGoingAway, closeSlowConsumer, closeTooBig, closeTryAgain, closeUnauthorized]
  expect(codes).toEqual(sent.toSorted((a, b) => a - b))
})

test.each([
  `${clientMessages.perSecond} messages a second. After a pause it may send ${clientMessages.burst} at once`,
  `one for each subscription of its plan and ${burstSpare} more`,
  `goes on for ${clientMessages.patience} more`,
  `a message above ${messageBytesMost} bytes (above ${messageBytesMax} it`,
  `the client did not read for ${slowConsumerMs / 1_000} seconds`,
  `up to ${marketsPerMessageMax} markets in one message (of at most ${messageBytesMax / 1_024} KiB)`,
  `takes ${marketsPerMessageMax} at a time`,
  `nothing arrives from you for ${idleTimeoutSeconds} seconds`,
])('%s', (words) => {
  expect(page).toContain(words)
})
