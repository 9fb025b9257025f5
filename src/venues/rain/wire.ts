// What Rain's public reads send, according to the types of its second client (github.com/UsamaShafique/rain-sdk-v2, MIT). No recording is
// published: fields not in those types are not read.
import { z } from 'zod'
import { row, StateFlag, StateWord } from '../shared/data/row.ts'

const Figure = z.union([z.number(), z.string()])
const Note = z.string().nullish().catch(null)

export const RainOption = row(
  z.object({
    optionName: z.string(),
    optionImage: Note,
    /** The option's number in the contract, from 1; its position in the list when omitted. */
    choiceIndex: z.number().int().nullish(),
  }),
)

export const RainPool = row(
  z.object({
    _id: Note,
    id: Note,
    contractAddress: z.string(),
    /** `title` in the first client. */
    question: z.string().nullish(),
    title: z.string().nullish(),
    poolDescription: Note,
    isPrivate: z.boolean().nullish().catch(null),
    status: StateWord,
    /** Finalized: it no longer trades, whatever its status. */
    poolFinalized: StateFlag,
    options: z.array(z.unknown()),
    token: z.object({ tokenAddress: Note, tokenSymbol: Note, tokenDecimals: Figure }).nullish().catch(null),
    tags: z.array(z.string()).nullish().catch(null),
    startDate: Note,
    endDate: Note,
    ipfsURL: Note,
    poolTrxHash: Note,
  }),
)
export type RainPool = z.infer<typeof RainPool>

const enveloped = <S extends z.ZodType>(data: S) => z.object({ statusCode: z.number().nullish(), data })

/** A bare list was observed in the first version. */
export const RainPools = enveloped(z.union([z.object({ pools: z.array(z.unknown()) }), z.array(z.unknown())]))
export const RainPoolAnswer = enveloped(RainPool.nullish())
