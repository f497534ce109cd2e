import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadCommands } from '../../src/cli/specs/index.ts'
import { indexedTown } from '../end-to-end/town-video.ts'
import { call, type Host, stdioHost } from './mcp-hosts.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'longtake-skill-'))
const skill = readFileSync(join(root, 'skills', 'longtake', 'SKILL.md'), 'utf8')
let host: Host
let calls = 0

beforeAll(async () => {
  const { home } = await indexedTown(folder)
  host = await stdioHost(home, [folder, '--profile', 'embedded'], 'modern')
})
afterAll(async () => {
  await host?.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = async (tool: string, args: object) => {
  calls++
  const { text } = await call(host, tool, args)
  return text
}

test('the skill names tools, arguments and commands that there are, and what it is for', async () => {
  const { tools } = await host.client.listTools()
  const parameters = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}))
  const known = new Set([...tools.map(({ name }) => name), ...parameters, 'spectrogram', 'audio', 'as'])
  const named = [...skill.matchAll(/`([a-z_]+)(?:: [a-z]+)?`/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(name => !known.has(name))).toEqual([])
  const commandTable = await loadCommands()
  const commands = [...skill.matchAll(/^npx longtake (\w+)(.*)$/gm)]
  for (const [, name, rest = ''] of commands) {
    const spec = commandTable.find(one => one.name === name)
    expect(spec?.options?.map(({ flag }) => flag) ?? [], name).toEqual(
      expect.arrayContaining(rest.match(/--\w+/g) ?? []),
    )
  }
  expect(commands.length).toBe(5)
  expect(skill).toMatch(/^---\nname: longtake\ndescription: .{100,1024}\n---\n/)
})

test('a host that follows the skill word by word finds every fact of the film in few calls', async () => {
  const [, path = ''] = /^new: (.*town\.mp4)$/m.exec(await ask('list_videos', {})) ?? []
  const [job = ''] = /j\w{10,}/.exec(await ask('index', { video: path })) ?? []
  expect(await ask('wait', { job })).toContain('the video is indexed')
  expect(await ask('list_videos', {})).toMatch(/^town\.mp4 \(v\w+\) 0:30\.0 ready$/m)
  expect(await ask('overview', { video: 'town.mp4' })).toMatch(/"ask" is answered by rules/)
  // Up to 20 minutes: read the whole video once.
  const whole = await ask('read', {})
  expect(whole).toContain('Room 204')
  expect(whole).toContain('Adults 12 euro')
  expect(whole).toContain('Bus line 31')
  // How often: the lines of the track, each with its time.
  expect(whole.match(/^s\w{5} \d:\d\d\.\d-\d:\d\d\.\d sound: beep/gm)).toHaveLength(2)
  // Said while the prices are shown: at the row.
  const [, row = ''] = /^(t\w{5}) .*Ticket prices/m.exec(whole) ?? []
  const beside = await ask('read', { at: row })
  expect(beside).toMatch(/speech.*first/)
  expect(beside).not.toContain('Bus line')
  // What it looks like: a narrow span.
  expect(await ask('view', { start: '0:10', end: '0:19', frames: 4 })).toMatch(/^One sheet, 2 in a row: #1 0:10\.0/)
  // Is it in the video at all: other words, then shots.
  expect(await ask('find', { words: 'submarine' })).toMatch(/^No row fits/)
  expect(await ask('view', { shots: true })).toMatch(/#3 0:(19|20)/)
  expect(await ask('read', { until: '0:10' })).not.toContain('12 euro')
  expect(calls).toBeLessThan(4 * 7) // the facts above
})

test('the manifests of hosts start the same command and lead to the skill', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
  const { version, mcpName } = read('package.json')
  const [plugin, codex, gemini, entry] = [
    ...['.claude-plugin/plugin.json', '.codex-plugin/plugin.json', 'gemini-extension.json', 'server.json'],
  ].map(read)
  for (const one of [plugin, codex, gemini, entry]) expect(one.version).toBe(version)
  const { mcpServers } = read('.mcp.json')
  const { command, args }: { command: string; args: string[] } = mcpServers.longtake
  expect([command, ...args.slice(-3)]).toEqual(['npx', 'longtake', 'mcp', '.'])
  expect(gemini.mcpServers.longtake.args.slice(0, -1)).toEqual(args.slice(0, -1))
  expect(gemini.mcpServers.longtake.args.at(-1)).toMatch(/^\$\{workspacePath\}$/)
  // Claude Code loads .mcp.json and skills/ of a plugin by itself: named in the manifest as well, the server would be there twice.
  expect(plugin).not.toHaveProperty('mcpServers')
  expect([codex.skills, codex.mcpServers]).toEqual(['./skills/', './.mcp.json'])
  // The registry's clients put the package between the two lists. With "-p", npx takes what follows it as a package alone.
  const [{ identifier, runtimeHint, runtimeArguments, packageArguments, transport }] = entry.packages
  const words = [...runtimeArguments, { value: `${identifier}@${version}` }, ...packageArguments]
  expect([runtimeHint, ...words.map((one: { value?: string }) => one.value ?? 'FOLDER')].join(' ')).toBe(
    `npx -y -p longtake-serve@${version} -p longtake@${version} longtake mcp FOLDER`,
  )
  expect(transport).toEqual({ type: 'stdio' })
  expect(entry.name).toBe(mcpName) // by it the registry knows whose package it is
})
