import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import type { CommandSpec } from '../../src/cli/command.ts'
import { commonOptions } from '../../src/cli/options.ts'
import { loadCommands } from '../../src/cli/specs/index.ts'

const commandTable = await loadCommands()

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'docs', 'cluster')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /\.\w+$|Dockerfile/.test(name))
const text = (name: string) => readFileSync(join(folder, name), 'utf8')
const named = (ending: RegExp) => files.filter(name => ending.test(name))

interface Container {
  args?: string[]
  envFrom?: { secretRef?: { name: string }; configMapRef?: { name: string } }[]
}
interface Manifest {
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
  spec?: {
    scaleTargetRef?: { name: string }
    selector?: { matchLabels: Record<string, string> }
    triggers?: { metadata: { query: string }; authenticationRef: { name: string } }[]
    template?: {
      metadata?: { labels: Record<string, string> }
      spec: { terminationGracePeriodSeconds?: number; containers: Container[] }
    }
  }
}

// What a page tells people to type, and what a recipe starts.
function commandLines(name: string): string[][] {
  if (name.endsWith('.md')) {
    const code = [...text(name).matchAll(/```\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
      ([, block, word]) => block ?? word ?? '',
    )
    const typed = code.flatMap(piece => [...piece.matchAll(/(?:^|[\s;'(])longtake (?!longtake)([a-z][^\n#;|]*)/g)])
    return typed.map(([, rest = '']) => rest.split(/\s+/))
  }
  if (name.endsWith('.service'))
    return [...text(name).matchAll(/bin\/longtake (.*)/g)].map(([, rest = '']) => rest.split(' '))
  if (name === 'compose.yaml') {
    const { services } = parse(text(name), { merge: true }) as { services: Record<string, { command?: string[] }> }
    return Object.values(services).flatMap(({ command }) => (command ? [command] : []))
  }
  return manifests(name).flatMap(
    ({ spec }) => spec?.template?.spec.containers.flatMap(({ args }) => (args ? [args] : [])) ?? [],
  )
}

function manifests(name: string): Manifest[] {
  return parseAllDocuments(text(name)).map(document => {
    expect(document.errors).toEqual([])
    return document.toJS() as Manifest
  })
}

// The words of a command line that the table of commands does not know.
function unknownWords(words: readonly string[]): string[] {
  let spec: CommandSpec | undefined
  let among: readonly CommandSpec[] | undefined = commandTable
  let at = 0
  for (; among; at++) {
    spec = among.find(({ name }) => name === words[at]?.replace(/\W+$/, ''))
    if (!spec) return [words.slice(0, at + 1).join(' ')]
    among = spec.commands
  }
  const flags = [...commonOptions, ...(spec?.options ?? [])].map(({ flag }) => flag)
  const given = words.slice(at).flatMap(word => /^['"(]*(--[a-z][a-z-]*)/.exec(word)?.[1] ?? [])
  return given.filter(flag => !flags.includes(flag)).map(flag => `${words.slice(0, at).join(' ')} ${flag}`)
}

test.each(named(/\.(md|service|yaml)$/))('%s names commands and options that are there', name => {
  const lines = commandLines(name)
  const unknown = lines.flatMap(unknownWords)
  expect([...new Set(unknown)]).toEqual([])
})

test('the recipes hold commands to look at', () => {
  const found = named(/\.(md|service|yaml)$/)
    .flatMap(commandLines)
    .map(([command]) => command)
  for (const command of ['worker', 'cluster', 'index', 'bench', 'search', 'ask']) expect(found).toContain(command)
})

test.each(named(/\.md$/))('%s links to what is there', name => {
  const links = [...text(name).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
  expect(links.filter(link => !existsSync(join(folder, dirname(name), link)))).toEqual([])
})

describe('the manifests', () => {
  const all = named(/^kubernetes\//).flatMap(manifests)
  const of = (kind: string) => all.filter(manifest => manifest.kind === kind)
  const names = (kind: string) => of(kind).map(({ metadata }) => metadata.name)

  test('fit together', () => {
    for (const { spec } of of('Deployment')) {
      expect(spec?.template?.metadata?.labels).toEqual(spec?.selector?.matchLabels)
      expect(spec?.template?.spec.terminationGracePeriodSeconds).toBe(120)
      for (const { envFrom = [] } of spec?.template?.spec.containers ?? []) {
        expect(names('Secret')).toEqual(expect.arrayContaining(envFrom.flatMap(from => from.secretRef?.name ?? [])))
        expect(names('ConfigMap')).toEqual(
          expect.arrayContaining(envFrom.flatMap(from => from.configMapRef?.name ?? [])),
        )
      }
    }
    for (const { spec } of of('ScaledObject')) {
      expect(names('Deployment')).toContain(spec?.scaleTargetRef?.name)
      expect(spec?.triggers?.map(({ metadata }) => metadata.query)).toEqual([
        `select longtake.wanted_workers('${spec?.scaleTargetRef?.name.replace('longtake-', '')}')`,
      ])
      expect(names('TriggerAuthentication')).toEqual(spec?.triggers?.map(one => one.authenticationRef.name))
    }
  })
})
