import { describe, expect, it } from 'vitest'
import { type SourceFile, sourceFiles } from './source.ts'

const files = sourceFiles('src', 'actors', 'workers', 'schemas', 'lab')

/** Tarjan: groups of files in which each one reaches every other through imports, also of types. */
function cyclesOf(all: readonly SourceFile[]): string[][] {
  const targets = new Map(all.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])]))
  /** In the order of the first visit. */
  const numbers = new Map<string, number>()
  /** The earliest file still on the stack that each one reaches. */
  const earliest = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const cycles: string[][] = []
  const visit = (path: string): void => {
    const number = numbers.size
    numbers.set(path, number)
    earliest.set(path, number)
    stack.push(path)
    onStack.add(path)
    for (const target of targets.get(path)!) {
      if (!targets.has(target)) continue
      if (!numbers.has(target)) {
        visit(target)
        earliest.set(path, Math.min(earliest.get(path)!, earliest.get(target)!))
      } else if (onStack.has(target)) earliest.set(path, Math.min(earliest.get(path)!, numbers.get(target)!))
    }
    if (earliest.get(path) !== number) return
    const group = stack.splice(stack.indexOf(path))
    for (const each of group) onStack.delete(each)
    if (group.length > 1 || targets.get(path)!.includes(path)) cycles.push(group.sort())
  }
  for (const path of targets.keys()) if (!numbers.has(path)) visit(path)
  return cycles
}

const file = (path: string, ...imported: string[]): SourceFile => ({
  path,
  text: '',
  imports: imported.map((target) => ({ specifier: `#${target}`, target, typeOnly: true })),
})

describe('import cycles', () => {
  it('are found in a program that has some', () => {
    const program = [file('a', 'b'), file('b', 'c', 'd'), file('c', 'a'), file('d'), file('e', 'e', 'a')]
    expect(cyclesOf(program)).toEqual([['a', 'b', 'c'], ['e']])
  })

  it('no file imports itself through others, not even for types', () => {
    expect(files.length).toBeGreaterThan(1_500)
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(5_000)
    expect(cyclesOf(files), 'move what they share into a file that each of them imports').toEqual([])
  })
})
