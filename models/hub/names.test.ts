import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { linkModelFile, removeModelFiles, writeRef } from '../../src/store/models/model-files.ts'
import { repositoryFolder } from './cache.ts'
import { hubModel, ModelFolder } from './hub-model.ts'
import { readCommit } from './model-folder.ts'

const commit = 'a'.repeat(40)
let root: string
let repository: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'longtake-names-'))
  repository = join(root, 'hub', 'models--org--name')
  await mkdir(repository, { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

const settings = { model: 'org/name', revision: 'main', precision: 'fp32' as const }
const noFiles = { files: [], parts: [] }

describe('a name from the settings or the hub is no path out of the cache', () => {
  test.each([
    '../../../../OWNEDREF',
    '..',
    '.',
    '',
    '/etc/passwd',
    'a//b',
    'a/../b',
    'refs/../../x',
    '.hidden',
    '-x',
    'a\\..\\b',
    'a:b',
    'a b',
    'x\0y',
    'x\ny',
    'main/',
    'x.lock',
    'a..b',
    '@',
    'a@{1}',
    'a?b',
    'x'.repeat(300),
  ])('revision %j', async revision => {
    await writeFile(join(root, 'OWNEDREF'), commit)
    await expect(readCommit(repository, revision)).rejects.toThrow(/is not a revision/)
    await expect(writeRef(repository, revision, commit)).rejects.toThrow(/is not a revision/)
    expect(() => hubModel({ ...settings, revision }, {}, noFiles)).toThrow(/is not a revision/)
    expect((await readdir(root)).sort()).toEqual(['OWNEDREF', 'hub'])
  })

  test.each(['main', 'v1.0', 'refs/pr/3', 'feature/x-1', 'v1.0+cu12', 'release@2', commit])(
    'revision %j is one',
    async revision => {
      expect(hubModel({ ...settings, revision }, {}, noFiles).revision).toBe(revision)
      await writeRef(repository, revision, commit)
      expect(await readCommit(repository, revision)).toBe(commit)
    },
  )

  test.each([
    '../x',
    'a/b/c',
    'a/..',
    './x',
    'a--b/c',
    'a/b:c',
    'a\\b/c',
    'https://x/y',
    'a/b\n',
    `${'x'.repeat(120)}/y`,
  ])('repository %j', model => {
    expect(() => hubModel({ ...settings, model }, {}, noFiles)).toThrow(/is not the name of a model/)
    expect(() => repositoryFolder(root, model)).toThrow(/is not the name of a model/)
  })

  test.each(['../config.json', '/etc/passwd', 'a/../../b', 'C:\\x', 'a\0b', 'onnx//x', '.'])('file %j', async path => {
    expect(() => new ModelFolder(root).file(path)).toThrow(/is not the name of a file/)
    await expect(linkModelFile(repository, commit, path, join(repository, 'blobs', 'x'))).rejects.toThrow(
      /not the name of a file/,
    )
    await expect(removeModelFiles(repository, commit, [path])).rejects.toThrow(/not the name of a file/)
  })

  test.each(['..', '../../x', 'main', 'A'.repeat(40), 'a'.repeat(41)])('commit %j', async wrong => {
    await expect(linkModelFile(repository, wrong, 'config.json', 'x')).rejects.toThrow(/is not a commit/)
    await expect(removeModelFiles(repository, wrong, ['config.json'])).rejects.toThrow(/is not a commit/)
    await mkdir(join(repository, 'refs'))
    await writeFile(join(repository, 'refs', 'main'), wrong)
    expect(await readCommit(repository, 'main')).toBeUndefined()
  })
})

describe('a hostile JSON file of a model folder is a named fault', () => {
  const read = async (text: string | Buffer) => {
    await writeFile(join(root, 'config.json'), text)
    return new ModelFolder(root).json('config.json', z.looseObject({ size: z.number() }))
  }
  test.each([
    ['that is deep', `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`],
    ['that is deep in a field', `{"size":1,"more":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
    ['that is empty', ''],
    ['that holds another number', '{"size":1e999}'],
    ['that is huge', Buffer.alloc(65 * 1024 * 1024, 0x20)],
  ])('%s', async (_, text) => {
    await expect(read(text)).rejects.toThrow(/config\.json cannot be read: /)
  })

  test('that names a prototype changes nothing', async () => {
    await read('{"size":1,"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
