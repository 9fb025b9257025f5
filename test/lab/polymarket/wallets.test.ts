import { type Hex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { provenBy, proxyCodeHash, proxyOf, walletOf, walletsOf } from '#lab/polymarket/wallets'

/** Hardhat's first account: public. */
const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

test('the published L1 signature is valid for its owner, chain and text only', async () => {
  const given = {
    address: owner,
    timestamp: '10000000',
    nonce: 23n,
    signature:
      '0xf62319a987514da40e57e2f4d7529f7bac38f0355bd88bb5adbb3768d80de6c1682518e0af677d5260366425f4361e7b70c25ae232aff0ab2331e2b164a1aedc1b',
  } as const
  expect(await provenBy(given, 80002)).toBe(owner)
  expect(await provenBy(given)).not.toBe(owner)
  expect(await provenBy({ ...given, nonce: 24n }, 80002)).not.toBe(owner)
  expect(await provenBy({ ...given, timestamp: '10000001' }, 80002)).not.toBe(owner)
  expect(await provenBy({ ...given, signature: '0x12' }, 80002)).toBeNull()
})

test('derives a wallet’s Proxy and Safe like the exchange', () => {
  expect(walletOf(owner, 0)).toBe(owner)
  expect(walletOf(owner, 1)).toBe('0x365f0CA36Ae1f641E02fE3B7743673da42A13A70')
  expect(walletOf(owner, 2)).toBe('0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47')
})

test('derives the deposit wallets of an owner like the venue’s Python client 0.14.0', () => {
  const published = ['0xBc0fF067b7740Eff76C1ca93c875Ba6B890d6B50', '0xdf8b9E8f9AB23f261F6e1B171B7454ae6E46Ba76']
  expect(walletsOf(owner, 3)).toEqual(published)
  expect(walletOf(owner, 3)).toBe(published[0])
})

/** The creation code of a clone that its factory initialises, by ERC-1167 and the constructor call of the factory. */
const cloneCode = (factory: string, implementation: string): Hex =>
  `0x3d3d606380380380913d393d73${bare(factory)}5af4602a57600080fd5b602d8060366000396000f3363d3d373d3d3d363d73${bare(
    implementation,
  )}5af43d82803e903d91602b57fd5bf352e831dd${'20'.padStart(64, '0')}${'0'.repeat(64)}`
const bare = (address: string): string => address.slice(2).toLowerCase()

test('derives the published clone code and Proxy address with another factory', () => {
  expect(cloneCode('0x2279b7a0a67db372996a5fab50d91eaa73d2ebe6', '0xdb49cad7f11f8b7ff228044befa0ef3f3b5b4225')).toBe(
    '0x3d3d606380380380913d393d732279b7a0a67db372996a5fab50d91eaa73d2ebe65af4602a57600080fd5b602d8060366000396000f3363d3d373d3d3d363d73db49cad7f11f8b7ff228044befa0ef3f3b5b42255af43d82803e903d91602b57fd5bf352e831dd00000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000000000000000000',
  )
  const factory = '0xEcA1c266193F03d28517a500007738adfb7754d8'
  const hash = keccak256(cloneCode(factory, '0x7d5330Fe12E75B5B775036cC1ba39EE546bD3850'))
  expect(proxyOf(owner, factory, hash)).toBe('0x03CaCD9b90eDf7E440227faeA044e566247a8635')
  expect(
    keccak256(cloneCode('0xaB45c5A4B0c941a2F231C04C3f49182e1A254052', '0x44e999d5c2F66Ef0861317f9A4805AC2e90aEB4f')),
  ).toBe(proxyCodeHash)
})
