import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { allBenchmarks } from '../eval/benchmarks/index.ts'
import type { CommandSpec } from '../src/cli/command.ts'
import { commonOptions } from '../src/cli/options.ts'
import { loadCommands } from '../src/cli/specs/index.ts'

const commandTable = await loadCommands()

const root = new URL('..', import.meta.url).pathname
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`)]
const read = (page: string) => readFileSync(join(root, page), 'utf8')

// "bench report" and the like, with all that each takes.
function commandsIn(specs: readonly CommandSpec[], before = ''): Map<string, CommandSpec> {
  return new Map(
    specs.flatMap(spec => {
      const name = `${before}${spec.name}`
      return [[name, spec] as const, ...commandsIn(spec.commands ?? [], `${name} `)]
    }),
  )
}
const commands = commandsIn(commandTable)

function flagsOf(spec: CommandSpec): Set<string> {
  return new Set(['--help', '--version', ...[...(spec.options ?? []), ...commonOptions].map(({ flag }) => flag)])
}

// The commands that a page shows, whole lines of code and those within a sentence.
function commandsShown(text: string): string[] {
  const inline = [...text.matchAll(/`(longtake [^`]+)`/g)].map(match => match[1] ?? '')
  const lines = text.split('\n').filter(line => /^(?: {4}|\$ )(?:npx )?longtake /.test(line))
  return [...inline, ...lines.map(line => line.replace(/^.*?longtake /, 'longtake '))]
}

function faultOf(shown: string): string | undefined {
  const words =
    shown
      .split(/\s*(?:\||&&|#|;|>)\s*/)[0]
      ?.split(/\s+/)
      .slice(1) ?? []
  const [first = '', second = ''] = words
  const name = commands.has(`${first} ${second}`) ? `${first} ${second}` : first
  const spec = commands.get(name)
  if (first === 'help') return undefined
  if (!spec) return /^[a-z]/.test(first) ? `no command "${first}"` : undefined
  if (spec.commands && second !== '' && /^[a-z]+$/.test(second) && name === first && !spec.load)
    return `no command "${first} ${second}"`
  const flags = spec.commands ? undefined : flagsOf(spec)
  const strange = words
    .flatMap(word => /^--[a-z][a-z-]*/.exec(word)?.[0] ?? [])
    .find(flag => flags?.has(flag) === false)
  return strange && `${name} takes no ${strange}`
}

describe.each(pages.filter(page => page.endsWith('.md')))('%s', page => {
  test('shows commands and options that there are', () => {
    const faults = commandsShown(read(page)).flatMap(shown => {
      const fault = faultOf(shown)
      return fault === undefined ? [] : [`${shown}: ${fault}`]
    })
    expect(faults).toEqual([])
  })
})

describe('docs/benchmarks.md', () => {
  const text = read('docs/benchmarks.md')

  test('names options of a command or settings of a benchmark, and nothing else', async () => {
    const flags = new Set([...commands.values()].flatMap(spec => [...flagsOf(spec)]))
    const named = [...text.matchAll(/`(--[a-z][a-z-]*)/g)].map(match => match[1] ?? '')
    expect(named.filter(flag => !flags.has(flag))).toEqual([])
    const settings = new Set(
      (await allBenchmarks()).flatMap(one =>
        Object.keys(z.toJSONSchema(one.settings, { io: 'input' }).properties ?? {}),
      ),
    )
    const options = [...text.matchAll(/--option (\w+)=/g)].map(match => match[1] ?? '')
    expect(options.filter(option => !settings.has(option))).toEqual([])
  })

  test('names no function that only tests reach', () => {
    const named = new Set([...text.matchAll(/`([a-z]+[A-Z]\w*)(?:\(\))?`/g)].map(match => match[1] ?? ''))
    const settings = new Set(['subtitleTimes', 'frameTimes'])
    const uses = (name: string) =>
      execFileSync('grep', ['-rlw', '--include=*.ts', '--exclude=*.test.ts', '-e', name, 'eval', 'src', 'apps'], {
        cwd: root,
        encoding: 'utf8',
      })
        .trim()
        .split('\n')
    expect([...named].filter(name => !settings.has(name) && uses(name).length < 2)).toEqual([])
  })

  // What was once described and no command reached: it may come back with the option that reaches it.
  test.each([
    ['VLMEvalKit', '--scoring vlmevalkit'],
    ['lmms-eval', '--reader'],
    ['2024 replies', '--replies'],
  ])('says nothing of %s without %s', (feature, option) => {
    if (text.includes(feature)) expect(text).toContain(option)
  })
})

test('bench show says what is known of each licence, and from where', async () => {
  const licences = Object.fromEntries(
    (await allBenchmarks()).slice(0, 5).map(({ name, about }) => [name, about.licence]),
  )
  expect(licences).toEqual({
    longshot: 'CC BY-NC-SA 4.0 by the badge of the repository; terms to accept; the videos stay with their owners',
    'cg-bench':
      'MIT by the card of the data set, which is gated (as stored in 2025-03); cc-by-nc-sa-4.0 by a mirror (undated); videos stay with their owners',
    allvb: 'CC-BY-NC-SA-4.0',
    infinibench: 'BSD-3-Clause (code and annotations); the videos derive from TVQA and MovieNet',
    'videoeval-pro': 'none stated by its makers',
  })
  const infiniBench = (await allBenchmarks()).find(({ name }) => name === 'infinibench')
  expect(infiniBench?.about.download.join('\n')).toContain('Answers and options of the test split are withheld')
})
