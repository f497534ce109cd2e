import { describe, expect, test } from 'vitest'
import { judgeStudy, type StudiedJudge } from '../../agree/agree-runs.ts'
import type { Item } from '../../agree/judged-run.ts'
import type { Annotator } from '../../agree/verdict-files.ts'
import { MadeSet } from '../../data/benchmark-json.ts'
import type { Judgment } from '../../data/sample-line.ts'
import type { Scale } from '../../protocols/judge/scale.ts'
import type { KeptAgreement } from '../../runner/files/kept-agreement.ts'
import type { OwnSources } from './own-rows.ts'
import { paperTable } from './paper-table.ts'
import { publishedTable, publishedTablesOfAll } from './paper-tables.ts'

// Verdicts by the place of the answer; "." is none.
const verdicts = (text: string, classes: string, step: string) =>
  new Map([...text].flatMap((sign, i) => (sign === '.' ? [] : [[`r\n${i}\n${step}`, classes.indexOf(sign)] as const])))
const items = (count: number, step: string, scale: Scale) =>
  Array.from({ length: count }, (_, i) => ({
    key: `r\n${i}\n${step}`,
    step,
    scale,
    answer: { sample: { id: String(i), video: `v${i}` } },
  })) as unknown as Item[]
const person = (name: string, given: Annotator['verdicts'], needs: number[] = []): Annotator => ({
  name,
  verdicts: given,
  needsPicture: new Map([...given.keys()].map((key, i) => [key, needs.includes(i)])),
})
const judgments = (keys: Iterable<string>) =>
  new Map(
    [...keys].map(key => {
      const usage = { calls: 1, inputTokens: 1000, outputTokens: 100 }
      return [key, { by: 'm', replies: {}, failed: {}, seconds: 2, usage } satisfies Judgment] as const
    }),
  )
const kept = (benchmark: string, people: readonly Annotator[], judges: KeptAgreement['judges']): OwnSources => ({
  agreements: [{ format: 1, benchmark, runs: ['first'], people: people.map(({ name }) => name), judges }],
  sets: [],
})
const shown = async (id: string, sources: OwnSources) => {
  const { columns, rows, notes } = paperTable(await publishedTable(id), [], sources)
  return { columns, rows, notes }
}

describe('a judge beside people, as VideoEval-Pro has it', () => {
  // Of ten answers the people graded eight, and on the last of these each said something else. Right of eight: LLM 4, R1 3, R2 5, R3 4.
  const given = { LLM: 'ABABABABAA', anna: 'ABABABBB..', ben: 'ABABABAA..', carl: 'ABABABAC..' }
  const grade = (text: string) => verdicts(text, 'ABC', 'open')
  const people = (['anna', 'ben', 'carl'] as const).map(name => person(name, grade(given[name])))
  const judge = (name: string): StudiedJudge => {
    const said = grade(given.LLM)
    return { name, kind: 'judge', verdicts: said, judgments: judgments(said.keys()) }
  }
  const study = (name: string, of = people) => judgeStudy(judge(name), of, items(10, 'open', 'grade'))!

  test('kappa of each pair and the accuracies, over the answers that all graded', async () => {
    const { columns, rows, notes } = await shown(
      'videoeval-pro:5',
      kept('videoeval-pro', people, [study('ollama/judge')]),
    )
    expect(columns).toEqual(['', 'first, ollama/judge *a', 'LLM and raters'])
    expect(rows.map(([name, own]) => [name, own])).toEqual([
      // 4 and 3 right, alike on 7: (7/8 - 1/2) / (1 - 1/2); so are 4 and 5. 3 and 5 right, alike on 6: (6/8 - 30/64) / (1 - 30/64).
      ['κ LLM-R1', '0.75'],
      ['κ LLM-R2', '0.75'],
      ['κ LLM-R3', '1.00'],
      ['κ LLM-MV', '1.00'],
      ['κ R1-R2', '0.53'],
      ['κ R1-R3', '0.75'],
      ['κ R2-R3', '0.75'],
      ['Acc. LLM (%)', '50'],
      ['Acc. R1 (%)', '38'],
      ['Acc. R2 (%)', '63'],
      ['Acc. R3 (%)', '50'],
      ['Acc. MV (%)', '57'],
    ])
    expect(notes[0]).toMatch(/^\*a {2}8 answers of first that the judge and 3 people graded; .*no majority\.$/)
  })

  test('one person has no majority and no other, and what is not there is a dash', async () => {
    const [anna] = people
    const { rows } = await shown('videoeval-pro:5', kept('videoeval-pro', [anna!], [study('j', [anna!])]))
    const filled = rows.flatMap(([name, own]) => (own === '-' ? [] : [name]))
    expect(filled).toEqual(['κ LLM-R1', 'Acc. LLM (%)', 'Acc. R1 (%)'])
  })

  test('a judge by words stands under no head of a model', async () => {
    const { columns, rows } = await shown('videoeval-pro:5', kept('videoeval-pro', people, [study('words')]))
    expect(columns[1]).toBe('first, words *a (words)')
    expect(rows[0]?.[1]).toBe('0.75')
  })

  test('nobody graded what the judge did: no row', async () => {
    const other = person('dora', grade('.'.repeat(10)))
    expect(judgeStudy(judge('j'), [other], items(10, 'open', 'grade'))).toBeUndefined()
    const { columns } = await shown('videoeval-pro:5', { agreements: [], sets: [] })
    expect(columns).toEqual(['', 'LLM and raters'])
  })
})

