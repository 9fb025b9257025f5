import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('the installed uWebSockets.js binaries are those recorded in ops/uwebsockets.sha256', () => {
  const folder = join(dirname(fileURLToPath(import.meta.resolve('uWebSockets.js'))), 'bin')
  const installed = readdirSync(folder).map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}`,
  )
  const recorded = readFileSync('ops/uwebsockets.sha256', 'utf8').trim().split('\n')
  expect(installed.length).toBeGreaterThan(10)
  expect(installed.toSorted()).toEqual(recorded.toSorted())
})

it('images of the Dockerfile and docker-compose.yml name an exact version', () => {
  const text = readFileSync('Dockerfile', 'utf8') + readFileSync('docker-compose.yml', 'utf8')
  const images = [...text.matchAll(/^ *(?:FROM|image:) +(\S+)/gm)]
    .map(([, image]) => image!)
    // Built here.
    .filter((image) => image !== 'crossbook:local')
  expect(images.length).toBeGreaterThan(5)
  for (const image of images) expect(image).toMatch(/:v?\d+\.\d+[\w.-]*(@sha256:[0-9a-f]{64})?$/)
  expect(images.filter((image) => !image.includes('@sha256:')).map((image) => image.split(':')[0])).toEqual([
    'postgres',
    'clickhouse/clickhouse-server',
  ])
})
