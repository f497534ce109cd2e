import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { patchedSources } from '../support/patched-sources.ts'

test('a new track, role and setting are the files that CONTRIBUTING names', async () => {
  const { folder, files } = await patchedSources(['own-track.patch', 'own-role.patch', 'own-setting.patch'])
  expect(files.filter(file => !file.startsWith('models/mood/'))).toHaveLength(4 + 3 + 2)
  await writeFile(join(folder, 'check.ts'), check)
  const page = 'apps/serve/page/lanes/lane-list.ts'
  const config = { extends: './tsconfig.json', include: [], files: ['check.ts', page] }
  await writeFile(join(folder, 'tsconfig.check.json'), JSON.stringify(config))
  const bin = join(folder, 'node_modules/.bin')
  expect(await run(join(bin, 'tsc'), ['-p', 'tsconfig.check.json'], folder)).toBe('')
  expect(JSON.parse(await run(join(bin, 'tsx'), ['check.ts'], folder))).toEqual({
    hits: ['giggles'],
    found: [expect.stringMatching(/laughter: giggles/)],
    read: [expect.stringMatching(/laughter: giggles/)],
    stages: ['sounds', 'laughter'],
    moods: ['calm'],
    key: { soundSeconds: 2 },
  })
  await rm(folder, { recursive: true })
})

// What uses the new track, role and setting as the runtime does.
const check = `
import { resolveConfig } from './src/config/resolve.ts'
import { stamp } from './src/core/evidence.ts'
import { buildTextIndex, openTextIndex } from './src/search/text-index.ts'
import { callOperation } from './src/runtime/operations/index.ts'
import { Models } from './src/runtime/models/models.ts'
import { loadStages } from './tools/stages/index.ts'

const row = (track: 'laughter' | 'sound') =>
  stamp({ span: { start: 1, end: 2 }, track, text: track === 'sound' ? 'giggles in the rain' : 'giggles' }, 'v', 'x/y')
const rows = [row('laughter'), row('sound')]
await buildTextIndex('text.sqlite', rows)
const index = await openTextIndex('text.sqlite')
const found = index.search('giggles', { limit: 5, tracks: ['laughter'] })
const hits = found.map(hit => rows.find(({ id }) => id === hit.id)?.text)
index.close()
const hit = { evidence: rows[0], score: 1, lists: ['words'], terms: ['giggles'], coverage: 1 }
const opened = { coverage: { duration: 9 }, shots: [], evidence: () => rows.slice(0, 1), search: async () => [hit] }
const video = { id: 'v', name: 'a.mp4', path: '/a.mp4', duration: 9 }
const memory = { videos: async () => [video], open: async (_: object, work: Function) => work(opened) } as never
const { lines: foundLines } = await callOperation('find', { words: 'giggles', tracks: ['laughter'] }, memory)
const { lines: readLines } = await callOperation('read', { tracks: ['laughter'] }, memory)
const set = ['models.mood.backend=brightness', 'index.soundSeconds=2']
const { settings } = await resolveConfig({ cwd: '.', environment: {}, search: false, flags: { set } })
const host = { folder: 'models', environment: {}, signal: new AbortController().signal, say() {} }
const models = new Models(settings.models, host)
const { service } = await models.open('mood')
const moods = await service.read([{ time: 0, width: 1, height: 1, rgb: new Uint8Array(3) }], host.signal)
const stages = await loadStages()
const sounds = stages.find(({ name }) => name === 'sounds')
const key = sounds?.settings?.({ settings: settings.index } as never)
const names = stages.map(({ name }) => name).filter(name => name === 'sounds' || name === 'laughter')
console.log(JSON.stringify({ hits, found: foundLines, read: readLines, stages: names, moods, key }))
await models.close()
`

function run(program: string, args: string[], cwd: string): Promise<string> {
  return new Promise(resolve => execFile(program, args, { cwd }, (_, stdout, stderr) => resolve(stdout + stderr)))
}
