import { expect, it } from 'vitest'
import { findVenv, pythonVenv } from '#test/support/python/venv'

it('reports why there is no Python instead of failing', async () => {
  expect(await findVenv([], 'python3-of-nowhere')).toEqual({
    python: null,
    reason: 'python3-of-nowhere 3.10 or newer with its venv module is not installed',
  })
})

it.each(['pmxt', 'pmxt>=2', 'pmxt==2.*', 'git+https://example.com/pmxt'])(
  'rejects a requirement that is not pinned: %s',
  async (requirement) => {
    await expect(pythonVenv([requirement])).rejects.toThrow('not pinned')
  },
)
