// What a caller is handed to sign is what it asked for: every part of a session that can be held against the request is, in a new session and in one
// that is looked at again.
import { describe, expect, it } from 'vitest'
import { createGlide } from '#bridge/index'
import type { Transfer } from '#bridge/ports'
import { ManualClock } from '#lib/clock'
import { baseUsdc, deposits, payer, paymentCurrency } from './world.ts'

const clock = new ManualClock(Date.UTC(2026, 10, 23, 6))
const asker = { account: 'a', signal: new AbortController().signal }
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
const open = (answer: unknown, asked = transfer) => answering(answer).open(asked, asker)
/** Nothing of it is passed on, and asking again is no help. */
const refused = { code: 'BRIDGE_UPSTREAM', retryable: false }
const withTransaction = (more: object) => ({ ...session, unsignedTransaction: { ...transaction, ...more } })
const withPermit = (more: object) => ({ ...gasless, unsignedTypedData: { ...permit, ...more } })
const withMessage = (more: object) => withPermit({ message: { ...permit.message, ...more } })

const { chain: arrivesOn, token: arrivesAs } = deposits.get('polymarket')!
/** What the provider says that it will send. */
const arriving = (more: object) => ({
  ...{ chainId: arrivesOn, to: arrivesAs, value: '0x0', input: call('a9059cbb', 9_900_000n, payer.slice(2)) },
  ...more,
})

