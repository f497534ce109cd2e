import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolveConfig } from '../../src/config/resolve.ts'
import type { AskReport } from '../../src/core/runtime.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'
import { startOpenaiServer } from '../servers/openai-server.ts'
import { renderTown } from './town-video.ts'

// A key that must never reach a file of the data folder.
const canary = 'sk-canary-7f3e91d2c4b5'
const question = { text: 'How much do adults pay?' }
let folder: string
let home: string
let video: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-replay-'))
  home = join(folder, 'home')
  video = join(folder, 'town.mp4')
  await renderTown(video)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function runtime(set: string[] = []) {
  const config = await resolveConfig({
    cwd: folder,
    environment: {},
    flags: { set: ['profile=embedded', 'index.level=quick', 'index.tracks.speech=false', ...set] },
  })
  return createRuntime({ config, home, environment: { TEST_API_KEY: canary } })
}

function filesBelow(path: string): string[] {
  return readdirSync(path).flatMap(name => {
    const below = join(path, name)
    return statSync(below).isDirectory() ? filesBelow(below) : [below]
  })
}

describe('a recorded run', () => {
  test('comes again to the byte without its server; no key is in any file', async () => {
    const server = await startOpenaiServer({ key: canary })
    const say = [
      {
        calls: [
          { name: 'search', arguments: { query: 'adults' } },
          { name: 'look', arguments: { times: [11] } },
        ],
      },
      'The slide shows 12 pounds for adults.',
      'READY',
      'Adults pay 12.',
      '{"verdict":"supported","reason":"the slide"}',
    ]
    const chat = (role: string) => [
      `models.${role}.backend=openai`,
      `models.${role}.url=${server.url}`,
      `models.${role}.model=test-model`,
      `models.${role}.apiKeyEnv=TEST_API_KEY`,
      `models.${role}.limits.attempts=1`,
    ]
    const set = ['planner', 'vision'].flatMap(chat)
    const recording = await runtime(set)
    server.script.say(...say)
    const report = await recording.questions.ask(video, question)
    await recording.close()
    await server.close()
    const asked = server.seen.length
    expect(asked).toBeGreaterThan(1)
    const calls = readdirSync(join(report.run, 'calls')).filter(name => name.endsWith('.json'))
    const kept = calls.map(name => JSON.parse(readFileSync(join(report.run, 'calls', name), 'utf8')))
    expect(new Set(kept.map(call => call.kind))).toEqual(new Set(['chat', 'tool']))
    for (const call of kept) expect(call).toMatchObject({ key: expect.any(String), seconds: expect.any(Number) })

    const replaying = await runtime(set)
    const { report: again, same } = await replaying.questions.replay(report.run)
    await replaying.close()
    expect(same).toBe(true)
    expect(JSON.stringify(again)).toBe(JSON.stringify(JSON.parse(JSON.stringify(report))))

    for (const file of filesBelow(home)) expect(readFileSync(file).includes(canary), file).toBe(false)
  })

  test('comes again without the tool server that it used, and without starting it', async () => {
    const server = await startOpenaiServer({ key: canary })
    const started = join(folder, 'started')
    const program = join(folder, 'notes.mjs')
    const mcp = join(import.meta.dirname, '..', 'tools', 'mcp-server.ts')
    writeFileSync(
      program,
      `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(started)}, '')\nawait import(${JSON.stringify(mcp)})\n`,
    )
    const notes = {
      command: process.execPath,
      args: ['--import', import.meta.resolve('tsx'), program, '--stdio'],
      safe: true,
    }
    const set = [
      'models.planner.backend=openai',
      `models.planner.url=${server.url}`,
      'models.planner.model=test-model',
      'models.planner.apiKeyEnv=TEST_API_KEY',
      `tools.servers.notes=${JSON.stringify(notes)}`,
    ]
    const recording = await runtime(set)
    server.script.say({ calls: [{ name: 'notes_echo', arguments: { words: 'twelve' } }] }, 'READY')
    const report = await recording.questions.ask(video, question)
    await recording.close()
    await server.close()
    expect(report.steps.map(step => step.tool)).toContain('notes_echo')
    expect(existsSync(started)).toBe(true)

    rmSync(started)
    const replaying = await runtime(set)
    expect((await replaying.questions.replay(report.run)).same).toBe(true)
    expect(existsSync(started)).toBe(false)

    rmSync(join(report.run, 'calls', 'servers.json'))
    await expect(replaying.questions.replay(report.run)).rejects.toThrow(
      /recorded run has no list of the tools of notes/,
    )
    await replaying.close()
    expect(existsSync(started)).toBe(false)
  })

  test('with a call that was not recorded is an error that names it', async () => {
    const recording = await runtime()
    const report = (await recording.questions.ask(video, question)) as AskReport
    const calls = join(report.run, 'calls')
    const tool = readdirSync(calls).find(
      name => name.endsWith('.json') && JSON.parse(readFileSync(join(calls, name), 'utf8')).kind === 'tool',
    )
    if (!tool) throw new Error('no tool was called')
    const { model } = JSON.parse(readFileSync(join(calls, tool), 'utf8'))
    rmSync(join(calls, tool))
    await expect(recording.questions.replay(report.run)).rejects.toMatchObject({
      message: expect.stringContaining(model),
      hint: expect.stringContaining('--replay'),
    })
    await recording.close()
  })
})
