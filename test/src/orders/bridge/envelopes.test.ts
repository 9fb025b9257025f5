// Every part of a session that can be compared with the request is compared, both when a session is created and when it is fetched again,
// so that callers are only given what they requested to sign.
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { createGlide } from '#orders/bridge/index'
import type { Transfer } from '#orders/bridge/ports'
import { baseUsdc, deposits, payer, paymentCurrency } from './world.ts'

const clock = new ManualClock(Date.UTC(2026, 10, 23, 6))
const caller = { account: 'a', signal: new AbortController().signal }
const transfer: Transfer = {
  from: { chain: 'eip155:8453', token: baseUsdc, address: payer },
  amount: '10',
  to: { deposit: deposits.get('polymarket')!, address: payer },
}
const bnb: Transfer['from'] = {
  ...transfer.from,
  chain: 'eip155:56',
  token: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d',
}

const payee = 'dd'.repeat(20)
const word = (value: bigint): string => value.toString(16).padStart(64, '0')
const call = (selector: string, units: bigint, to = payee): string =>
  `0x${selector}${to.padStart(64, '0')}${word(units)}`
const transaction = {
  ...{ chainId: 'eip155:8453', from: payer, to: baseUsdc, value: '0x0' },
  input: call('a9059cbb', 10_000_000n),
}
const field = (name: string, type: string) => ({ name, type })
const permit = {
  primaryType: 'Permit',
  types: {
    Permit: [
      ...[field('owner', 'address'), field('spender', 'address'), field('value', 'uint256')],
      ...[field('nonce', 'uint256'), field('deadline', 'uint256')],
    ],
  },
  domain: { name: 'USD Coin', version: '2', chainId: '0x2105', verifyingContract: baseUsdc },
  message: {
    ...{ owner: payer, spender: `0x${payee}`, value: '10000000', nonce: '0' },
    deadline: String(clock.now() / 1_000 + 3_600),
  },
}
const session = {
  ...{ sessionId: 's-1', expired: false, expiresAt: new Date(clock.now() + 600_000).toISOString() },
  ...{ payerAccount: `eip155:8453:${payer}`, payerWalletAddress: payer, paymentStatus: 'unpaid' },
  ...{ paymentChainId: 'eip155:8453', paymentCurrency, paymentAmount: '10', paymentAmountUSD: '9.99' },
  ...{ paymentAction: 'signAndSendTransaction', unsignedTransaction: transaction, unsignedTypedData: null },
  ...{ redirectUrl: null, depositAddress: null, sponsoredTransactionAmount: '9.9', totalFeeUSD: 0.1 },
}
const gasless = { ...session, paymentAction: 'signTypedData', unsignedTransaction: null, unsignedTypedData: permit }

const answering = (answer: unknown) =>
  createGlide({ clock, ask: async () => ({ status: 200, text: JSON.stringify(answer) }) })
const open = (answer: unknown, requested = transfer) => answering(answer).open(requested, caller)
/** Nothing is passed on, and a retry does not help. */
const refused = { code: 'BRIDGE_UPSTREAM', retryable: false }
const withTransaction = (more: object) => ({ ...session, unsignedTransaction: { ...transaction, ...more } })
const withPermit = (more: object) => ({ ...gasless, unsignedTypedData: { ...permit, ...more } })
const withMessage = (more: object) => withPermit({ message: { ...permit.message, ...more } })

const { chain: arrivesOn, token: arrivesAs } = deposits.get('polymarket')!
/** What the provider announces it will send. */
const arriving = (more: object) => ({
  ...{ chainId: arrivesOn, to: arrivesAs, value: '0x0', input: call('a9059cbb', 9_900_000n, payer.slice(2)) },
  ...more,
})