describe('passes on', () => {
  it.each<[string, object]>([
    ['a transfer of what was said', session],
    ['one that is an approval of it', withTransaction({ input: call('095ea7b3', 10_000_000n) })],
    ['one in capitals', withTransaction({ to: baseUsdc.toUpperCase().replace('0X', '0x'), value: '0x' })],
    ['one without what is not needed', { ...session, paymentChainId: null, payerAccount: null, expiresAt: null }],
    ['one that costs less', { ...withTransaction({ input: call('a9059cbb', 9_000_000n) }), paymentAmount: '9.0' }],
    ['one that is paid where it says', { ...session, depositAddress: `0x${payee}` }],
    ['one that says what it will send', { ...session, sponsoredTransaction: arriving({}) }],
    ['one that has what nobody knows and nobody signs', { ...session, routeName: 'fast', steps: [{ kind: 'swap' }] }],
    ['a permit over what was said', gasless],
    ['a permit of numbers', withMessage({ value: 10_000_000, nonce: 7, deadline: clock.now() / 1_000 + 60 })],
    [
      'a permit whose chain is its salt',
      withPermit({ domain: { name: 'x', version: '1', salt: `0x${word(8453n)}`, verifyingContract: baseUsdc } }),
    ],
  ])('%s', async (_, answer) => {
    await expect(open(answer)).resolves.toMatchObject({ value: { sessionId: 's-1' } })
  })

  it('a token’s own units: eighteen decimals are eighteen', async () => {
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
  ['allows everything', withTransaction({ input: call('095ea7b3', 2n ** 256n - 1n) })],
  ['allows one unit more', withTransaction({ input: call('095ea7b3', 10_000_001n) })],
  ['allows more and more', withTransaction({ input: call('39509351', 10_000_000n) })],
  ['pays nobody', withTransaction({ input: call('a9059cbb', 10_000_000n, '0') })],
  ['pays the token', withTransaction({ input: call('a9059cbb', 10_000_000n, baseUsdc.slice(2)) })],
  ['has words too many', withTransaction({ input: `${transaction.input}00` })],
  ['has words too few', withTransaction({ input: transaction.input.slice(0, -2) })],
  ['has dirt before its payee', withTransaction({ input: transaction.input.replace('a9059cbb0', 'a9059cbb1') })],
  ['calls nothing', withTransaction({ input: '0x' })],
  ['calls without input', withTransaction({ input: undefined })],
  ['has calldata beside its input', withTransaction({ data: call('095ea7b3', 2n ** 256n - 1n) })],
  ['delegates its payer', withTransaction({ authorizationList: [{}] })],
  ['calls another contract', withTransaction({ to: another })],
  ['makes a contract', withTransaction({ to: null })],
  ['sends coins', withTransaction({ value: '0x4563918244f40000' })],
  ['sends coins that nobody can read', withTransaction({ value: 'all' })],
  ['is of another chain', withTransaction({ chainId: 'eip155:1' })],
  ['is of no chain', withTransaction({ chainId: undefined })],
  ['is from another', withTransaction({ from: another })],
  ['is none', { ...session, unsignedTransaction: null }],
  ['is a text', { ...session, unsignedTransaction: '0x02' }],
  ['has an action nobody knows', { ...session, paymentAction: 'stealMoney' }],
  ['has no action', { ...session, paymentAction: null }],
  [
    'redirects',
    { ...session, paymentAction: 'redirectToUrl', redirectUrl: 'https://pay.example', unsignedTransaction: null },
  ],
  ['redirects beside', { ...session, redirectUrl: 'https://evil.example' }],
  ['is a deposit', { ...session, paymentAction: 'transfer', depositAddress: another, unsignedTransaction: null }],
  ['has a deposit beside', { ...session, depositAddress: another }],
  ['has something for Solana', { ...session, unsignedSolanaTransaction: 'AQ==' }],
  ['costs more', { ...session, paymentAmount: '10.0000001' }],
  ['costs less than it moves', { ...session, paymentAmount: '5' }],
  ['costs nothing', { ...withTransaction({ input: call('a9059cbb', 0n) }), paymentAmount: '0' }],
  ['costs less than nothing', { ...session, paymentAmount: '-10' }],
  ['costs what nobody knows', { ...session, paymentAmount: null }],
  ['costs less than a unit', { ...session, paymentAmount: '9.0000001' }],
  ['is in another currency', { ...session, paymentCurrency: `eip155:8453/erc20:${another}` }],
  ['is in no currency', { ...session, paymentCurrency: null }],
  ['is paid on another chain', { ...session, paymentChainId: 'eip155:1' }],
  ['is another payer’s', { ...session, payerAccount: `eip155:8453:${another}` }],
  ['is another wallet’s', { ...session, payerWalletAddress: another }],
  ['is paid back to another', { ...session, refundAddress: another }],
  ['is also another payer’s', { ...session, payerAccounts: [payer, another] }],
  ['arrives on another chain', { ...session, sponsoredTransactionChainId: 'eip155:1' }],
  ['arrives in another token', { ...session, sponsoredTransactionCurrency: `eip155:137/erc20:${another}` }],
  ['brings less than nothing', { ...session, sponsoredTransactionAmount: '-1' }],
  ['charges less than nothing', { ...session, totalFeeUSD: -1 }],
  ['charges words', { ...session, gasFeeUSD: 'much' }],
  ['is over', { ...session, expired: true }],
  ['was over', { ...session, expiresAt: '2020-01-01T00:00:00Z' }],
  ['is over at no time', { ...session, expiresAt: 'soon' }],
  ['is paid', { ...session, paymentStatus: 'paid' }],
  ['has transactions beside', { ...session, unsignedTransactions: [transaction] }],
  ['has a transaction by another spelling', { ...session, unsigned_transaction: { ...transaction, to: another } }],
  ['has an operation beside', { ...session, unsignedUserOperation: { callData: '0x' } }],
  ['has an amount by another spelling', { ...session, payment_amount: '1000' }],
  ['has calldata nobody knows', { ...session, approval: { calls: [{ to: baseUsdc, data: transaction.input }] } }],
  [
    'sends to another',
    { ...session, sponsoredTransaction: arriving({ input: call('a9059cbb', 1n, another.slice(2)) }) },
  ],
  ['sends on another chain', { ...session, sponsoredTransaction: arriving({ chainId: 'eip155:1' }) }],
  ['sends another token', { ...session, sponsoredTransaction: arriving({ to: another }) }],
  ['allows another', { ...session, sponsoredTransaction: arriving({ input: call('095ea7b3', 1n, another.slice(2)) }) }],
  ['echoes another recipient', { ...session, transfer: { recipient: another } }],
  ['echoes another transfer', { ...session, transaction: arriving({ input: call('a9059cbb', 1n, another.slice(2)) }) }],
  ['permits everything', withMessage({ value: String(2n ** 256n - 1n) })],
  ['permits one unit more', withMessage({ value: '10000001' })],
  ['permits what nobody can read', withMessage({ value: '1e7' })],
  ['permits nobody', withMessage({ spender: `0x${'0'.repeat(40)}` })],
  ['permits as another', withMessage({ owner: another })],
  ['permits for ever', withMessage({ deadline: String(2n ** 256n - 1n) })],
  ['permits for days', withMessage({ deadline: String(clock.now() / 1_000 + 86_401) })],
  ['permitted', withMessage({ deadline: String(clock.now() / 1_000) })],
  ['permits beside', withMessage({ allowed: true })],
  ['permits of another token', withPermit({ domain: { ...permit.domain, verifyingContract: another } })],
  ['permits on another chain', withPermit({ domain: { ...permit.domain, chainId: '0x1' } })],
  ['permits on any chain', withPermit({ domain: { name: 'x', version: '1', verifyingContract: baseUsdc } })],
  [
    'permits in other fields',
    withPermit({ types: { Permit: [field('holder', 'address'), field('allowed', 'bool')] } }),
  ],
  ['permits in no fields', withPermit({ types: {} })],
  ['permits by another message', withPermit({ primaryType: 'PermitSingle' })],
  ['permits nothing', { ...gasless, unsignedTypedData: null }],
  [
    'permits beside its transaction',
    { ...session, unsignedTypedData: withMessage({ value: '10000001' }).unsignedTypedData },
  ],
]

describe('passes on no session that', () => {
  it.each(changes)('%s', async (_, answer) => {
    await expect(open(answer)).rejects.toMatchObject({ code: 'BRIDGE_UPSTREAM' })
  })
})

describe('a session that is looked at again', () => {
  const look = async (made: object, shown: object) => {
    const { agreed } = await open(made)
    return answering(shown).find({ sessionId: 's-1', agreed }, asker)
  }

  it.each<[string, object]>([
    ['something beside to sign', { unsignedTransactions: [transaction] }],
    ['another recipient', { sponsoredTransaction: arriving({ input: call('a9059cbb', 1n, another.slice(2)) }) }],
  ])('is not shown with %s', async (_, more) => {
    await expect(look(session, { ...session, ...more })).rejects.toMatchObject(refused)
  })

  it('may show less of what is to sign, and what became of it', async () => {
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
        !/ over|costs nothing|less than nothing|words$|is none|^is paid$|no action|no currency|what nobody knows|permits nothing/.test(
          name,
        ),
    ),
  )('shows none that %s', async (_, shown) => {
    await expect(look(session, shown)).rejects.toMatchObject({ code: 'BRIDGE_UPSTREAM' })
  })

  it('is paid by a signature where it asked for one', async () => {
    const pay = async (made: object) =>
      answering({ success: true }).pay(
        { sessionId: 's-1', agreed: (await open(made)).agreed },
        { signature: '0x11' },
        asker,
      )
    await expect(pay(gasless)).resolves.toMatchObject({ value: { success: true } })
    await expect(pay(session)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

it('says nothing twice: readers differ in which of two they believe', async () => {
  const text = JSON.stringify({ ...session, metadata: { note: 'a "b": {"c": 1}\\\\', list: [{ a: 1 }, {}, []] } })
  const glide = (said: string) => createGlide({ clock, ask: async () => ({ status: 200, text: said }) })
  await expect(glide(text).open(transfer, asker)).resolves.toBeDefined()
  for (const [once, twice] of [
    ['"value":"0x0"', '"value":"0x4563918244f40000","value":"0x0"'],
    ['"paymentAmount":"10"', '"paymentAmount":"1000", "paymentAmount" : "10"'],
    ['"to":', '"t\\u006f":"0x77","to":'],
  ] as const)
    await expect(glide(text.replace(once, twice)).open(transfer, asker)).rejects.toMatchObject({
      code: 'BRIDGE_UPSTREAM',
    })
})

it('an option of a quote that is paid in another currency is none', async () => {
  const quote = (currency: string) =>
    answering([{ paymentCurrency }, { paymentCurrency: currency }]).quote(transfer, asker)
  await expect(quote(paymentCurrency)).resolves.toBeDefined()
  await expect(quote(`eip155:1/erc20:${baseUsdc}`)).rejects.toMatchObject(refused)
})
