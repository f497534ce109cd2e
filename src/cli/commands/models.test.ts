import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HubServer, startHubServer } from '../../../tests/servers/hub-server.ts'
import { type CommandLine, commandLine } from '../../../tests/support/command-line.ts'

const files = Object.fromEntries(
  [
    'config.json',
    'preprocessor_config.json',
    'tokenizer.json',
    'tokenizer_config.json',
    'onnx/vision_model.onnx',
    'onnx/text_model.onnx',
  ].map((name, i) => [name, Buffer.alloc(1000 * (i + 1), name)]),
)
const set = ['--profile', 'embedded', '--set', 'models.embedImage={"backend":"siglip","model":"someone/tiny"}']

let server: HubServer
let line: CommandLine
beforeAll(async () => {
  server = await startHubServer('someone/tiny', files)
  line = commandLine({}, { HF_HOME: mkdtempSync(join(tmpdir(), 'hf-')), HF_ENDPOINT: server.url })
})
afterAll(() => server.close())

test('a profile without models says so', async () => {
  expect((await line.run('models', 'list', 'embedded')).stdout).toBe('The profile embedded needs no models.\n')
})

test('list, pull, verify, path and rm go together', async () => {
  const missing = await line.run('models', 'list', ...set)
  expect(missing.stdout).toMatch(/someone\/tiny +hub +missing +embedImage/)
  expect(missing.stdout).toContain('longtake models pull embedded')

  const dry = await line.run('models', 'pull', '--dry-run', ...set)
  expect(dry.stdout).toMatch(/someone\/tiny +21\.0 kB of 21\.0 kB +embedImage\n21\.0 kB to fetch/)
  expect((await line.run('models', 'list', ...set)).stdout).toContain('missing')

  const pulled = await line.run('models', 'pull', ...set)
  expect([pulled.code, pulled.stdout]).toEqual([0, 'The model is here.\n'])
  expect(pulled.stderr).toContain('onnx/vision_model.onnx: 5.0 kB of 5.0 kB')
  const listed = JSON.parse((await line.run('models', 'list', '--json', ...set)).stdout)
  expect(listed).toMatchObject({ schemaVersion: 1, models: [{ name: 'someone/tiny', state: 'ready', bytes: 21_000 }] })

  const verified = await line.run('models', 'verify', ...set)
  expect([verified.code, verified.stdout]).toEqual([0, '6 files, 21.0 kB: none is damaged or missing.\n'])
  expect((await line.run('models', 'path', 'embedImage', ...set)).stdout).toMatch(/snapshots.c0ffee/)

  const removed = await line.run('models', 'rm', 'someone/tiny', ...set)
  expect(removed.stdout).toContain('21.0 kB freed')
  const again = await line.run('models', 'verify', ...set)
  expect([again.code, again.stdout.split('\n')[0]]).toEqual([7, '6 files, 0 B: 6 are damaged or missing.'])
})

test('a name that is none is an error with those that are, and rm without a name removes nothing', async () => {
  const unknown = await line.run('models', 'pull', 'embedImgae', ...set)
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('Did you mean "embedImage"?')
  expect((await line.run('models', 'rm', ...set)).code).toBe(2)
})
