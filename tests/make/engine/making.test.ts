import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { killedAndResumed } from './killed.ts'
import { begin, bytesOf, callsIn, madeLines, openTalks, type Talks, triplet, units } from './talks.ts'

let talks: Talks
let whole: { set: string; out: string; err: string; bytes: Record<string, string>; calls: number }
const at = (name: string) => join(talks.folder, name)

beforeAll(async () => {
  talks = await openTalks()
  const set = at('whole')
  const { code, out, err } = await talks.make([...begin(talks), '--out', set])
  expect(code, err).toBe(0)
  whole = { set, out, err, bytes: bytesOf(set), calls: callsIn(set) }
})
afterAll(() => talks.close())
beforeEach(() => {
  talks.say.by = () => undefined
  talks.onAsk.do = () => {}
})

interface Counts {
  drafted: number
  kept: number
  rejected: Record<string, number>
}

function countsOf(set: string): Counts {
  return JSON.parse(readFileSync(join(set, 'benchmark.json'), 'utf8')).counts as Counts
}

// kept + rejected = drafted, in benchmark.json, in made/rejected.jsonl and in each row of the card.
function expectFunnel(set: string): Counts {
  const counts = countsOf(set)
  const rejected = Object.values(counts.rejected).reduce((sum, one) => sum + one, 0)
  expect(counts.kept + rejected).toBe(counts.drafted)
  expect(madeLines(set, 'rejected.jsonl')).toHaveLength(rejected)
  const card = readFileSync(join(set, 'README.md'), 'utf8')
  const rows = [...card.matchAll(/^\| (?:mill|gate) \| ([\d |]+) \|$/gm)].map(([, cells = '']) =>
    cells.split(' | ').map(Number),
  )
  expect(rows).toHaveLength(2)
  for (const [drafted = 0, ...fates] of rows) expect(fates.reduce((sum, one) => sum + one, 0)).toBe(drafted)
  expect(rows.reduce((sum, [drafted = 0]) => sum + drafted, 0)).toBe(counts.drafted)
  return counts
}

test('a scripted author and filters make a whole set, and what is forecast is what is asked', () => {
  expect(expectFunnel(whole.set)).toMatchObject({ drafted: units, kept: units })
  const lines = [...whole.err.matchAll(/^([\w ]+): (at most )?(\d+) calls of make\.(\w+)/gm)].map(
    ([, stage, most, calls, role]) => ({ stage, role, isExact: !most, calls: Number(calls) }),
  )
  const sum = (isExact: boolean) =>
    lines.filter(line => line.isExact === isExact).reduce((total, { calls }) => total + calls, 0)
  expect(sum(true)).toBe(whole.calls)
  const [author] = lines
  expect(author).toEqual({ stage: 'questions', role: 'author', isExact: true, calls: units })
  expect(lines.filter(line => !line.isExact).map(({ stage, calls }) => [stage, calls])).toEqual([
    ['grounded', units],
    ['one right', units],
    ['blind', 3 * units],
  ])
  const forecast = units + sum(false)
  expect(whole.calls).toBe(5 * units)
  expect(whole.calls).toBeLessThanOrEqual(forecast)
  expect(forecast).toBeLessThanOrEqual(1.25 * whole.calls)
})

test('an answer that is counted or measured says so of itself, and needs to stand in no row', () => {
  const counted = ['Counting', 'Time Localization', 'Time Interval', 'Duration Time']
  const lines = madeLines<{ output: { answer: string; extra: { level3: string; computed?: string[] } } }>(
    whole.set,
    '02-questions.jsonl',
  )
  const isCounted = ({ level3 }: { level3: string }) => counted.some(name => level3.includes(name))
  expect(new Set(lines.map(({ output }) => isCounted(output.extra)))).toEqual(new Set([true, false]))
  for (const { output } of lines)
    expect(output.extra.computed).toEqual(isCounted(output.extra) ? [output.answer] : undefined)
})

test('the same bytes come of eight videos side by side, in whatever order replies come', async () => {
  let n = 0
  talks.server.misbehave(...Array.from({ length: 80 }, () => ({ fault: 'slow' as const, seconds: 0.005 * (n++ % 7) })))
  const { code, err } = await talks.make([...begin(talks), '--out', at('side'), '--concurrency', '8'])
  talks.server.misbehave()
  expect(code, err).toBe(0)
  expect(bytesOf(at('side'))).toEqual(whole.bytes)
})

