import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { replaceBlock } from '../../../scripts/doc-block.ts'
import { runScript } from '../../../scripts/script.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { behaviours, observe } from './behaviours.ts'
import { startRecorder } from './record.ts'
import { type Recording, readRecordings, recordings } from './recordings.ts'

// The servers to ask: a file that says where each listens and which models it has.
const Servers = z.array(
  z.strictObject({
    folder: z.string(), // of its recordings
    name: z.string(),
    version: z.string(),
    how: z.string(), // how it was started
    url: z.url(),
    kind: z.enum(['openai', 'ollama']),
    key: z.string().optional(),
    only: z.array(z.string()).optional(), // of the behaviours
    chat: z.string().optional(),
    vision: z.string().optional(),
    embed: z.string().optional(),
  }),
)

const [file, ...only] = process.argv.slice(2)

await runScript(async () => {
  if (!file)
    throw new UsageError('Name a file of servers, or "table".', {
      hint: 'npx tsx tests/servers/conformance/conformance.ts servers.json [FOLDER...]',
    })
  if (file !== 'table') {
    const servers = Servers.parse(JSON.parse(await readFile(file, 'utf8')))
    for (const server of servers) if (only.length === 0 || only.includes(server.folder)) await runOn(server)
  }
  await replaceBlock('models.md', '<!-- servers -->', '<!-- end of servers -->', await table())
})

async function runOn({
  folder,
  name,
  version,
  how,
  url,
  only,
  ...place
}: z.infer<typeof Servers>[number]): Promise<void> {
  const at = new URL(`${folder}/`, recordings)
  await rm(at, { recursive: true, force: true })
  await mkdir(at, { recursive: true })
  const recorder = await startRecorder(url)
  const date = new Date().toISOString().slice(0, 10)
  const server = { name, version, date, how, ...place, ...(place.key && { key: 'a-key' }) }
  await writeFile(new URL('server.json', at), `${JSON.stringify(server, undefined, 1)}\n`)
  for (const [id, behaviour] of Object.entries(behaviours)) {
    const here = { ...place, url: recorder.url }
    if (!behaviour.for(here) || (only && !only.includes(id))) continue
    const seen = await observe(behaviour, here)
    await new Promise(resolve => setTimeout(resolve, 300)) // the end of a stream that was left
    const recording: Recording = { ...seen, exchanges: recorder.take() }
    await writeFile(new URL(`${id}.json`, at), `${JSON.stringify(recording, undefined, 1)}\n`)
    console.log(`${seen.ok ? 'ok ' : 'NOT'} ${name} ${version}: ${behaviour.name}: ${seen.saw}`)
  }
  await recorder.close()
}

// A row of each behaviour with a column of each server, and below it what happened where it was not as wanted.
async function table(): Promise<string> {
  const all = await readRecordings()
  const cell = (one: (typeof all)[number], id: string) => {
    const seen = one.seen.find(recording => recording.id === id)
    return seen ? (seen.ok ? 'yes' : 'no') : ''
  }
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`
  const rows = Object.entries(behaviours).map(([id, { name }]) => row([name, ...all.map(one => cell(one, id))]))
  const servers = all.flatMap(({ folder, server, seen }) => [
    `- \`${folder}\`: ${server.name} ${server.version}, ${server.date}, ${server.how}`,
    ...seen.filter(one => !one.ok).map(one => `  - ${one.behaviour.name}: ${cut(one.saw)}`),
  ])
  const head = [row(['', ...all.map(one => `\`${one.folder}\``)]), row(['', ...all].map(() => '---'))]
  return `\n${[...head, ...rows, '', ...servers].join('\n')}\n`
}

function cut(saw: string): string {
  return (saw.length > 160 ? `${saw.slice(0, 160)}…` : saw).replace(/[|<>]/g, '\\$&')
}
