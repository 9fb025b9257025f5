// The Python SDK for tests and its own generator: its location, and environments with its dependencies.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Python, type PythonVenv, pythonAt, pythonDeadlineMs, pythonVenv } from '#test/support/python/venv'
import { contractDigest, readContract } from './contract.ts'

export const sdkRoot = fileURLToPath(new URL('../../../sdk/python', import.meta.url))
export const generated = join(sdkRoot, 'src/crossbook/generated')

/** Of `requirements/<name>.txt`, one after the other. */
export async function sdkPython(...names: string[]): Promise<PythonVenv> {
  const texts = await Promise.all(names.map((name) => readFile(join(sdkRoot, 'requirements', `${name}.txt`), 'utf8')))
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '' && !line.startsWith('#'))
  return pythonVenv([...new Set(lines)])
}

/** Builds a wheel of the client into `folder`; returns its path. `python` has requirements/build.txt. */
export async function buildWheel(python: Python, folder: string, root = sdkRoot): Promise<string> {
  const build = 'import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))'
  const output = await python.run(['-c', build, folder], { cwd: root, timeoutMs: 60_000 })
  return join(folder, output.trim().split('\n').at(-1)!)
}

/** A new environment in `home` with the wheel and its dependencies, at the versions that the tests know; `extras` like `evm,sign`. */
export async function installWheel(python: Python, wheel: string, home: string, extras = ''): Promise<Python> {
  await python.run(['-m', 'venv', home], { timeoutMs: 60_000 })
  const installed = pythonAt(join(home, 'bin', 'python'))
  const known = ['test', 'frames'].flatMap((name) => ['--constraint', join(sdkRoot, `requirements/${name}.txt`)])
  const options = ['--disable-pip-version-check', 'install', '--quiet', '--only-binary', ':all:', ...known]
  const what = extras === '' ? wheel : `${wheel}[${extras}]`
  await installed.run(['-m', 'pip', ...options, what], { timeoutMs: pythonDeadlineMs })
  return installed
}

/** Runs the generator on the current contract; `check`: only reports what it would change. */
export async function generate(python: Python, { check = false } = {}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'crossbook-contract-'))
  try {
    const contract = readContract()
    const source = join(folder, 'contract.json')
    await writeFile(source, JSON.stringify({ digest: contractDigest(contract), ...contract }))
    const script = join(sdkRoot, 'codegen/generate.py')
    await python.run([script, ...(check ? ['--check'] : []), source, generated], { timeoutMs: 120_000 })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
