// How long brokers keep a topic. They delete whole segments: without a limit of their own, those of a topic reach 1 GB and seven days.
import kafkajs, { type Admin } from 'kafkajs'
import type { Log } from '#core/log'
import { type Delivery, topics } from '#schemas/topics'

/** Read as they arrive and never again. */
const live = {
  'retention.ms': String(5 * 60_000),
  'segment.ms': String(2 * 60_000),
  'segment.bytes': String(64 * 1_024 * 1_024),
  // Stamped by the broker: a reader that was suspended compares the messages of all senders by one clock.
  'message.timestamp.type': 'LogAppendTime',
}

const settings: Readonly<Record<Delivery, Readonly<Record<string, string>>>> = {
  broadcast: live,
  inbox: live,
  // What was not written to the tape within this time is lost.
  shared: {
    'retention.ms': String(48 * 3_600_000),
    'segment.ms': String(3_600_000),
    'segment.bytes': String(128 * 1_024 * 1_024),
  },
}

interface Setting {
  name: string
  value: string
}

export const settingsOf = (delivery: Delivery): Setting[] =>
  Object.entries(settings[delivery]).map(([name, value]) => ({ name, value }))

/** A setting of the topic itself, as opposed to a default of its broker. */
const ofTopic = 1

/**
 * Topics that exist already get the settings that they lack; settings of an operator are kept. A client without the right to alter topics
 * leaves them as they are.
 */
export async function completeSettings(
  admin: Pick<Admin, 'describeConfigs' | 'alterConfigs'>,
  log: Log,
): Promise<void> {
  try {
    const known = Object.values(topics)
    const described = await admin.describeConfigs({
      includeSynonyms: false,
      resources: known.map(({ name }) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
    })
    const resources = known.flatMap(({ name, delivery }) => {
      const entries = described.resources.find(({ resourceName }) => resourceName === name)?.configEntries ?? []
      const own = entries
        .filter(({ configSource }) => configSource === ofTopic)
        .map(({ configName, configValue }) => ({ name: configName, value: configValue }))
      const lacking = settingsOf(delivery).filter((setting) => !own.some((entry) => entry.name === setting.name))
      // An alteration replaces all settings of the topic.
      return lacking.length === 0
        ? []
        : [{ type: kafkajs.ConfigResourceTypes.TOPIC, name, configEntries: [...own, ...lacking] }]
    })
    if (resources.length > 0) await admin.alterConfigs({ validateOnly: false, resources })
  } catch (error) {
    log.warn(
      { err: error },
      'the retention of kafka topics could not be set: brokers keep them as long as they are configured to',
    )
  }
}
