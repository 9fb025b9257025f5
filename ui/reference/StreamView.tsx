// The stream's document: messages from the client, and frames from the server.
import { type Message, resolve, type StreamDocument } from './documents.ts'
import { Prose } from './Prose.tsx'
import { SchemaView } from './SchemaView.tsx'

export function StreamView({ document }: { document: StreamDocument }) {
  const { channels, operations, info } = document
  return (
    <>
      <h1>Stream</h1>
      <p>
        <Prose of={info.description} />
      </p>
      {Object.values(channels).map(({ address }) => (
        <p key={address}>
          <code>{address}</code>
        </p>
      ))}
      {Object.entries(operations).map(([name, { action, summary, messages = [] }]) => (
        <section key={name} aria-label={action === 'receive' ? 'Messages from the client' : 'Frames from the server'}>
          <h2>{action === 'receive' ? 'Messages from the client' : 'Frames from the server'}</h2>
          {summary !== undefined && (
            <p>
              <Prose of={summary} />
            </p>
          )}
          {messages.map((reference) => (
            <Frame key={reference.$ref} document={document} message={resolve<Message>(document, reference)} />
          ))}
        </section>
      ))}
    </>
  )
}

function Frame({ document, message }: { document: StreamDocument; message: Message | null }) {
  if (message === null) return null
  return (
    <section class="card operation" aria-label={message.name}>
      <h3>{message.name}</h3>
      {message.summary !== undefined && (
        <p>
          <Prose of={message.summary} />
        </p>
      )}
      {message.payload !== undefined && <SchemaView document={document} schema={message.payload} />}
    </section>
  )
}
