// The pages as they stand in the repository, put where the site's own packages are found.
import { cpSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const staged = fileURLToPath(new URL('.pages', import.meta.url))
const pages = ['*.md', 'docs/*.md', 'docs/decisions/*.md', 'docs/images/*', 'sdk/*/README.md', 'src/**/README.md']

rmSync(staged, { recursive: true, force: true })
for (const path of globSync(pages, { cwd: root })) cpSync(join(root, path), join(staged, path))
cpSync(join(root, 'docs/llms.txt'), join(staged, 'public/llms.txt'))
