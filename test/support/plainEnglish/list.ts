// Lists where names and sentences use words of the private vocabulary: `node test/support/plainEnglish/list.ts names src/history` (or prose).
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { sourceWords } from './sourceWords.ts'
import { avoidedInNames, avoidedInProse } from './words.ts'

const [kind = 'names', ...folders] = process.argv.slice(2)
const files = execFileSync('git', ['ls-files', '--cached', '--', ...folders], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('/generated/'))
let all = 0
let found = 0
for (const file of files) {
  const words = sourceWords(file, readFileSync(file, 'utf8'))[kind === 'prose' ? 'prose' : 'names']
  all += words.length
  const avoided = kind === 'prose' ? avoidedInProse : avoidedInNames
  for (const { word, text, line } of words) {
    if (!avoided.has(word)) continue
    found += 1
    if (folders.length > 0) console.info(`${file}:${line} ${word}: ${text.replace(/\s+/g, ' ').slice(0, 200)}`)
  }
}
console.info(`${found} of ${all} words, ${((found / all) * 1_000).toFixed(2)} of 1,000`)
