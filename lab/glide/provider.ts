// Glide as its own client sees it: payment options, sessions and their payments. Chains are simulated: a transaction is found on the second
// lookup, one whose hash begins with eight zeros never; payers on Ethereum pay by a signed permit.
import { decodeFunctionData, erc20Abi, type Hex, isAddress, isHex } from 'viem'
import { z } from 'zod'
import { type Clock, systemClock } from '#core/clock'
import { type CounterSnapshot, Counters } from '../counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { Faults } from '../faults.ts'
import { httpFaults } from '../httpFaults.ts'
import { type LabReply, type LabRequest, type LabRoute, ok, startHost } from '../venueServer.ts'
import { type Corruption, ResponseCorruptor } from './corruptResponses.ts'
import { type Currency, caip19, currencyOf } from './currencies.ts'
import { isSignedByPayer } from './permit.ts'
import type { Arrival } from './session.ts'
import { inUnits, LabSessions, optionOf } from './sessions.ts'

export interface GlideLab {
  urls: { API: string }
  /** Required for every request. */
  credentials: { PROJECT_ID: string; API_KEY: string }
  faults: Faults
  /** Without markets: faults require one. */
  engine: Engine
  /** Makes the next responses malformed. */
  spoil(as: Corruption, count?: number): void
  counters(): CounterSnapshot
  /** Maximum amount supported, in dollars. */
  capacityUsd: number
  stop(): Promise<void>
}

const credentials = { PROJECT_ID: 'lab-project', API_KEY: 'lab-glide-key' }
const leastUsd = 0.1
const gaslessChain = 'eip155:1'

const Address = z.string().refine((text) => isAddress(text, { strict: false }))
const Arriving = {
  transaction: z.object({ chainId: z.string(), to: Address, input: z.string(), value: z.string() }).optional(),
  transfer: z.object({ chainId: z.string(), token: Address, recipient: Address, amount: z.string() }).optional(),
}
const OptionsBody = z.object({
  payerAccount: Address,
  paymentCurrencies: z.array(z.string()),
  includeInsufficientBalanceOptions: z.boolean().default(false),
  ...Arriving,
})
const SessionBody = z.object({
  payerWalletAddress: Address,
  paymentCurrency: z.string(),
  paymentAmount: z.string().regex(/^\d+(\.\d+)?$/),
  paymentMethod: z.literal('wallet'),
  ...Arriving,
})
const PaidBody = z.object({ sessionId: z.string(), transactionHash: z.string().regex(/^0x[0-9a-f]{64}$/i) })
const SignedBody = z.object({ sessionId: z.string(), signature: z.string() })

