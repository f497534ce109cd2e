// A host of the tests: it reads the whole video by our MCP server and answers with what it finds there.
// As an agent of the Agent Client Protocol: node scripted-host.mjs acp HOW
// As a command: node scripted-host.mjs command HOW CONFIG, with the question on stdin
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [kind, how, config] = process.argv.slice(2)

// The rows of the video, by a server that the host starts itself.
async function readVideo({ command, args, env }) {
  const server = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map()
  createInterface({ input: server.stdout }).on('line', line => {
    const { id, result } = JSON.parse(line)
    waiting.get(id)?.(result)
  })
  const send = message => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request = (method, params) =>
    new Promise(resolve => {
      const id = waiting.size + 1
      waiting.set(id, resolve)
      send({ id, method, params })
    })
  const clientInfo = { name: 'scripted', version: '1' }
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  const { tools } = await request('tools/list', {})
  const { content } = await request('tools/call', { name: 'read', arguments: {} })
  await request('tools/call', { name: 'view', arguments: { start: '0:10', end: '0:12' } })
  server.stdin.end()
  return { tools: tools.map(({ name }) => name), rows: content.map(({ text }) => text).join('\n') }
}

// The option that a row holds, else the words after the word that the question asks for.
async function answer(question, server) {
  const { tools, rows } = await readVideo(server)
  const options = [...question.matchAll(/^([A-E])\. (.*)$/gm)]
  const [, letter, words] = options.find(([, , text]) => rows.includes(text)) ?? []
  const found = words ?? /\d+ euro/.exec(rows)?.[0] ?? 'the video does not say'
  const row = rows.split('\n').find(line => line.includes(found)) ?? ''
  const [span = '0:00'] = /[\d:.]+-[\d:.]+/.exec(row) ?? []
  return `I used ${tools.join(' ')}. It is written there: [${span}].\nAnswer: ${letter ?? found}`
}

const endless = () => setInterval(() => {}, 1000)
const wrongs = {
  silent: () => '',
  // Its child is a session of its own, and so is that one's.
  leaves() {
    const child = `require('node:child_process').spawn('sleep', ['30'], { detached: true, stdio: 'ignore' }).unref()`
    spawn(process.execPath, ['-e', `${child}; setInterval(() => {}, 1000)`], {
      detached: true,
      stdio: 'ignore',
    }).unref()
    return new Promise(resolve => setTimeout(resolve, 300, 'Answer: A'))
  },
  dies() {
    process.stderr.write('out of luck\n')
    process.exit(3)
  },
  endless,
  loud() {
    const piece = 'x'.repeat(1 << 20)
    const write = () => process.stdout.write(`${piece}\n`, write)
    write()
    return new Promise(() => {})
  },
}

if (kind === 'command') {
  const question = readFileSync(0, 'utf8')
  const { longtake } = JSON.parse(readFileSync(config, 'utf8')).mcpServers
  const text = await (wrongs[how] ?? (() => answer(question, longtake)))()
  if (typeof text === 'string') process.stdout.write(text)
} else {
  const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const update = update => send({ method: 'session/update', params: { sessionId: 's', update } })
  let server
  let decided
  const permit = toolCall =>
    new Promise(resolve => {
      decided = resolve
      const kinds = ['allow_always', 'allow_once', 'reject_once']
      const options = kinds.map(kind => ({ optionId: `id-${kind}`, name: kind, kind }))
      send({ id: 'p', method: 'session/request_permission', params: { sessionId: 's', toolCall, options } })
    })
  const prompt = async text => {
    const say = text => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
    if (how === 'asks') {
      const { outcome } = await permit({ toolCallId: '1', title: 'rm -rf videos' })
      if (outcome.optionId === 'id-allow_once') say('Answer: A')
      return
    }
    const { outcome } = await permit({ toolCallId: '2', title: 'mcp__longtake__read' })
    if (outcome.optionId !== 'id-allow_once') return
    say('I shall look at 0:01 first.')
    update({ sessionUpdate: 'tool_call', toolCallId: '2', title: 'read' })
    const reply = await (wrongs[how] ?? (() => answer(text, server)))()
    if (typeof reply === 'string') say(reply)
    update({ sessionUpdate: 'usage_update', used: 90, size: 1000, cost: { amount: 0.25, currency: 'USD' } })
  }
  const replies = {
    initialize: () => ({ protocolVersion: how === 'newer' ? 2 : 1, agentCapabilities: {} }),
    'session/new'({ mcpServers: [first] }) {
      const env = Object.fromEntries(first.env.map(({ name, value }) => [name, value]))
      server = { ...first, env }
      return { sessionId: 's' }
    },
    async 'session/prompt'({ prompt: [{ text }] }) {
      await prompt(text)
      return how === 'endless'
        ? new Promise(() => {})
        : { stopReason: 'end_turn', usage: { inputTokens: 900, outputTokens: 30, totalTokens: 930 } }
    },
  }
  console.log('This line is a log and no message.')
  createInterface({ input: process.stdin }).on('line', async line => {
    const { id, method, params, result } = JSON.parse(line)
    if (method === undefined) decided(result)
    else send({ id, result: await replies[method](params) })
  })
}
