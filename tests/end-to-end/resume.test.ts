import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FaultServer, startFaultServer } from '../servers/fault-server.ts'
import { longtake, longtakeHere } from './longtake.ts'
import { indexedTown } from './town-video.ts'

const kills = Number(process.env.LONGTAKE_KILLS ?? 2)

// A planner that calls one tool in each of three rounds, a writer that streams, a verifier; each takes its time.
function reply(model: string, round: number): object {
  const call = (name: string, input: object) => ({
    content: null,
    tool_calls: [{ id: `c${round}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
  })
  if (model === 'planner' && round === 0) return call('search', { query: 'paintings museum' })
  if (model === 'planner' && round === 1) return call('timeline', { tracks: ['speech'] })
  if (model === 'planner' && round === 2) return call('search', { query: 'tour morning' })
  if (model === 'planner') return { content: 'READY' }
  if (model === 'writer')
    return { content: '{"sentences":[{"text":"It has seven hundred paintings.","cites":["ID"]}],"confidence":0.8}' }
  return { content: '{"verdict":"supported","reason":"it says so"}' }
}

let folder: string
let video: string
let home: string
let server: FaultServer
let received = 0 // calls of models by the process that runs
let killAt = 0 // the one at which it is killed
let kill = new AbortController()
let whole: Awaited<ReturnType<typeof asked>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-resume-'))
  ;({ video, home } = await indexedTown(join(folder, 'town')))
  server = await startFaultServer(({ path, body }) => {
    const sent = body as { model: string; messages: { role: string; content: unknown }[] }
    const models = ['planner', 'writer', 'verifier'].map(id => ({ id, object: 'model' }))
    if (path.endsWith('/models')) return json({ object: 'list', data: models })
    const rounds = sent.messages.filter(message => message.role === 'assistant').length
    const row =
      /\bs[0-9a-f]{10}\b/.exec(
        sent.messages
          .map(one => JSON.stringify(one.content))
          .join()
          .replaceAll('\\n', ' '),
      )?.[0] ?? 'none'
    if (++received === killAt) kill.abort()
    const message = JSON.parse(JSON.stringify(reply(sent.model, rounds)).replaceAll('ID', row))
    return json({
      model: sent.model,
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 2 },
    })
  })
  whole = await asked(['ask', video, 'How many paintings does the museum have?'])
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

function json(value: unknown) {
  return { status: 200, type: 'application/json', pieces: [Buffer.from(JSON.stringify(value))] }
}

function settings(): string[] {
  return ['planner', 'writer', 'verifier'].flatMap(role => [
    ...['--set', `models.${role}.backend=openai`, '--set', `models.${role}.model=${role}`],
    ...['--set', `models.${role}.url=${server.url}/v1`],
  ])
}

// With `at` a process is killed while its model call of that number is under way; else the command runs in this one.
async function asked(words: string[], at = 0, signal: NodeJS.Signals = 'SIGKILL') {
  received = 0
  killAt = at
  kill = new AbortController()
  server.misbehave(...Array.from({ length: 100 }, () => ({ fault: 'slow' as const, seconds: 0.1 })))
  const before = chats()
  const resumes = words.includes('--resume') || words.includes('--fork')
  const more = resumes ? [] : ['--profile', 'embedded', ...settings()]
  const line = [...words, '--json', ...more]
  const ran =
    at === 0 ? await longtakeHere(line, { home }) : await longtake(line, { home, killOn: kill.signal, signal })
  return { ...ran, calls: chats() - before, document: ran.code === 0 ? JSON.parse(ran.out) : undefined }
}

function chats(): number {
  return server.seen.filter(seen => seen.path.endsWith('/chat/completions')).length
}

async function newestRun(): Promise<string> {
  return (await readdir(join(home, 'runs'))).sort().at(-1) ?? ''
}

describe('a question that is killed', () => {
  test('goes on from its last step, and pays for no call twice but the one it waited for', async () => {
    expect(whole.code, whole.err).toBe(0)
    expect(whole.document.steps).toHaveLength(3)
    for (const at of [Math.ceil(whole.calls / 2), whole.calls, 1].slice(0, kills)) {
      const first = await asked(['ask', video, 'How many paintings does the museum have?'], at)
      expect(first.code).toBe(null)
      const run = await newestRun()
      const lines = (await readFile(join(home, 'runs', run, 'trace.jsonl'), 'utf8')).split('\n').slice(0, -1)
      for (const line of lines) JSON.parse(line)
      const second = await asked(['ask', '--resume', run])
      expect(second.code, second.err).toBe(0)
      expect(first.calls + second.calls).toBe(whole.calls + 1)
      expect(second.document.answer).toEqual(whole.document.answer)
      expect(withoutSeconds(second.document.steps)).toEqual(withoutSeconds(whole.document.steps))
      expect(second.document.usage).toMatchObject({ calls: whole.document.usage.calls })
      const again = await asked(['ask', '--resume', run])
      expect(again.calls).toBe(0)
      expect(again.document.answer).toEqual(whole.document.answer)
    }
  })

  test('of a conversation before its first step is resumed with what was said before it', async () => {
    const session = ['--session', 'talk', '--json', '--profile', 'embedded']
    const first = await longtakeHere(['ask', video, 'How many paintings does the museum have?', ...session], { home })
    expect(first.code, first.err).toBe(0)
    const second = await longtakeHere(['ask', 'What does the speaker say right after that?', ...session], { home })
    expect(second.code, second.err).toBe(0)
    const undisturbed = JSON.parse(second.out)
    expect(undisturbed.resolved.references).not.toEqual([])

    // What a kill leaves that comes after the first files of the run and before its first step.
    const run = await newestRun()
    const [told, asked] = await readLines(join(home, 'sessions', 'talk.jsonl'))
    await writeFile(join(home, 'sessions', 'talk.jsonl'), `${told}\n${asked}\n`)
    for (const name of ['checkpoints.jsonl', 'trace.jsonl', 'calls', 'summary.json'])
      await rm(join(home, 'runs', run, name), { recursive: true, force: true })
    const resumed = await longtakeHere(['ask', '--resume', run, '--json'], { home })
    expect(resumed.code, resumed.err).toBe(0)
    const { answer, resolved, evidence } = JSON.parse(resumed.out)
    expect({ answer, resolved, evidence }).toEqual({
      answer: undisturbed.answer,
      resolved: undisturbed.resolved,
      evidence: undisturbed.evidence,
    })
    expect(await readLines(join(home, 'sessions', 'talk.jsonl'))).toHaveLength(3)
  })

  test('Ctrl-C leaves a run that says so, with the command that goes on', async () => {
    const { code, err } = await asked(['ask', video, 'How many paintings does the museum have?'], 2, 'SIGINT')
    expect(code, err).toBe(130)
    const run = await newestRun()
    const { status } = JSON.parse(await readFile(join(home, 'runs', run, 'summary.json'), 'utf8'))
    expect(status).toBe('cancelled')
    expect(err).toContain('longtake ask --resume')
    const second = await asked(['ask', '--resume', run])
    expect(second.document.answer).toEqual(whole.document.answer)
    expect(second.document.stop).toBe('answered')
  })
})

describe('a fork', () => {
  const hints = () => server.seen.filter(seen => JSON.stringify(seen.body ?? '').includes('mind the garden')).length

  test('keeps what was done before its step, does the rest anew with the hint, and leaves its run as it was', async () => {
    const { run } = whole.document
    const before = await readdir(run)
    const unknown = await asked(['ask', '--fork', run])
    expect(unknown.code).toBe(2)
    expect(unknown.err).toContain('1 overview, 2 plan, 3 act, 4 plan, 5 act, 6 plan, 7 act, 8 plan, 9 draft, 10 check')
    expect(hints()).toBe(0)
    const fork = await asked(['ask', '--fork', run, '--from-step', '3', '--hint', 'mind the garden'])
    expect(fork.code, fork.err).toBe(0)
    expect(fork.document.run).not.toBe(run)
    expect(hints()).toBe(1)
    expect(fork.calls).toBeLessThan(whole.calls)
    expect(withoutSeconds(fork.document.steps)).toEqual(withoutSeconds(whole.document.steps))
    expect(fork.document.answer).toEqual(whole.document.answer)
    expect(await readdir(run)).toEqual(before)
    expect((await asked(['ask', '--resume', run])).document).toEqual(whole.document)
  })

  test('that is killed goes on with its hint, once', async () => {
    const words = ['ask', '--fork', whole.document.run, '--from-step', '3', '--hint', 'mind the garden']
    for (const at of [1, 3]) {
      const told = hints()
      const first = await asked(words, at)
      expect(first.code).toBe(null)
      const second = await asked(['ask', '--resume', await newestRun()])
      expect(second.code, second.err).toBe(0)
      expect(second.document.answer).toEqual(whole.document.answer)
      expect(withoutSeconds(second.document.steps)).toEqual(withoutSeconds(whole.document.steps))
      expect(hints() - told).toBe(at === 1 ? 2 : 1) // the call that was under way is made again
    }
  })
})

async function readLines(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).trim().split('\n')
}

function withoutSeconds(steps: { seconds: number }[]): unknown[] {
  return steps.map(({ seconds: _, ...step }) => step)
}