describe('accepts', () => {
  it.each<[string, object]>([
    ['a transfer of the requested amount', session],
    ['an approval of the requested amount', withTransaction({ input: call('095ea7b3', 10_000_000n) })],
    ['addresses in capitals', withTransaction({ to: baseUsdc.toUpperCase().replace('0X', '0x'), value: '0x' })],
    ['a session without optional fields', { ...session, paymentChainId: null, payerAccount: null, expiresAt: null }],
    ['a lower cost', { ...withTransaction({ input: call('a9059cbb', 9_000_000n) }), paymentAmount: '9.0' }],
    ['a payment to the announced deposit address', { ...session, depositAddress: `0x${payee}` }],
    ['an announced transaction to the recipient', { ...session, sponsoredTransaction: arriving({}) }],
    ['unknown fields that are not signed', { ...session, routeName: 'fast', steps: [{ kind: 'swap' }] }],
    ['a permit for the requested amount', gasless],
    [
      'a permit with numbers instead of strings',
      withMessage({ value: 10_000_000, nonce: 7, deadline: clock.now() / 1_000 + 60 }),
    ],
    [
      'a permit whose salt is the chain id',
      withPermit({ domain: { name: 'x', version: '1', salt: `0x${word(8453n)}`, verifyingContract: baseUsdc } }),
    ],
  ])('%s', async (_, answer) => {
    await expect(open(answer)).resolves.toMatchObject({ value: { sessionId: 's-1' } })
  })

  it('uses the decimals of the token: 18 where the token has 18', async () => {
    const currency = `eip155:56/erc20:${bnb.token}`
    const of = (units: bigint) => ({
      ...session,
      ...{ payerAccount: null, paymentChainId: 'eip155:56', paymentCurrency: currency },
      unsignedTransaction: { ...transaction, chainId: 'eip155:56', to: bnb.token, input: call('a9059cbb', units) },
    })
    await expect(open(of(10n ** 19n), { ...transfer, from: bnb })).resolves.toBeDefined()
    await expect(open(of(10n ** 7n), { ...transfer, from: bnb })).rejects.toMatchObject(refused)
  })
})

