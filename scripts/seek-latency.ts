// How long the graph "seek" takes to its answer about an hour of video that nobody has indexed, with a model that answers after two seconds.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime } from '../src/app/runtime.ts'
import { resolveConfig } from '../src/config/resolve.ts'
import { startFaultServer } from '../tests/servers/fault-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-seek-'))
const minute = join(folder, 'minute.mp4')
const hour = join(folder, 'hour.mp4')
const ffmpeg = (words: string) => execFileSync('ffmpeg', ['-v', 'error', ...words.split(' ')], { cwd: folder })
ffmpeg('-f lavfi -i testsrc2=s=1280x720:r=25:d=60 -c:v libx264 -preset fast -g 250 -pix_fmt yuv420p minute.mp4')
ffmpeg(`-stream_loop 59 -i ${minute} -c copy ${hour}`)

// Skims, focuses, answers.
const server = await startFaultServer(({ path, body }) => {
  if (path.endsWith('/models')) return json({ object: 'list', data: [{ id: 'sees', object: 'model' }] })
  const looks = (body as { messages: { role: string }[] }).messages.filter(one => one.role === 'tool').length
  const call = (name: string, input: object) => ({
    content: null,
    tool_calls: [{ id: `c${looks}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
  })
  const answer = { content: '{"sentences":[{"text":"A test picture is seen.","cites":[]}],"confidence":0.9}' }
  const last = looks === 1 ? call('skim', { start: 1000, end: 1600 }) : call('focus', { start: 1200, end: 1230 })
  const message = { role: 'assistant', ...(looks < 3 ? last : answer) }
  return json({
    model: 'sees',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 2 },
  })
})

function json(value: unknown) {
  return { status: 200, type: 'application/json', pieces: [Buffer.from(JSON.stringify(value))] }
}

const sees = ['backend=openai', 'model=sees', 'accepts=["text","image"]', `url=${server.url}/v1`]
const set = ['profile=embedded', ...sees.map(one => `models.planner.${one}`)]
const config = await resolveConfig({ cwd: folder, environment: {}, flags: { set } })
const runtime = await createRuntime({ config, home: join(folder, 'home'), environment: {} })
server.misbehave(...Array.from({ length: 20 }, () => ({ fault: 'slow' as const, seconds: 2 })))
const began = performance.now()
const { steps, usage } = await runtime.ask(hour, { text: 'What is seen?' }, { graph: 'seek' })
const seconds = (performance.now() - began) / 1000
const looks = steps
  .map(step => `${step.tool} ${step.evidence.length} frames in ${step.seconds.toFixed(1)} s`)
  .join(', ')
console.log(`${seconds.toFixed(1)} s to the answer: ${usage.calls} calls of 2 s, ${looks}.`)
await runtime.close()
await server.close()
rmSync(folder, { recursive: true })
