// The words of a TypeScript file: those of the names it declares, and those of its comments, messages and test titles.
import { parseSync } from 'oxc-parser'

export interface FoundWord {
  word: string
  /** The whole name, or the sentence. */
  text: string
  file: string
  line: number
}

export interface SourceWords {
  names: FoundWord[]
  prose: FoundWord[]
}

interface AstNode {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

const isNode = (value: unknown): value is AstNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Where a node declares a name: its fields that hold a pattern or a key. */
const declaringFields: Readonly<Record<string, readonly string[]>> = {
  VariableDeclarator: ['id'],
  FunctionDeclaration: ['id', 'params'],
  FunctionExpression: ['id', 'params'],
  ArrowFunctionExpression: ['params'],
  TSFunctionType: ['params'],
  TSMethodSignature: ['key', 'params'],
  ClassDeclaration: ['id'],
  TSInterfaceDeclaration: ['id'],
  TSTypeAliasDeclaration: ['id'],
  TSPropertySignature: ['key'],
  PropertyDefinition: ['key'],
  MethodDefinition: ['key'],
  TSParameterProperty: ['parameter'],
  CatchClause: ['param'],
}

export const wordsOfName = (name: string): string[] =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase())

export const wordsOfSentence = (text: string): string[] =>
  (text.replace(/`[^`]*`|https?:\S+|\]\([^)]*\)/g, ' ').match(/[A-Za-z]+(?:['’][a-z]+)?/g) ?? []).map((word) =>
    word.toLowerCase(),
  )

export function sourceWords(file: string, source: string): SourceWords {
  const { program, comments, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const lineStarts = [0]
  for (let i = source.indexOf('\n'); i !== -1; i = source.indexOf('\n', i + 1)) lineStarts.push(i + 1)
  const lineAt = (offset: number): number => {
    let low = 0
    let high = lineStarts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (lineStarts[middle]! <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
  const names: FoundWord[] = []
  const prose: FoundWord[] = []
  const addName = (name: string, offset: number): void => {
    for (const word of wordsOfName(name)) names.push({ word, text: name, file, line: lineAt(offset) })
  }
  const addProse = (text: string, offset: number): void => {
    for (const word of wordsOfSentence(text)) prose.push({ word, text: text.trim(), file, line: lineAt(offset) })
  }
  for (const comment of comments) addProse(comment.value, comment.start)
  const declare = (pattern: unknown): void => {
    if (Array.isArray(pattern)) for (const each of pattern) declare(each)
    if (!isNode(pattern)) return
    if (pattern.type === 'Identifier') addName(pattern.name as string, pattern.start)
    else if (pattern.type === 'ObjectPattern')
      for (const property of pattern.properties as AstNode[])
        declare(property.type === 'RestElement' ? property.argument : property.value)
    else if (pattern.type === 'ArrayPattern') declare(pattern.elements)
    else if (pattern.type === 'AssignmentPattern') declare(pattern.left)
    else if (pattern.type === 'RestElement') declare(pattern.argument)
  }
  const visit = (node: AstNode): void => {
    for (const field of declaringFields[node.type] ?? [])
      if (node.computed !== true || field !== 'key') declare(node[field])
    if (node.type === 'Property' && node.kind === 'init' && node.shorthand === false && node.computed === false)
      declare(node.key)
    if (node.type === 'Literal' && typeof node.value === 'string' && node.value.includes(' '))
      addProse(node.value, node.start)
    if (node.type === 'TemplateLiteral') {
      const text = (node.quasis as { value: { cooked: string | null } }[])
        .map(({ value }) => value.cooked ?? '')
        .join(' … ')
      if (text.includes(' ')) addProse(text, node.start)
    }
    for (const value of Object.values(node)) {
      if (isNode(value)) visit(value)
      else if (Array.isArray(value)) for (const item of value) if (isNode(item)) visit(item)
    }
  }
  visit(program as unknown as AstNode)
  return { names, prose }
}