test('a replay makes the same bytes and asks nobody', async () => {
  const before = talks.asked()
  const nobody = ['author', 'check'].flatMap(role => ['--set', `make.${role}.url=http://127.0.0.1:9/v1`])
  const { code, err } = await talks.make(['--replay', whole.set, '--out', at('again')], { set: nobody })
  expect(code, err).toBe(0)
  expect(talks.asked()).toBe(before)
  expect(bytesOf(at('again'))).toEqual(whole.bytes)
})

test('what a model does not say is kept as nothing, also where the making is replayed', async () => {
  talks.say.by = (model, prompt) => (model === 'blind' && prompt.includes('Dover Mill') ? '' : undefined)
  const { code, err } = await talks.make([...begin(talks), '--out', at('silent')])
  expect(code, err).toBe(0)
  const verdict = madeLines<{ item: string; replies?: (string | null)[] }>(at('silent'), '12-blind.jsonl')
  expect(verdict.flatMap(({ replies = [] }) => replies).filter(said => said === null)).toHaveLength(3)
  const replayed = await talks.make(['--replay', at('silent'), '--out', at('silent-again')])
  expect(replayed.code, replayed.err).toBe(0)
  expect(bytesOf(at('silent-again'))).toEqual(bytesOf(at('silent')))
})

// More than a test run can afford: LONGTAKE_LONG=1.
const kills = process.env.LONGTAKE_LONG ? 50 : 10

test('killed at random moments and resumed, a making ends with the same bytes and asks nothing twice', async () => {
  const set = at('killed')
  const before = talks.asked()
  talks.server.misbehave(...Array.from({ length: 400 }, () => ({ fault: 'slow' as const, seconds: 0.01 })))
  const { killed, end } = await killedAndResumed(
    { ...talks, make: (words, killOn) => talks.make(words, { killOn }) },
    { begin: [...begin(talks), '--out', set], set, kills, first: 1, last: 7 },
  )
  talks.server.misbehave()
  expect(end.code, end.err).toBe(0)
  expect(killed).toBeGreaterThan(5)
  expect(bytesOf(set)).toEqual(whole.bytes)
  // One call at a time was under way when it was killed.
  const asked = talks.asked() - before
  expect(asked).toBeGreaterThanOrEqual(whole.calls)
  expect(asked - whole.calls).toBeLessThanOrEqual(killed)
}, 600_000)

test('bad replies are asked again with their fault, twice; the third ends the draft, and the funnel has it', async () => {
  const [types, again]: [string[], string[]] = [[], []]
  talks.say.by = (model, prompt, nth) => {
    if (model !== 'author') return undefined
    const type = /^Type of the question: (.*?)\. It asks/m.exec(prompt)?.[1] // dealt: no two units of a video have the same
    if (type === undefined || !prompt.includes('Amber Gate')) return undefined
    if (!types.includes(type)) types.push(type)
    const unit = types.indexOf(type)
    if (unit > 3) return undefined
    if (unit === 3) return 'I would rather not.' // no JSON at all, whoever asks
    if (nth <= unit + 1) return triplet('What is the length of the Amber Mill?', 311, 'nowhere')
    if (nth > 1) again.push(prompt.split('\n').at(-1) ?? '')
    return undefined
  }
  const { code, err } = await talks.make([...begin(talks), '--out', at('bad')])
  expect(code, err).toBe(0)
  const lines = madeLines<{ tries: number; calls: string[]; rejected?: { check: string; detail: string } }>(
    at('bad'),
    '02-questions.jsonl',
  )
  expect(lines.slice(0, 4).map(({ tries, calls, rejected }) => [tries, calls.length, rejected?.check])).toEqual([
    [2, 2, undefined],
    [3, 3, undefined],
    [3, 3, 'reply'],
    [3, 3, 'reply'],
  ])
  expect(again).toEqual(Array(2).fill('Your last reply could not be used: there is no row "nowhere".'))
  expect(lines[2]?.rejected?.detail).toBe('there is no row "nowhere"')
  expect(expectFunnel(at('bad'))).toMatchObject({ drafted: units, kept: units - 2, rejected: { reply: 2 } })
})

