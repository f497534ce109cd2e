import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveConfig } from '../resolve.ts'

// Two folders: where the user keeps settings, and one of somebody else's videos, in which they work. Both have files of the same names.
let folder: string
let theirs: string
let own: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'longtake-rooted-'))
  for (const name of ['mine', 'theirs']) {
    mkdirSync(join(folder, name, 'node_modules', 'my-model'), { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, name, 'node_modules', 'my-model', 'index.js'), '')
  }
  theirs = join(folder, 'theirs')
  own = join(folder, 'mine', 'longtake.config.json')
  const settings = {
    models: {
      planner: { backend: 'langchain', module: './model.mjs' },
      writer: { backend: 'langchain', module: 'my-model' },
      verifier: { backend: 'langchain', module: 'not-installed-there' },
      readText: { backend: 'vlm', chat: { backend: 'langchain', module: '../model.mjs' } },
    },
    tools: {
      files: ['tool.mjs'],
      servers: { notes: { command: './server', folder: 'data' }, other: { command: 'npx', args: ['x'] } },
    },
  }
  writeFileSync(own, JSON.stringify(settings), { mode: 0o600 })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('code that a settings file names by a relative path or as a package lies beside that file, not in the working folder', async () => {
  const { settings } = await resolveConfig({ cwd: theirs, environment: {}, own: [own] })
  expect(settings.models.planner.module).toBe(join(folder, 'mine', 'model.mjs'))
  expect(settings.models.writer.module).toBe(join(folder, 'mine', 'node_modules', 'my-model', 'index.js'))
  expect(settings.models.readText.chat).toMatchObject({ module: join(folder, 'model.mjs') })
  expect(settings.tools.files).toEqual([join(folder, 'mine', 'tool.mjs')])
  expect(settings.tools.servers).toMatchObject({
    notes: { command: join(folder, 'mine', 'server'), folder: join(folder, 'mine', 'data') },
    other: { command: 'npx', folder: join(folder, 'mine') },
  })
})

test('a package that is not installed there is one beside longtake, never one of the working folder', async () => {
  mkdirSync(join(theirs, 'node_modules', 'not-installed-there'), { recursive: true })
  writeFileSync(join(theirs, 'node_modules', 'not-installed-there', 'index.js'), '')
  const { settings } = await resolveConfig({ cwd: theirs, environment: {}, own: [own] })
  expect(settings.models.verifier.module).toBe('not-installed-there')
})

test('what a flag names lies in the working folder, and a part of a setting moves no other', async () => {
  const set = ['models.planner.module=./typed.mjs', 'tools.servers.notes.seconds=5', 'models.writer.module=node:fs']
  const { settings } = await resolveConfig({ cwd: theirs, environment: {}, own: [own], flags: { set } })
  expect(settings.models.planner.module).toBe(join(theirs, 'typed.mjs'))
  expect(settings.models.writer.module).toBe('node:fs')
  expect(settings.tools.servers.notes).toMatchObject({ seconds: 5, folder: join(folder, 'mine', 'data') })
})
