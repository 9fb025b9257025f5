// An OpenAI-compatible endpoint on loopback that answers as a test defines, and pairs of markets for it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '#core/clock'
import { Secret } from '#core/secret'
import {
  createJudge,
  createJudgeClient,
  createPostgresJudgeStore,
  type Judge,
  type JudgeMarket,
  type JudgeRequest,
} from '#matching/decide/judge/index'
import { templateKey } from '#matching/decide/templates/templatePair'
import { VenueBudgets } from '#net/hostRateLimiter'
import { createHttpSender } from '#net/httpSender'
import type { Pool } from '#storage/postgres/pool'

export interface SentSide {
  pattern: string
  title: string
  subtitle: string | null
  eventTitle: string | null
  rules: string | null
}

/** A request as the endpoint received it. */
export interface ReceivedRequest {
  headers: IncomingMessage['headers']
  body: {
    model: string
    temperature: number
    messages: { role: string; content: string }[]
    response_format: { type: string; json_schema: { strict: boolean; schema: { required: string[] } } }
  }
  /** The data in the user message. */
  pair: { first: SentSide; second: SentSide }
}

export interface AnsweredItem {
  first: string | null
  second: string | null
  reason: string
  verdict: string
}
export type Answered = Record<string, AnsweredItem>

const fields = ['who', 'act', 'place', 'date', 'threshold', 'stage', 'source', 'polarity', 'game', 'edgeCases']
const inTitles: ReadonlySet<string> = new Set(['who', 'act', 'polarity'])

const yearIn = (text: string): string | null => /\b20\d\d\b/.exec(text)?.[0] ?? null

/** Every item is the same; the titles are quoted where a quotation is required, and their years. */
export const allSame = ({ pair: { first, second } }: ReceivedRequest): Answered =>
  Object.fromEntries(
    fields.map((field): [string, AnsweredItem] => {
      const verdict = 'same'
      if (inTitles.has(field))
        return [field, { first: first.title, second: second.title, reason: 'Both titles state it.', verdict }]
      const isDate = field === 'date'
      const quoted = { first: isDate ? yearIn(first.title) : null, second: isDate ? yearIn(second.title) : null }
      return [field, { ...quoted, reason: 'Neither contradicts the other.', verdict }]
    }),
  )

/** Unlike `allSame`, it notices that the control is about something else. */
export function sensible(request: ReceivedRequest): Answered {
  const answer = allSame(request)
  const { first, second } = request.pair
  const isControl = [first, second].some(({ title }) => title.includes('Danube'))
  return isControl ? { ...answer, act: { ...answer.act!, verdict: 'different' } } : answer
}

export const completion = (content: unknown, finish_reason = 'stop'): unknown => ({
  id: 'c',
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      finish_reason,
      message: { role: 'assistant', content: typeof content === 'string' ? content : JSON.stringify(content) },
    },
  ],
})

export type AnswerRequest = (request: ReceivedRequest, response: ServerResponse) => void

export const answers =
  (answer: (request: ReceivedRequest) => unknown): AnswerRequest =>
  (request, response) =>
    response.end(JSON.stringify(completion(answer(request))))

export interface JudgeEndpoint {
  url: string
  requests: ReceivedRequest[]
  answer: AnswerRequest
  close(): void
}

export async function startEndpoint(): Promise<JudgeEndpoint> {
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as ReceivedRequest['body']
      const user = body.messages.find(({ role }) => role === 'user')!
      const request = { headers: incoming.headers, body, pair: JSON.parse(user.content) as ReceivedRequest['pair'] }
      here.requests.push(request)
      here.answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const here: JudgeEndpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    answer: answers(sensible),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return here
}

export const judgeKey = 'sk-test-1234567890'

export interface TestJudgeOptions {
  model?: string
  dailyBudget?: number
  timeoutMs?: number
}

/** The real client and store. */
export function openTestJudge(
  pool: Pool,
  url: string,
  { model = 'm-1', dailyBudget = 10_000, timeoutMs = 5_000 }: TestJudgeOptions = {},
): { judge: Judge; close(): Promise<void> } {
  const sender = createHttpSender()
  const complete = createJudgeClient({
    url,
    model,
    key: new Secret(judgeKey),
    sender,
    budgets: new VenueBudgets('judge', { perSecond: 10_000, restSeconds: 1 }),
    clock: systemClock,
    timeoutMs,
    backoff: { baseMs: 1, capMs: 1 },
  })
  return {
    judge: createJudge({ complete, store: createPostgresJudgeStore(pool), model, dailyBudget }),
    close: () => sender.close(),
  }
}

export interface PairTexts {
  a?: Partial<JudgeMarket>
  b?: Partial<JudgeMarket>
  /** Of the two patterns; each test has its own. */
  role: string
}

/** Two markets on one appointment. */
export function requestOf({ a = {}, b = {}, role }: PairTexts): JudgeRequest {
  const [first, second] = [`Will {person} be the next ${role}?`, `{person} announced as next ${role}?`]
  const market = (key: string, title: string): JudgeMarket => ({
    key,
    title,
    subtitle: null,
    eventTitle: null,
    rules: 'Resolves to Yes once the appointment is announced by the office.',
    closeTime: '2027-06-30T00:00:00.000Z',
  })
  const person = 'Maria Keller'
  return {
    pair: {
      key: templateKey({ a: first, b: second }),
      a: first,
      b: second,
      slots: [{ placeholder: '{person}', kind: 'person', a: person, b: person }],
      turned: false,
    },
    a: { ...market('kalshi:KX-1', first.replace('{person}', person)), ...a },
    b: { ...market('polymarket:1', second.replace('{person}', person)), ...b },
  }
}
