import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundledScript } from '../../../tests/support/bundled-script.ts'
import { listRuns, readRunRecord, resumeRun } from './run-folder.ts'

// Starts a run and kills itself before its nth operation on the disk.
const child = `
  import fs from 'node:fs/promises'
  import { syncBuiltinESMExports } from 'node:module'
  let left = Number(process.argv[3])
  for (const name of ['open', 'rename', 'mkdir']) {
    const real = fs[name]
    fs[name] = (...input) => {
      if (--left === 0) process.kill(process.pid, 'SIGKILL')
      return real(...input)
    }
  }
  syncBuiltinESMExports()
  const { makeRunFolder } = await import(${JSON.stringify(new URL('./run-folder.ts', import.meta.url).href)})
  await makeRunFolder(process.argv[2], {
    name: 'ask', config: { profile: 'embedded' }, environment: { question: { text: 'x' } }, secrets: [],
    more: { 'matrix.json': { rows: 1 } },
  })
  process.stdout.write('over')
`

const script = await bundledScript(child)

test('a run that was killed while it began can be resumed, or there is none', async () => {
  let killed = 0
  for (let n = 1; ; n++) {
    const home = await mkdtemp(join(tmpdir(), 'longtake-start-'))
    const { stdout, signal } = spawnSync(process.execPath, [script, home, String(n)], { encoding: 'utf8' })
    for (const { id, folder } of await listRuns(home)) {
      expect(await readRunRecord(home, id), `killed at ${n}`).toMatchObject({ config: { profile: 'embedded' } })
      expect(await readdir(folder)).toEqual(expect.arrayContaining(['config.json', 'environment.json', 'matrix.json']))
      await resumeRun(home, id, [])
    }
    if (stdout === 'over') break
    expect(signal).toBe('SIGKILL')
    killed++
  }
  expect(killed).toBeGreaterThan(5)
})