describe('modes of a judge, as CG-Bench has them', () => {
  const all = [...items(4, 'open', 'yes'), ...items(4, 'step_1', 'look')]
  const anna = person('anna', verdicts('1100', '01', 'open'), [0, 3])
  const study = (mode: StudiedJudge['mode'], final: string, first: string, price?: StudiedJudge['price']) => {
    const said = new Map([...verdicts(final, '01', 'open'), ...verdicts(first, '012', 'step_1')])
    const judge = { name: `j (${mode})`, kind: 'judge', verdicts: said, mode, price } as const
    return judgeStudy({ ...judge, judgments: judgments(verdicts(final, '01', 'open').keys()) }, [anna], all)!
  }

  test('bias without its sign, seconds, price, and how often the picture is asked for', async () => {
    const judges = [
      study('heuristic', '1000', '2220', { input: 10, output: 100 }),
      study('text', '1111', '1111'),
      study('vision', '1100', '1100'),
      study(undefined, '1100', '1100'),
    ]
    const { columns, rows, notes } = await shown('cg-bench:5', kept('cg-bench', [anna], judges))
    expect(columns.slice(1, 4)).toEqual([
      'Ours, first, j (heuristic) *a',
      'GT, first, j (text) *b',
      'Vis, first, j (vision) *c',
    ])
    expect(columns).toHaveLength(4 + 4) // the judge without a mode has none
    expect(rows.map(row => row.slice(0, 4))).toEqual([
      ['Bias (%)', '25.00', '50.00', '0.00'],
      ['Time (s)', '8.00', '8.00', '8.00'],
      ['Price ($)', '0.08', '-', '-'], // 4,000 tokens in at 10, 400 out at 100 a million
      ['Trigger Rate (%)', '75', '0', '100'],
      ['Trigger Recall Rate (%)', '50', '0', '100'],
    ])
    expect(notes[0]).toContain('asked for the picture in 3 of 4, 1 of 2 needed')
  })
})

describe('a reviewed set, as InfiniBench has it', () => {
  const set = (outcomes: Record<string, Record<string, number>>, recipe = 'infinibench') => ({
    name: 'my-set',
    set: MadeSet.parse({
      format: 1,
      recipe,
      recipeVersion: '1',
      annotations: ['a.json'],
      split: 'made',
      seed: 1,
      canary: 'c',
      counts: { videos: 1, drafted: 9, kept: 9, rejected: {} },
      roles: {},
      notRun: [],
      prompts: {},
      filters: [],
      reviewed: { items: 9, outcomes },
      licence: 'own',
    }),
  })

  test('the share that is valid of each skill that somebody has seen', async () => {
    const outcomes = {
      scene_transitions: { kept: 5, fixed: 1, dropped: 1, open: 4 },
      choronological_understanding: { kept: 3 },
      spoiler_questions: { open: 2 },
      summarization: { kept: 1 },
    }
    const { rows, notes } = await shown('infinibench:10', { agreements: [], sets: [set(outcomes)] })
    expect(rows.slice(0, 2)).toEqual([
      ['Scene Transitions, my-set *a', '7', '85.71'],
      ['Chronological understandings, my-set *b', '3', '100.00'],
    ])
    expect(rows).toHaveLength(2 + 7)
    expect(notes[0]).toContain('1 that they fixed count as valid')
  })

  test('of another recipe has no row', async () => {
    const sources = { agreements: [], sets: [set({ scene_transitions: { kept: 5 } }, 'longshot')] }
    expect((await shown('infinibench:10', sources)).rows).toHaveLength(7)
  })
})

test('a table of judges or reviews has no row of scores', async () => {
  const tables = (await publishedTablesOfAll()).filter(({ own }) => own !== 'scores')
  expect(tables.map(({ id }) => id).sort()).toEqual(['cg-bench:5', 'infinibench:10', 'videoeval-pro:5'])
  for (const table of tables) {
    const parts = Object.keys(table.parts)
    expect(parts).toEqual(table.own === 'review' ? table.rows.map(({ model }) => model) : [])
  }
})