const another = `0x${'77'.repeat(20)}`
const changes: [string, object][] = [
  ['transfers more', withTransaction({ input: call('a9059cbb', 1_000_000_000n) })],
  ['transfers one unit more', withTransaction({ input: call('a9059cbb', 10_000_001n) })],
  ['approves an unlimited amount', withTransaction({ input: call('095ea7b3', 2n ** 256n - 1n) })],
  ['approves one unit more', withTransaction({ input: call('095ea7b3', 10_000_001n) })],
  ['increases an allowance', withTransaction({ input: call('39509351', 10_000_000n) })],
  ['pays the zero address', withTransaction({ input: call('a9059cbb', 10_000_000n, '0') })],
  ['pays the token contract', withTransaction({ input: call('a9059cbb', 10_000_000n, baseUsdc.slice(2)) })],
  ['has too much calldata', withTransaction({ input: `${transaction.input}00` })],
  ['has too little calldata', withTransaction({ input: transaction.input.slice(0, -2) })],
  [
    'has nonzero padding before the payee',
    withTransaction({ input: transaction.input.replace('a9059cbb0', 'a9059cbb1') }),
  ],
  ['has empty calldata', withTransaction({ input: '0x' })],
  ['has no input', withTransaction({ input: undefined })],
  ['has a data field besides its input', withTransaction({ data: call('095ea7b3', 2n ** 256n - 1n) })],
  ['has an authorization list', withTransaction({ authorizationList: [{}] })],
  ['calls another contract', withTransaction({ to: another })],
  ['creates a contract', withTransaction({ to: null })],
  ['sends native coins', withTransaction({ value: '0x4563918244f40000' })],
  ['sends an unparsable value', withTransaction({ value: 'all' })],
  ['has another chain id', withTransaction({ chainId: 'eip155:1' })],
  ['has no chain id', withTransaction({ chainId: undefined })],
  ['has another sender', withTransaction({ from: another })],
  ['has no transaction', { ...session, unsignedTransaction: null }],
  ['has a string as its transaction', { ...session, unsignedTransaction: '0x02' }],
  ['has an unknown payment action', { ...session, paymentAction: 'stealMoney' }],
  ['has no payment action', { ...session, paymentAction: null }],
  [
    'redirects',
    { ...session, paymentAction: 'redirectToUrl', redirectUrl: 'https://pay.example', unsignedTransaction: null },
  ],
  ['has a redirect besides its transaction', { ...session, redirectUrl: 'https://evil.example' }],
  ['is a deposit', { ...session, paymentAction: 'transfer', depositAddress: another, unsignedTransaction: null }],
  ['has a deposit address besides its transaction', { ...session, depositAddress: another }],
  ['has a Solana transaction', { ...session, unsignedSolanaTransaction: 'AQ==' }],
  ['costs more', { ...session, paymentAmount: '10.0000001' }],
  ['costs less than it transfers', { ...session, paymentAmount: '5' }],
  ['costs zero', { ...withTransaction({ input: call('a9059cbb', 0n) }), paymentAmount: '0' }],
  ['has a negative cost', { ...session, paymentAmount: '-10' }],
  ['has no payment amount', { ...session, paymentAmount: null }],
  ['costs a fraction of a unit', { ...session, paymentAmount: '9.0000001' }],
  ['has another payment currency', { ...session, paymentCurrency: `eip155:8453/erc20:${another}` }],
  ['has no payment currency', { ...session, paymentCurrency: null }],
  ['is paid on another chain', { ...session, paymentChainId: 'eip155:1' }],
  ['has another payer account', { ...session, payerAccount: `eip155:8453:${another}` }],
  ['has another payer wallet', { ...session, payerWalletAddress: another }],
  ['refunds another address', { ...session, refundAddress: another }],
  ['has another payer in its list', { ...session, payerAccounts: [payer, another] }],
  ['arrives on another chain', { ...session, sponsoredTransactionChainId: 'eip155:1' }],
  ['arrives in another token', { ...session, sponsoredTransactionCurrency: `eip155:137/erc20:${another}` }],
  ['delivers a negative amount', { ...session, sponsoredTransactionAmount: '-1' }],
  ['charges a negative fee', { ...session, totalFeeUSD: -1 }],
  ['charges a non-numeric fee', { ...session, gasFeeUSD: 'much' }],
  ['is expired', { ...session, expired: true }],
  ['has an expiry in the past', { ...session, expiresAt: '2020-01-01T00:00:00Z' }],
  ['has an invalid expiry', { ...session, expiresAt: 'soon' }],
  ['is already paid', { ...session, paymentStatus: 'paid' }],
  ['has a list of transactions as well', { ...session, unsignedTransactions: [transaction] }],
  ['has a transaction in a snake_case field', { ...session, unsigned_transaction: { ...transaction, to: another } }],
  ['has a user operation as well', { ...session, unsignedUserOperation: { callData: '0x' } }],
  ['has an amount in a snake_case field', { ...session, payment_amount: '1000' }],
  [
    'has calldata in an unknown field',
    { ...session, approval: { calls: [{ to: baseUsdc, data: transaction.input }] } },
  ],
  [
    'sends to another recipient',
    { ...session, sponsoredTransaction: arriving({ input: call('a9059cbb', 1n, another.slice(2)) }) },
  ],
  ['sends on another chain', { ...session, sponsoredTransaction: arriving({ chainId: 'eip155:1' }) }],
  ['sends another token', { ...session, sponsoredTransaction: arriving({ to: another }) }],
  [
    'approves another spender',
    { ...session, sponsoredTransaction: arriving({ input: call('095ea7b3', 1n, another.slice(2)) }) },
  ],
  ['echoes another recipient', { ...session, transfer: { recipient: another } }],
  ['echoes another transfer', { ...session, transaction: arriving({ input: call('a9059cbb', 1n, another.slice(2)) }) }],
  ['permits an unlimited amount', withMessage({ value: String(2n ** 256n - 1n) })],
  ['permits one unit more', withMessage({ value: '10000001' })],
  ['permits an unparsable amount', withMessage({ value: '1e7' })],
  ['permits the zero address', withMessage({ spender: `0x${'0'.repeat(40)}` })],
  ['permits for another owner', withMessage({ owner: another })],
  ['permits with an unlimited deadline', withMessage({ deadline: String(2n ** 256n - 1n) })],
  ['permits with a deadline days ahead', withMessage({ deadline: String(clock.now() / 1_000 + 86_401) })],
  ['permitted', withMessage({ deadline: String(clock.now() / 1_000) })],
  ['permits with an extra field', withMessage({ allowed: true })],
  ['permits another token', withPermit({ domain: { ...permit.domain, verifyingContract: another } })],
  ['permits on another chain', withPermit({ domain: { ...permit.domain, chainId: '0x1' } })],
  ['permits without a chain', withPermit({ domain: { name: 'x', version: '1', verifyingContract: baseUsdc } })],
  [
    'permits with other fields',
    withPermit({ types: { Permit: [field('holder', 'address'), field('allowed', 'bool')] } }),
  ],
  ['permits without field types', withPermit({ types: {} })],
  ['permits with another primary type', withPermit({ primaryType: 'PermitSingle' })],
  ['has no permit', { ...gasless, unsignedTypedData: null }],
  [
    'permits besides its transaction',
    { ...session, unsignedTypedData: withMessage({ value: '10000001' }).unsignedTypedData },
  ],
]

