// docker-compose.yml as an engine reads it: anchors and merges resolved, ${…} replaced from an environment.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { z } from 'zod'

const Service = z.looseObject({
  image: z.string().optional(),
  build: z.string().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  depends_on: z.union([z.array(z.string()), z.record(z.string(), z.object({ condition: z.string() }))]).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  pull_policy: z.string().optional(),
  deploy: z.object({
    replicas: z.number().default(1),
    resources: z.object({ limits: z.object({ memory: z.string() }) }),
  }),
})
export type Service = z.infer<typeof Service>

const Compose = z.looseObject({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.unknown()).default({}),
})
export type Compose = z.infer<typeof Compose>

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))
export const readProject = (path: string): string => readFileSync(`${projectRoot}${path}`, 'utf8')

/** `$$` is a dollar sign; a missing required variable is an error, as in an engine. */
export const interpolated = (text: string, environment: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$(?:\$|\{([A-Z_]+)(?::\?([^}]*))?\})/g, (whole, name?: string, complaint?: string) => {
    if (name === undefined) return '$'
    const value = environment[name]
    if (value !== undefined && value !== '') return value
    throw new Error(`${name}: ${complaint ?? `${whole} is not set`}`)
  })

export function readCompose(environment: Readonly<Record<string, string>>): Compose {
  const written: unknown = parse(readProject('docker-compose.yml'), { merge: true })
  return Compose.parse(
    JSON.parse(JSON.stringify(written), (_, value: unknown) => {
      return typeof value === 'string' ? interpolated(value, environment) : value
    }),
  )
}

/** Names in `.env.example`. */
export const exampleNames = (): string[] =>
  [...readProject('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name!)

/** Values of the image for what a service does not set. */
export function imageCommand(): string[] {
  const written = /^CMD (\[.*\])$/m.exec(readProject('Dockerfile'))?.[1]
  return z.array(z.string()).parse(JSON.parse(written ?? 'null'))
}

/** Folders and files of the project that the image contains. */
export const imageSources = (): string[] =>
  [...readProject('Dockerfile').matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, from]) => from!.split(' '))
