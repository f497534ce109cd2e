import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// What no screen of a person says (hosts of MCP are models): the project's own dialect and the names of its code. Use the words beside it.
const banned: [phrase: RegExp, instead: string][] = [
  [/another one after each start/, 'a new one is made at each start'],
  [/under way/, 'running'],
  [/\bgo(es)? on with (it|the|this|a)\b|\bgone on with|['">`]Go on\b(?!\?)/, 'resume'],
  [/waits for its turn|: 'waits'/, 'waiting'],
  [/[wW]hat it knew/, 'State after this step'],
  [/(Rounds|Seconds) at most/, 'Max steps, Time limit'],
  [/"as set"|'as set'/, 'default'],
  [/one a line/, 'one per line'],
  [/The video has none/, 'No speech in this video.'],
  [/back, on'/, 'back, forward'],
  [/not where it was/, 'missing'],
  [/file gone/, 'file missing'],
  [/Forget (this|it)|['">]Forget/, 'Remove from library'],
  [/Keep it['"<]/, 'Cancel'],
  [/^\s*Locate$|>Locate</, 'How to fix'],
  [/looked at picture/, 'searched: pictures'],
  [/is about to be made|was there already|there already'/, 'already done'],
  [/(No \w+|Nothing) fits/, 'matches'],
  [/>\{(stage|stage\.stage|role)\}</, 'stageTitle(stage): the code has names that no person needs'],
]

const root = join(import.meta.dirname, '..')
const folders = ['apps/serve/page', 'eval/page', 'src/page', 'apps/serve/server', 'apps/serve/work', 'src/cli']

const files = folders.flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !name.includes('.test.') && !name.startsWith('mcp/'))
    .map(name => join(folder, name)),
)

// The texts of a file: its lines without comments.
function textLines(source: string): string[] {
  return source.split('\n').map(line => line.replace(/(^|\s)\/\/ .*$/, ''))
}

test('the page, the server and the command line speak plain English', () => {
  expect(files.length).toBeGreaterThan(150)
  const faults = files.flatMap(file =>
    textLines(readFileSync(join(root, file), 'utf8')).flatMap((line, at) =>
      banned
        .filter(([phrase]) => phrase.test(line))
        .map(([, instead]) => `${file}:${at + 1}: ${line.trim()}   better: ${instead}`),
    ),
  )
  expect(faults).toEqual([])
})

test('the list finds what it bans', () => {
  const bad = ['<p>The server ended while this was under way.</p>', "  title: 'Forget this video?',", '>Go on<']
  for (const line of bad)
    expect(
      banned.some(([phrase]) => phrase.test(line)),
      line,
    ).toBe(true)
  expect(textLines("// what is under way\nconst a = 'b' // under way").join('')).toBe("const a = 'b'")
})