test('the money ends a making cleanly: what it took counts when it is resumed, and more money finishes it', async () => {
  const set = at('money')
  const price = ['--set', 'prices={"openai":{"input":100000,"output":0}}'] // a call costs 1
  const poor = await talks.make([...begin(talks), '--out', set], { set: [...price, '--set', 'budget.money=7'] })
  expect(poor.code).toBe(6)
  expect(poor.err).toContain('The making has spent 7.00, and budget.money is 7.')
  expect(callsIn(set)).toBe(7)
  expect(existsSync(join(set, 'benchmark.json'))).toBe(false)
  const before = talks.asked()
  const again = await talks.make(['--resume', set], { set: [...price, '--set', 'budget.money=7'] })
  expect([again.code, talks.asked()]).toEqual([6, before])
  const rich = await talks.make(['--resume', set, '--json'], { set: [...price, '--set', 'budget.money=1000'] })
  expect(rich.code, rich.err).toBe(0)
  expect(talks.asked() - before).toBe(whole.calls - 7)
  expect(JSON.parse(rich.out).spent).toMatchObject({ calls: whole.calls, money: whole.calls })
  expect(bytesOf(set)).toEqual(whole.bytes)
})

test.each([
  ['make.author={"backend":"rules"}', 'make.author', 'Leave make.author out: then the rules of the recipe write.'],
  ['make.blind=[{"backend":"rules"}]', 'make.blind', 'Leave make.blind out: its checks are then not run'],
  ['models.vision={"backend":"rules"}', 'models.vision', 'Make without it: --set make.look.backend=off'],
])('rules are no model of a making: %s', async (setting, role, fix) => {
  const { code, err } = await talks.make([...begin(talks), '--out', at(`rules-${role}`)], { set: ['--set', setting] })
  expect(code).toBe(2)
  expect(err).toContain(`${role} must be a model that reads text, and chat/rules reads none.`)
  expect(err).toContain(fix)
  expect(err).not.toContain('source 1/2')
})

test.each([
  ['{"backend":"openai","modle":"x"}', 'make.check (openai) has no setting "modle".'],
  ['{"backend":"openai","model":3}', 'make.check (openai): model: '],
])('a wrong setting of a model is named by its place, before a video is indexed: %s', async (choice, says) => {
  const set = ['--set', `make.check=${choice}`]
  const { code, err } = await talks.make([...begin(talks), '--out', at('misset')], { set })
  expect([code, err]).toEqual([2, expect.stringContaining(says)])
  expect(err).not.toMatch(/models\.writer|source 1/)
})

const unseeing = (url: string) => JSON.stringify({ backend: 'openai', model: 'blind', url, accepts: ['text'] })

test.each([
  ['make.look', 'pictures', 'image', 'Leave make.look out: no model then looks'],
  ['make.listen', 'sound', 'audio', 'Leave make.listen out: no model then listens'],
  ['make.glance', 'pictures', 'image', 'Leave make.glance out: its checks'],
  ['models.vision', 'pictures', 'image', 'Make without it: --set make.look.backend=off: no model then looks'],
])('as %s a model that takes no %s is refused before a video is indexed', async (place, what, as, otherwise) => {
  const set = ['--set', `${place}=${unseeing(`${talks.server.url}/v1`)}`]
  const { code, err } = await talks.make([...begin(talks), '--out', at(place)], { set })
  expect(code).toBe(2)
  expect(err).toContain(`${place} must be a model that takes ${what}, and chat/openai/blind takes none.`)
  expect(err).toContain(`If it does, add "${as}" to its setting "accepts". ${otherwise}`)
  expect(err).not.toContain('source 1/2')
})

test('a dry run says what it would take, asks nothing and writes nothing', async () => {
  const before = talks.asked()
  const { code, out, err } = await talks.make([...begin(talks), '--out', at('dry'), '--dry-run'])
  expect([code, talks.asked(), existsSync(at('dry'))]).toEqual([0, before, false])
  expect(err).toContain(`questions: ${units} calls of make.author`)
  expect(out).toContain('A dry run')
  const other = await talks.make([...begin(talks), '--out', at('dry'), '--seed', '2', '--dry-run'])
  expect(other.code, other.err).toBe(0)
})

test.each([
  ['--resume', ['--seed', '2']],
  ['--resume', ['--option', 'perVideo=3']],
  ['--resume', ['--licence', 'MIT']],
  ['--resume', ['--exclude', 'list.txt']],
  ['--replay', ['--seed', '2', '--out', 'x']],
  ['--replay', ['--option', 'perVideo=3', '--out', 'x']],
  ['--replay', ['--dry-run', '--out', 'x']],
])('%s refuses what was said before: %s', async (flag, more) => {
  const { code, err } = await talks.make([flag, whole.set, ...more])
  expect([code, err]).toEqual([2, expect.stringContaining('cannot go together')])
})

test('another recipe than that of the set is refused', async () => {
  const { code, err } = await talks.make(['longshot', '--resume', whole.set])
  expect([code, err]).toEqual([2, expect.stringContaining('is made by the recipe cg-bench, not longshot')])
})
