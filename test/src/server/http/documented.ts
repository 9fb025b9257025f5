// Checks responses against the OpenAPI of the routes: an undocumented status or code, or a body that violates its
// schema, is a defect, whichever test finds it.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { PathTree } from '#server/http/matchRoute'
import { codesWith } from '#test/support/openapiDocument'

interface Documented {
  description: string
  content?: Readonly<Record<string, { schema: Readonly<Record<string, unknown>> }>>
}
type Operations = Readonly<Record<string, { responses: Readonly<Record<string, Documented | { $ref: string }>> }>>
interface Document {
  paths: Readonly<Record<string, Operations>>
  components: { responses: Readonly<Record<string, Documented>> }
}

export interface Answered {
  method: string
  path: string
  status: number
  /** Null without a body or without a content type. */
  contentType: string | null
  /** Null when the body was not read as text. */
  text: string | null
}
export type CheckResponse = (answer: Answered) => void

/** Number of lines checked per response: the first ones, plus the last. */
const linesMax = 50

/** Throws for a response the operation does not document. Unknown paths and methods are ignored. */
export function createDocumented(document: object): CheckResponse {
  const { paths, components } = document as Document
  const tree = new PathTree<{ template: string; operations: Operations }>(['exchange'])
  for (const [template, operations] of Object.entries(paths)) tree.add(template, { template, operations })
  const find = (path: string) => {
    try {
      return tree.match(path)?.found[0]
    } catch {
      return undefined
    }
  }
  const validatorOf = createValidators(document)
  return ({ method, path, status, contentType, text }) => {
    const found = find(path)
    const operation = found?.operations[method.toLowerCase()]
    if (operation === undefined) return
    const name = `${method} ${found!.template}`
    const key = operation.responses[status] === undefined ? 'default' : String(status)
    const documentedResponse = operation.responses[key]
    if (documentedResponse === undefined || (key === 'default' && status < 400))
      throw new Error(`${name} answered ${status}, which its OpenAPI does not know`)
    const isShared = '$ref' in documentedResponse
    const pointer = isShared
      ? documentedResponse.$ref
      : `#/paths/${escaped(found!.template)}/${method.toLowerCase()}/responses/${key}`
    const response = isShared
      ? components.responses[documentedResponse.$ref.slice(documentedResponse.$ref.lastIndexOf('/') + 1)]!
      : documentedResponse
    const media = contentType?.split(';')[0]?.trim() ?? null
    const types = Object.keys(response.content ?? {})
    const type = types.find((one) => one.split(';')[0] === media)
    if (media !== null && type === undefined)
      throw new Error(
        `${name} answered ${status} as ${media}, of which its OpenAPI knows ${types.join(', ') || 'none'}`,
      )
    if (type === undefined || text === null) return
    const check = (value: unknown, within = ''): void => {
      const validate = validatorOf(`${pointer}/content/${escaped(type)}/schema${within}`)
      if (!validate(value))
        throw new Error(
          `${name} answered ${status} with what its OpenAPI forbids: ${JSON.stringify(validate.errors?.slice(0, 5))}`,
        )
    }
    if (media === 'application/json') {
      const json: unknown = JSON.parse(text)
      const code = codeOf(json)
      if (status >= 400 && !codesWith(status, response).includes(code))
        throw new Error(`${name} answered ${status} ${code}, which its OpenAPI does not know`)
      check(json)
    } else if (response.content![type]!.schema.contentSchema !== undefined)
      for (const line of someLines(text)) check(JSON.parse(line), '/contentSchema')
  }
}

const someLines = (text: string): string[] => {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.length <= linesMax ? lines : [...lines.slice(0, linesMax), lines.at(-1)!]
}

/** Compiled once, on first use. */
function createValidators(document: object): (pointer: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  return (pointer) => ajv.getSchema(`document${pointer}`)!
}

const escaped = (token: string): string => encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'))

const codeOf = (json: unknown): string => (json as { error?: { code?: string } }).error?.code ?? ''
