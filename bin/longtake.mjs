#!/usr/bin/env node
// Starts longtake. In a checkout it first compiles what has changed since the last time.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// New objects get a small space that does not grow: 20 MB less while a video is decoded, for 1 % of processor time (docs/performance.md).
// A server decodes in processes of their own, and answers for a seventh less with a space that grows.
// A command that ends soon compiles less of what it runs: a fifth less processor time of an `ask` on Node 20.
if (!process.argv.includes('serve')) {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--interrupt-budget=300000')
}
setFlagsFromString('--expose-gc')
globalThis.gc = () => {
  globalThis.gc = runInNewContext('gc') // the flag counts for contexts that begin after it
  globalThis.gc()
}

// Files of tools find our packages. What changes V8 or Node's resolver stands here: as a library longtake leaves them alone.
globalThis[Symbol.for('longtake.lendPackages')] = async () => (await import('./lend-packages.mjs')).lendPackages()

const sources = new URL('../src/', import.meta.url)
if (existsSync(sources)) {
  // Our tests name the build that they made: looking through the sources again would cost each of a thousand commands 40 ms.
  if (process.env.LONGTAKE_BUILD !== fileURLToPath(new URL('../dist', import.meta.url))) {
    const { compileIfStale } = await import('./compile.mjs')
    await compileIfStale()
  }
} else {
  // Not in a checkout: every build would leave its own code there.
  const { useCompileCache } = await import('../dist/compile-cache.js').catch(stopWhereFilesRunOut)
  useCompileCache(process.env)
}
const { main } = await import('../dist/main.js').catch(stopWhereFilesRunOut)
await main(process.argv.slice(2))

// Loading opens many files at once; before they are loaded nothing else can report that it failed.
function stopWhereFilesRunOut(error) {
  if (error?.code !== 'EMFILE' && error?.code !== 'ENFILE') throw error
  process.stderr.write(
    `error: Too many files are open (${error.message}).\nhint: Raise the limit, as "ulimit -n 1024".\n`,
  )
  process.exit(7)
}