export async function startGlideLab({
  clock = systemClock,
  seed = 'glide',
  port = 0,
}: {
  clock?: Clock
  seed?: string
  port?: number
} = {}): Promise<GlideLab> {
  const counters = new Counters()
  const { engine, faults, ...bare }: ReturnType<typeof httpFaults> = httpFaults({ clock, seed }, () => host.sockets)
  const spoiler = new ResponseCorruptor()
  const sessions = new LabSessions(clock)
  const seen = new Set<string>()

  const serve =
    (handle: (request: LabRequest) => LabReply | Promise<LabReply>) =>
    (request: LabRequest): LabReply | Promise<LabReply> => {
      const { headers } = request
      if (headers['x-glide-project-id'] !== credentials.PROJECT_ID) return refused(401, 'unknown project')
      const key = headers.authorization
      if (key !== undefined && key !== `Bearer ${credentials.API_KEY}`) return refused(401, 'unknown key')
      return spoiler.reply() ?? handle(request)
    }

  const routes: LabRoute[] = [
    {
      method: 'POST',
      path: '/list-payment-options',
      handle: serve(({ body }) => {
        const { payerAccount, paymentCurrencies, includeInsufficientBalanceOptions, ...rest } = OptionsBody.parse(body)
        const arrival = arrivalIn(rest)
        // Balances are always insufficient here.
        if (arrival === null || !includeInsufficientBalanceOptions) return ok([])
        const { to, amount } = arrival
        if (Number(amount) > lab.capacityUsd) return refused(400, 'too much', 'over_capacity')
        const known = paymentCurrencies.flatMap((name) => currencyOf(name) ?? [])
        return ok(known.map((from) => optionOf(payerAccount.toLowerCase(), from, to.currency, amount)))
      }),
    },
    {
      method: 'POST',
      path: '/sessions',
      handle: serve(({ body }) => {
        const { payerWalletAddress, paymentCurrency, paymentAmount: amount, ...rest } = SessionBody.parse(body)
        const from = currencyOf(paymentCurrency)
        const arrival = arrivalIn(rest)
        if (from === undefined || arrival === null) return refused(400, 'unsupported currency')
        if (Number(amount) > lab.capacityUsd) return refused(400, 'too much', 'over_capacity')
        if (Number(amount) < leastUsd) return refused(400, 'too little', 'insufficient_payment_amount')
        const payer = payerWalletAddress.toLowerCase()
        const gasless = from.chainId === gaslessChain
        return ok(sessions.shown(sessions.make({ payer, from, amount, to: arrival.to, gasless })))
      }),
    },
    {
      method: 'GET',
      path: '/sessions/:id',
      handle: serve(({ params }) => {
        const session = sessions.get(params.id!)
        return session === undefined ? refused(404, 'no such session') : ok(sessions.shown(session))
      }),
    },
    {
      method: 'POST',
      path: '/update-payment-transaction',
      handle: serve(({ body }) => {
        const { sessionId, transactionHash } = PaidBody.parse(body)
        const session = sessions.get(sessionId)
        if (session === undefined) return refused(404, 'no such session')
        if (transactionHash.startsWith('0x00000000') || !seen.has(transactionHash)) {
          seen.add(transactionHash)
          return refused(400, 'ERR_TRANSACTION_NOT_FOUND')
        }
        if (sessions.isExpired(session)) return refused(400, 'expired')
        sessions.pay(session, transactionHash)
        return ok({ success: true })
      }),
    },
    {
      method: 'POST',
      path: '/pay-with-signature',
      handle: serve(async ({ body }) => {
        const { sessionId, signature } = SignedBody.parse(body)
        const session = sessions.get(sessionId)
        if (session === undefined) return refused(404, 'no such session')
        if (!session.gasless || !(await isSignedByPayer(session, signature))) return refused(400, 'bad signature')
        sessions.pay(session, `0x${signature.slice(2, 66)}`)
        return ok({ success: true })
      }),
    },
  ]

  const host = await startHost({
    clock,
    counters,
    faults: () => faults,
    port,
    sendQueueMaxBytes: undefined,
    routes,
    refusalBody: (status) => `<html>${status}</html>`,
    isSocketPath: () => false,
    refuseUpgrade: () => null,
    open: () => ({ message: () => undefined, closed: () => undefined }),
    notFound: () => refused(404, 'not found'),
  })
  const lab: GlideLab = {
    urls: { API: `http://127.0.0.1:${host.port}` },
    credentials,
    faults,
    engine,
    spoil: (as, count) => spoiler.spoil(as, count),
    counters: () => counters.snapshot(),
    capacityUsd: 50_000,
    async stop() {
      bare.stop()
      await host.stop()
    },
  }
  return lab
}

const refused = (status: number, error: string, code?: string): LabReply => ({
  status,
  body: code === undefined ? { error } : { code, error },
})

/** The amount that must arrive and its destination; null when the lab does not support the target. */
function arrivalIn({
  transaction,
  transfer,
}: z.output<z.ZodObject<typeof Arriving>>): { to: Arrival; amount: string } | null {
  if (transfer !== undefined) {
    const currency = currencyOf(caip19({ chainId: transfer.chainId, token: transfer.token }))
    if (currency === undefined || isEvm(currency)) return null
    return { to: { currency, recipient: transfer.recipient }, amount: transfer.amount }
  }
  if (transaction === undefined || !isHex(transaction.input)) return null
  const currency = currencyOf(caip19({ chainId: transaction.chainId, token: transaction.to }))
  if (currency === undefined || !isEvm(currency)) return null
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: transaction.input as Hex })
  if (functionName !== 'transfer') return null
  return { to: { currency, recipient: args[0] }, amount: inUnits(args[1], currency) }
}

const isEvm = ({ chainId }: Currency): boolean => chainId.startsWith('eip155:')
