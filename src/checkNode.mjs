// The first module of every program here. Plain JavaScript without imports, so that any Node can read it: under another version than 22 the modules behind
// it fail to load, with errors that do not say what to do.
const { node } = process.versions
const [major = 0, minor = 0] = node.split('.').map(Number)

// Node 22 reads TypeScript since 22.18; the native WebSocket library has no build for a newer major version.
if (major !== 22 || minor < 18) {
  process.stderr.write(
    `Crossbook was started with Node ${node}, and runs on Node 22 (22.18 or newer).\n` +
      'After `npm ci`, use `npm start`, `npm run demo` or `npx crossbook`, which bring Node 22; or install Node 22.\n',
  )
  process.exit(1)
}
