import { type Content, curlOf, type Document, type Listed, type Parameter, type Reply, resolve } from './documents.ts'
import { Prose } from './Prose.tsx'
import { SchemaView } from './SchemaView.tsx'
import { constraintText, typeText } from './schemaText.ts'

export function OperationView({ document, listed }: { document: Document; listed: Listed }) {
  const { id, method, path, operation } = listed
  const parameters = (operation.parameters ?? []).flatMap((each) => resolve<Parameter>(document, each) ?? [])
  return (
    <section class="card operation" aria-labelledby={`name-${id}`} id={`operation-${id}`}>
      <h2 id={`name-${id}`} tabIndex={-1}>
        <span class={`badge method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
      </h2>
      <p>
        <Prose of={operation.summary} />
      </p>
      {operation.description !== undefined && (
        <p>
          <Prose of={operation.description} />
        </p>
      )}
      <p class="quiet">{rightsOf(listed)}</p>
      {method !== 'EVENT' && <Sample text={curlOf(listed, parameters, location.origin)} />}
      {parameters.length > 0 && <Parameters document={document} parameters={parameters} of={id} />}
      {operation.requestBody !== undefined && (
        <>
          <h3>{method === 'EVENT' ? 'Payload' : 'Body'}</h3>
          <Contents document={document} content={operation.requestBody.content ?? {}} />
        </>
      )}
      <h3>Answers</h3>
      {Object.entries(operation.responses ?? {}).map(([status, reply]) => (
        <Answer key={status} document={document} status={status} reply={resolve<Reply>(document, reply)} />
      ))}
    </section>
  )
}

function rightsOf({ id, method, operation }: Listed): string {
  if (method === 'EVENT') return 'Sent to the webhook endpoints that are registered for it.'
  if (operation.security?.length === 0) return `${id}: needs no key.`
  const {
    'x-scope': scope,
    'x-plan-feature': feature,
    'x-credits': credits,
    'x-rows-per-credit': rowsPerCredit,
  } = operation
  const parts = [
    scope === undefined ? 'a key' : `a key with the scope ${scope}`,
    ...(feature === undefined ? [] : [`a plan that includes ${feature}`]),
  ]
  const price = credits === undefined ? '' : `; ${credits} ${credits === 1 ? 'credit' : 'credits'} a call`
  const byRows = rowsPerCredit === undefined ? '' : `, or one for every ${rowsPerCredit} rows if that is more`
  return `${id}: needs ${parts.join(' and ')}${price}${byRows}.`
}

const Sample = ({ text }: { text: string }) => (
  <pre tabIndex={0} role="region" aria-label="As a shell command">
    <code>{text}</code>
  </pre>
)

function Parameters({
  document,
  parameters,
  of,
}: {
  document: Document
  parameters: readonly Parameter[]
  of: string
}) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`Parameters of ${of}`}>
      <table class="parameters">
        <thead>
          <tr>
            <th scope="col">Parameter</th>
            <th scope="col" class="wide-only">
              In
            </th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {parameters.map(({ name, in: place, required, description, schema = {}, example }) => (
            <tr key={`${place} ${name}`}>
              <th scope="row">
                <code>{name}</code> {required === true && <small>needed</small>}
              </th>
              <td class="wide-only">{place}</td>
              <td>
                <code>{typeText(document, schema)}</code> <small>{constraintText(schema)}</small>
              </td>
              <td>
                <Prose of={description} /> {example !== undefined && <small>for example {String(example)}</small>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Answer({ document, status, reply }: { document: Document; status: string; reply: Reply | null }) {
  if (reply === null) return null
  return (
    <details class="answer">
      <summary>
        <b class={/^2/.test(status) ? 'good' : ''}>{status === 'default' ? 'any other' : status}</b>{' '}
        <Prose of={reply.description} />
      </summary>
      <Contents document={document} content={reply.content ?? {}} />
    </details>
  )
}

function Contents({ document, content }: { document: Document; content: Readonly<Record<string, Content>> }) {
  return (
    <>
      {Object.entries(content).map(([type, { schema, example, examples }]) => {
        const shown = example ?? Object.values(examples ?? {})[0]?.value
        return (
          <div key={type}>
            <p class="quiet">{type}</p>
            {schema !== undefined && <SchemaView document={document} schema={schema} />}
            {shown !== undefined && (
              <pre tabIndex={0} role="region" aria-label={`Example, ${type}`}>
                <code>{typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2)}</code>
              </pre>
            )}
          </div>
        )
      })}
    </>
  )
}
