// The inbox of a process: the partition in which it reads books and trades. Each process takes one that no other reads, as long as there are
// enough; two in one partition work as well, and each reads what the other demands.
import { createHash } from 'node:crypto'
import kafkajs, { type Admin, type PartitionAssigner } from 'kafkajs'
import type { Log } from '#core/log'

/** The name of a reader's group names its inbox, so that others see which are taken. */
export const inboxGroup = (group: string, inbox: number): string => `${group}-inbox-${inbox}`
const inInbox = /-books-\d+-inbox-(\d+)$/

/** For a group whose members all read this one partition: a reader that hangs keeps its membership while the next one starts. */
export const onlyPartition =
  (partition: number): PartitionAssigner =>
  () => {
    const name = `partition ${partition}`
    const version = 0
    const userData = Buffer.alloc(0)
    const { MemberAssignment, MemberMetadata } = kafkajs.AssignerProtocol
    return {
      name,
      version,
      protocol: ({ topics }) => ({ name, metadata: MemberMetadata.encode({ version, topics, userData }) }),
      async assign({ members, topics }) {
        const assignment = Object.fromEntries(topics.map((topic) => [topic, [partition]]))
        const memberAssignment = MemberAssignment.encode({ version, assignment, userData })
        return members.map(({ memberId }) => ({ memberId, memberAssignment }))
      },
    }
  }

export interface InboxOptions {
  admin: Pick<Admin, 'listGroups' | 'describeGroups'>
  /** Of the topics of books and trades. */
  partitions: number
  /** Unique per process. */
  clientId: string
  log: Log
}

/** One of those that the fewest processes read now; two processes that start at the same time rarely choose the same. */
export async function chooseInbox({ admin, partitions, clientId, log }: InboxOptions): Promise<number> {
  const readers = new Array<number>(partitions).fill(0)
  try {
    for (const inbox of await inboxesInUse(admin)) if (inbox < partitions) readers[inbox]!++
  } catch (error) {
    log.warn({ err: error }, 'the groups of kafka could not be listed: another process may read the same inbox')
  }
  const fewest = Math.min(...readers)
  const free = [...readers.keys()].filter((inbox) => readers[inbox] === fewest)
  return free[createHash('sha256').update(clientId).digest().readUInt32BE(0) % free.length]!
}

async function inboxesInUse(admin: InboxOptions['admin']): Promise<number[]> {
  const listed = (await admin.listGroups()).groups.map(({ groupId }) => groupId).filter((name) => inInbox.test(name))
  if (listed.length === 0) return []
  const { groups } = await admin.describeGroups(listed)
  // A process that was killed leaves its group, without members.
  return groups.flatMap(({ groupId, members }) => (members.length > 0 ? [Number(inInbox.exec(groupId)![1])] : []))
}
