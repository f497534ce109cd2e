import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SampleLine } from '../../eval/data/sample-line.ts'
import { indexedTown } from '../end-to-end/town-video.ts'
import { type CommandLine, commandLine } from '../support/command-line.ts'
import { linesIn } from '../support/line-file.ts'
import { sent } from './sent-requests.ts'

// The same questions to a model in the simplest loop, and to agents that are commands, over one index.

const script = join(import.meta.dirname, 'scripted-host.mjs')
const node = JSON.stringify(process.execPath)
const acp = (how: string) => `acp:${node} ${script} acp ${how}`
const mcpHost = (how: string) => `mcp-host:${node} ${script} command ${how} {config}`

let line: CommandLine
let data: string
beforeAll(async () => {
  line = commandLine({}, { PATH: process.env.PATH, HOME: process.env.HOME })
  await indexedTown(line.cwd)
  data = join(line.cwd, 'data')
  mkdirSync(data)
  symlinkSync(join(line.cwd, 'town.mp4'), join(data, 'town.mp4'))
  const ticket = { question: 'How much is a ticket for adults?', answer: 'B', answer_text: '12 euro' }
  const options = ['A. 9 euro', 'B. 12 euro', 'C. 30 euro', 'D. nothing']
  writeFileSync(join(data, 'test.jsonl'), `${JSON.stringify({ video: 'town.mp4', options, ...ticket })}\n`)
})

async function run(by: string, name: string, ...more: string[]) {
  const out = join(line.cwd, name)
  const start = ['bench', 'run', 'videoeval-pro', '--data', data, '--by', by, '--profile', 'embedded', '--json']
  const ran = await line.run(...start, ...(more.includes('--resume') ? [] : ['--out', out]), ...more)
  return { out, ran, lines: ran.code === 2 ? [] : linesIn<SampleLine>(join(out, 'samples.jsonl')) }
}

const plan = (name: string, input: object) => ({ text: '', calls: [{ name, arguments: input }], inputTokens: 100 })
const hostModel = (replies: unknown[]) => [
  ...['--set', 'models.planner.backend=scripted', '--set', 'models.planner.atEnd=cycle'],
  ...['--set', `models.planner.replies=${JSON.stringify(replies)}`],
]

describe('a model in the simplest loop', () => {
  const replies = [
    plan('list_videos', {}),
    plan('read', {}),
    plan('view', { start: '0:10', end: '0:18' }),
    plan('read', { start: 'soon' }),
    { text: 'It is written at [0:10.0-0:18.9].\nAnswer: 12 euro', inputTokens: 100, outputTokens: 9 },
  ]

  test('reads and looks with the tools of a host and the skill, and is scored like everyone', async () => {
    const { out, ran, lines } = await run('host', 'host', ...hostModel(replies), '--task', 'open')
    expect(ran.code, ran.stderr).toBe(0)
    expect(JSON.parse(ran.stdout).scores.strict.metrics.open).toBe(100)
    const [ask] = lines[0]!.asks
    expect(ask!.steps.map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual([
      ...['list_videos found', 'read found', 'view found', 'read failed'],
    ])
    expect(ask!.usage).toMatchObject({ calls: 5, inputTokens: 500, outputTokens: 9, frames: 1 })
    expect(ask!.evidence).toMatchObject([{ span: { start: 10, end: 18.9 }, track: 'claim', cited: true }])
    expect(JSON.parse(readFileSync(join(out, 'environment.json'), 'utf8')).by).toBe('host')
    const [seen] = linesIn<{ times: number[]; frames: number }>(join(out, 'frames.jsonl'))
    expect(seen!.frames).toBe(1) // one sheet
    expect(seen!.times.length).toBeGreaterThan(1)
    expect(seen!.times.every(time => time >= 9.5 && time <= 18.5)).toBe(true)
    const afterView = sent(out).find(({ pictures }) => pictures === 1)!
    expect(afterView.texts[0]).toMatch(/^# Answering from a video with longtake/)
    expect(afterView.texts.join('\n')).toContain('Adults 12 euro')
  })

  test('that never stops is told to answer, and fails by name if it does not', async () => {
    const more = [...hostModel([plan('overview', {})]), '--set', 'budget.steps=2', '--task', 'open']
    const { ran, lines } = await run('host', 'endless-host', ...more)
    expect(ran.code).toBe(6)
    expect(lines[0]!.error).toBe('The host gave no answer: its last message is empty after 2 rounds of tool calls.')
  })

  test('must be a language model', async () => {
    const { ran } = await run('host', 'rules')
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain('models.planner is none')
  })
})

describe.each([
  ['acp', acp, 'open'],
  ['mcp-host', mcpHost, 'mcq'],
])('an agent that is a command, by %s', (kind, by, task) => {
  test('starts our server, reads this video alone, and is scored', async () => {
    const { out, ran, lines } = await run(by('answers'), kind, '--task', task)
    expect(ran.code, ran.stderr).toBe(0)
    expect(JSON.parse(ran.stdout).scores.strict.metrics).toMatchObject({ [task]: 100 })
    for (const ask of lines[0]!.asks) {
      expect(ask.steps.map(({ tool }) => tool)).toEqual(['read', 'view'])
      expect(ask.usage).toMatchObject({ frames: 1, ...(kind === 'acp' && { inputTokens: 900, money: 0.25 }) })
      expect(ask.evidence[0]!.span.start).toBeCloseTo(10, 0)
      expect(ask.evidence).toHaveLength(1)
    }
    const { spent } = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'))
    expect(spent.money).toBe(kind === 'acp' ? 0.25 * spent.questions : 0)
    const { by: stored } = JSON.parse(readFileSync(join(out, 'environment.json'), 'utf8'))
    expect(stored).toBe(by('answers'))
    const other = await run('longtake', kind, '--resume', out)
    expect(other.ran.code).toBe(2)
    expect(other.ran.stderr).toMatch(/by/)
  })
})

test('an agent that dies is a failure of its question, and --resume asks it again', async () => {
  const { out, ran, lines } = await run(acp('dies'), 'dies', '--task', 'open')
  expect(ran.code).toBe(6)
  expect(lines[0]!.error).toContain('It wrote "out of luck"')
  const untyped = await line.run('bench', 'run', 'videoeval-pro', '--resume', out)
  expect(untyped.code).toBe(2)
  expect(untyped.stderr).toContain('a command is only started if it is typed')
  const again = await run(acp('dies'), 'dies', '--resume', out)
  expect(again.ran.code, again.ran.stderr).toBe(6)
})

test('a model alone that takes no pictures is refused before a video is looked at', async () => {
  const settings = ['backend=openai', 'url=http://127.0.0.1:9/v1', 'model=m', 'accepts=["text"]']
  const blind = settings.flatMap(one => ['--set', `models.vision.${one}`])
  const { out, ran } = await run('alone', 'blind', ...blind, '--task', 'mcq')
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain('takes no pictures')
  expect(ran.stderr).toContain('Set a model that sees')
  expect(existsSync(out)).toBe(false)
})

test.each([
  ['everyone', 'Choose one of: longtake, alone, host, acp:COMMAND, mcp-host:COMMAND.'],
  ['acp:no-such-agent --acp', 'not a program on this machine'],
  ['mcp-host:cat', 'Put {config} there'],
])('--by %s is refused before anything is asked', async (by, hint) => {
  const { ran } = await run(by, 'refused')
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain(hint)
})
