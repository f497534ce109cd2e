import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { orphansWith } from '../../../../tests/kills/processes.ts'
import { askAcpAgent, isOwnTool } from './acp.ts'
import { splitCommand } from './agent-process.ts'
import { askCommandOnce } from './mcp-host.ts'

const script = join(import.meta.dirname, '../../../../tests/bench/scripted-host.mjs')
const ways = [
  { way: 'acp', ask: askAcpAgent, start: (how: string) => `"${process.execPath}" ${script} acp ${how}` },
  {
    way: 'command',
    ask: askCommandOnce,
    start: (how: string) => `"${process.execPath}" ${script} command ${how} {config}`,
  },
] as const

// The answer of a scripted agent to a question, or why there is none; and its processes that are left.
async function askScripted({ ask, start }: Pick<(typeof ways)[number], 'ask' | 'start'>, how: string, seconds = 20) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-'))
  const tools = { command: 'none', args: [], env: {}, folder, calls: async () => ({ steps: [], pictures: 0 }) }
  const limits = { environment: { ...process.env, MARK: folder }, seconds, signal: new AbortController().signal }
  const answer = await ask(start(how), 'What is it?', tools, limits).catch((error: Error) => error.message)
  return { answer, left: await orphansWith(folder, 1) }
}

describe.each(ways)('an agent by $way', way => {
  test.each([
    ['silent', /gave no answer/],
    ['dies', /^The agent ended with code 3 before it had answered\. It wrote "out of luck"\.$/],
    ['loud', /wrote more than 16 MB for one question|wrote a line of more than/],
  ])('that is %s is a named failure and leaves no process', async (how, why) => {
    const { answer, left } = await askScripted(way, how)
    expect(answer).toMatch(why)
    expect(left).toEqual([])
  })

  test('that does not end is ended', async () => {
    const { answer, left } = await askScripted(way, 'endless', 0.7)
    expect(answer).toBe('The agent gave no answer in 0.7 s (budget.seconds).')
    expect(left).toEqual([])
  })

  test.runIf(process.platform === 'linux')('whose children are sessions of their own leaves none of them', async () => {
    const { answer, left } = await askScripted(way, 'leaves')
    expect(answer).toMatchObject({ text: expect.stringContaining('Answer: A') })
    expect(left).toEqual([])
  })
})

test.each([
  ['asks', /It asked for permission to rm -rf videos, which a run does not give\.$/],
  ['newer', /^The agent speaks version 2 of the Agent Client Protocol/],
])('an agent of the Agent Client Protocol that %s fails by name', async (how, why) => {
  expect((await askScripted(ways[0], how)).answer).toMatch(why)
})

test.each([
  ['mcp__longtake__find', 'other', true],
  ['longtake: read', 'read', true],
  ['find (longtake MCP Server)', 'other', true],
  ['list_videos (longtake)', 'other', true],
  ['find', 'other', false],
  ['rm -rf ~/longtake', 'execute', false],
  ['rm -rf ~/longtake', 'other', false],
  ['read ~/notes (longtake/secret)', 'read', false],
  ['longtake find', 'execute', false],
  ['longtake config set', 'other', false],
  ['longtake find; rm -rf ~', 'other', false],
  ['longtake read "x" && rm -rf ~', 'other', false],
  ['longtake read talk.mp4 > ~/.bashrc', 'other', false],
  ['longtake find {a;id}', 'other', false],
  ['longtake view `id` $(id)', 'other', false],
  ['longtake find\nrm -rf ~', 'other', false],
  ['find (longtake) | sh', 'other', false],
  ['mcp__longtake__find {"question":"who; when"}', 'other', true],
])('permission for "%s" (%s): %s', (title, kind, isGiven) => {
  expect(isOwnTool(title, kind)).toBe(isGiven)
})

test('tokens and money below nothing that an agent states count as none', async () => {
  const update = (more: object) => ({ method: 'session/update', params: { update: more } })
  const replies = [
    [{ id: 1, result: { protocolVersion: 1 } }],
    [{ id: 2, result: { sessionId: 's' } }],
    [
      update({ sessionUpdate: 'usage_update', cost: { amount: -5 } }),
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'B' } }),
      { id: 3, result: { stopReason: 'end_turn', usage: { inputTokens: -9, outputTokens: 4 } } },
    ],
  ]
  const script = join(mkdtempSync(join(tmpdir(), 'agent-')), 'agent.cjs')
  const say = 'for (const one of replies.shift() ?? []) console.log(JSON.stringify(one))'
  writeFileSync(script, `const replies = ${JSON.stringify(replies)}\nprocess.stdin.on('data', () => { ${say} })`)
  const { answer } = await askScripted({ ask: askAcpAgent, start: () => `"${process.execPath}" ${script}` }, '')
  expect(answer).toEqual({ text: 'B', usage: { inputTokens: 0, outputTokens: 4, money: 0 } })
})

test('a command that is no program says so', async () => {
  expect((await askScripted({ ask: askAcpAgent, start: () => '/no/such/agent' }, '')).answer).toMatch(
    /could not be started/,
  )
})

test.each([
  [`node "my agent.js" --say 'it''s' a\\ b`, ['node', 'my agent.js', '--say', 'its', 'a b']],
  [`run --x="a \\" b" c;d`, ['run', '--x=a " b', 'c;d']],
])('the words of the command %s', (command, words) => {
  expect(splitCommand(command)).toEqual(words)
})