describe('rejects a session that', () => {
  it.each(changes)('%s', async (_, answer) => {
    await expect(open(answer)).rejects.toMatchObject({ code: 'BRIDGE_UPSTREAM' })
  })
})

describe('a session that is fetched again', () => {
  const look = async (made: object, shown: object) => {
    const { agreed } = await open(made)
    return answering(shown).find({ sessionId: 's-1', agreed }, caller)
  }

  it.each<[string, object]>([
    ['a second list of transactions', { unsignedTransactions: [transaction] }],
    ['another recipient', { sponsoredTransaction: arriving({ input: call('a9059cbb', 1n, another.slice(2)) }) }],
  ])('is rejected with %s', async (_, more) => {
    await expect(look(session, { ...session, ...more })).rejects.toMatchObject(refused)
  })

  it('may omit what was signed and report the payment', async () => {
    const after = {
      paymentStatus: 'paid',
      paymentTransactionHash: '0xab',
      expired: true,
      sponsoredTransactionHash: '0xcd',
    }
    const respelt = {
      paymentAmount: '10.00',
      unsignedTransaction: Object.fromEntries(Object.entries(transaction).reverse()),
    }
    for (const shown of [session, { ...session, ...after }, { ...session, ...respelt }])
      await expect(look(session, shown)).resolves.toMatchObject({ value: { sessionId: 's-1' } })
    await expect(look(session, { ...session, ...after, unsignedTransaction: null })).resolves.not.toBeNull()
    await expect(look(gasless, { ...gasless, ...after, refundAddress: payer })).resolves.not.toBeNull()
    const arrival = {
      sponsoredTransactionChainId: 'eip155:137',
      sponsoredTransactionCurrency: 'eip155:137/erc20:0xC011a7e12a19f7b1f670d46f03b03f3342e82dfb',
    }
    await expect(look(session, { ...session, ...arrival })).resolves.not.toBeNull()
  })

  it.each(
    changes.filter(
      ([name]) =>
        !/expir|costs zero|negative|non-numeric|has no (?:transaction|permit|payment)|already paid/.test(name),
    ),
  )('is rejected if it %s', async (_, shown) => {
    await expect(look(session, shown)).rejects.toMatchObject({ code: 'BRIDGE_UPSTREAM' })
  })

  it('takes a signature only if the session requested one', async () => {
    const pay = async (made: object) =>
      answering({ success: true }).pay(
        { sessionId: 's-1', agreed: (await open(made)).agreed },
        { signature: '0x11' },
        caller,
      )
    await expect(pay(gasless)).resolves.toMatchObject({ value: { success: true } })
    await expect(pay(session)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

it('rejects duplicate JSON keys, because parsers differ in which value they keep', async () => {
  const text = JSON.stringify({ ...session, metadata: { note: 'a "b": {"c": 1}\\\\', list: [{ a: 1 }, {}, []] } })
  const glide = (responseText: string) => createGlide({ clock, ask: async () => ({ status: 200, text: responseText }) })
  await expect(glide(text).open(transfer, caller)).resolves.toBeDefined()
  for (const [once, twice] of [
    ['"value":"0x0"', '"value":"0x4563918244f40000","value":"0x0"'],
    ['"paymentAmount":"10"', '"paymentAmount":"1000", "paymentAmount" : "10"'],
    ['"to":', '"t\\u006f":"0x77","to":'],
  ] as const)
    await expect(glide(text.replace(once, twice)).open(transfer, caller)).rejects.toMatchObject({
      code: 'BRIDGE_UPSTREAM',
    })
})

it('rejects a quote that has an option in another payment currency', async () => {
  const quote = (currency: string) =>
    answering([{ paymentCurrency }, { paymentCurrency: currency }]).quote(transfer, caller)
  await expect(quote(paymentCurrency)).resolves.toBeDefined()
  await expect(quote(`eip155:1/erc20:${baseUsdc}`)).rejects.toMatchObject(refused)
})
