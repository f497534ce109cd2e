import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqliteDrivers } from '../../src/store/sqlite.ts'
import { noHnsw } from '../support/vector-kinds.ts'
import { longtake } from './longtake.ts'
import { renderTownStart } from './town-video.ts'

const root = join(import.meta.dirname, '../..')
const note = 'each vector is looked at, as the package hnswlib-node is not installed'
const ownSqlite = !sqliteDrivers['node:sqlite'].missing()
let folder: string
let home: string
let video: string

// The program as an install has it where the packages that must be compiled were left out.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'longtake-no-compiler-'))
  home = join(folder, 'home')
  video = join(folder, 'town.mp4')
  await renderTownStart(video)
  await longtake(['--version'], { home }) // builds dist/ where it is old
  const packages = join(folder, 'install/node_modules')
  mkdirSync(packages, { recursive: true })
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(join(root, name), join(folder, 'install', name), { recursive: true })
  const without = ownSqlite ? ['hnswlib-node', 'better-sqlite3'] : ['hnswlib-node']
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!without.includes(name)) symlinkSync(join(root, 'node_modules', name), join(packages, name))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const installed = (...words: string[]) => longtake(words, { home, bin: join(folder, 'install/bin/longtake.mjs') })

test('without compiled packages a video is indexed and asked about; the way vectors are searched is said once; nothing is swapped', async () => {
  const indexed = await installed('index', video)
  expect(indexed.code, indexed.err).toBe(0)
  expect(indexed.err.split(note)).toHaveLength(2)
  expect(indexed.err).not.toContain('Warning')
  const asked = await installed('ask', video, 'What is the room number?', '--json')
  expect(asked.code, asked.err).toBe(0)
  expect(JSON.parse(asked.out).answer.text).toContain('204')
  expect(asked.err).not.toContain(note)
  const refused = await installed('ask', video, 'What is the room number?', '--set', 'index.vectors=hnsw')
  expect(refused.code).toBe(4)
  expect(refused.err).toContain('index.vectors is "hnsw", and the package hnswlib-node is not installed.')
  expect(refused.err).toContain('npm install hnswlib-node')
  expect((await installed('config', 'show', '--origin')).out).toMatch(
    /index\.vectors +exact +hnswlib-node is not installed/,
  )
})

test('doctor says what each package would add, and is content without', async () => {
  const { packages } = JSON.parse((await installed('doctor', '--quick', '--json')).out)
  const sqlite = ownSqlite
    ? { state: 'left out', detail: expect.stringMatching(/^would add nothing here: Node has SQLite/) }
    : { state: 'ready', detail: expect.stringMatching(/^brings SQLite: Node .* has no SQLite with full-text search$/) }
  expect(packages).toEqual([
    { name: 'better-sqlite3', ...sqlite },
    { name: 'hnswlib-node', state: 'left out', detail: expect.stringContaining('npm install hnswlib-node') },
  ])
})

test.skipIf(noHnsw)(
  `an index that was made with HNSW is gone on with where there is none, and the other way round${noHnsw ? ` (skipped: ${noHnsw})` : ''}`,
  async () => {
    const made = ({ err }: { err: string }) => err.match(/^[\w-]+: done/gm)
    for (const name of readdirSync(join(home, 'library')))
      rmSync(join(home, 'library', name, 'stages/nearest'), { recursive: true, force: true })
    expect(made(await longtake(['index', '-v', video], { home }))).toEqual(['vector-index: done'])
    const here = await installed('index', '-v', video)
    expect(made(here)).toEqual(['vector-index: done'])
    expect(here.err).toContain(note)
    expect(made(await longtake(['index', '-v', video], { home }))).toBeNull()
  },
)
