import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { listChangedSettings } from '../../runner/changes/change.ts'
import { readFaults } from '../../runner/changes/fault.ts'
import { AblationFile, ablationSchema } from './ablation-file.ts'
import { type KnownNames, splitAtCommas } from './read-changes.ts'
import { readMatrixRows } from './rows.ts'

const known: KnownNames = {
  tools: ['search', 'look', 'overview'],
  policies: ['verifier', 'routing', 'overview'],
  graphs: ['investigate', 'single-pass'],
  backends: { readText: ['tesseract', 'paddle'], planner: ['rules', 'ollama'] },
}
const rows = (file: object) => readMatrixRows(AblationFile.parse(file), known)
const names = (file: object) => rows(file).map(row => row.name)

describe('the rows of a study', () => {
  test('a name that every object has is no track', () => {
    for (const name of ['constructor', 'track:toString', '__proto__'])
      expect(() => rows({ without: [name] })).toThrow('Unknown')
  })

  test('without captions is a row of its own, which "tracks" does not stand for', () => {
    const [, row] = rows({ without: ['captions'] })
    expect(row?.changes.flatMap(listChangedSettings)).toEqual(['index.captions.mode=off'])
    expect(names({ without: ['tracks'] })).not.toContain('without caption')
  })

  test('are the base and each change for itself', () => {
    expect(
      names({
        without: ['text', 'verifier', 'look'],
        swap: { readText: ['paddle', 'off'] },
        set: { 'index.vectors': ['exact'], 'budget.steps': [2, 4] },
        graph: ['single-pass'],
        oracle: ['span'],
        fault: ['asr:wer=0.1,0.2', 'tool:search=down'],
      }),
    ).toEqual([
      'base',
      'without text',
      'without verifier',
      'without look',
      'readText=paddle',
      'readText=off',
      'index.vectors=exact',
      'budget.steps=2',
      'budget.steps=4',
      'graph single-pass',
      'oracle span',
      'fault asr:wer=0.1',
      'fault asr:wer=0.2',
      'fault tool:search=down',
    ])
  })

  test('have folders of their own also where values differ in case alone, or where their names do', () => {
    const made = rows({
      option: { judge: ['Qwen', 'qwen', 'QWEN'] },
      rows: [
        { name: 'Option judge=qwen', set: { 'budget.steps': 3 } },
        { name: 'base', set: { 'budget.steps': 4 } },
      ],
    })
    expect(made.map(({ id }) => id)).toEqual([
      'base',
      ...['option-judge=qwen', 'option-judge=qwen~2', 'option-judge=qwen~3', 'option-judge=qwen~4'],
      'base~2',
    ])
    expect(made.slice(1, 4).map(({ changes }) => changes)).toEqual(
      ['Qwen', 'qwen', 'QWEN'].map(value => [{ kind: 'option', name: 'judge', value }]),
    )
  })

  test('in full are every combination, and never two levels of one thing', () => {
    const made = names({ design: 'full', without: ['text'], fault: ['asr:wer=0.1', 'asr:wer=0.2'] })
    expect(made).toEqual([
      'base',
      'fault asr:wer=0.1',
      'fault asr:wer=0.2',
      'without text',
      'without text, fault asr:wer=0.1',
      'without text, fault asr:wer=0.2',
    ])
  })

  test('can be of several changes: a+b, or rows of the file', () => {
    expect(
      names({ without: ['speech+sound'], rows: [{ name: 'deaf', without: ['speech'], fault: ['ocr:cer=0.1'] }] }),
    ).toEqual(['base', 'without speech+sound', 'deaf'])
  })

  test('are one where they say the same, and have folders of their own', () => {
    const made = rows({ without: ['text', 'ocr'], set: { 'a.b': ['x/y', 'x y'] } })
    expect(made.map(row => row.name)).toEqual(['base', 'without text', 'a.b=x/y', 'a.b=x y'])
    expect(new Set(made.map(row => row.id)).size).toBe(4)
    expect(made.every(row => /^[a-z0-9][a-z0-9.+=~-]*$/.test(row.id))).toBe(true)
  })

  test('name what is off in any spelling', () => {
    expect(names({ without: ['OCR', 'Verifier', 'track:Speech'] })).toEqual([
      'base',
      'without text',
      'without verifier',
      'without speech',
    ])
  })

  test('"policies" is each of them', () => {
    expect(names({ without: ['policies'] })).toEqual([
      'base',
      'without verifier',
      'without routing',
      'without overview',
    ])
  })

  test('change the settings that they name', () => {
    const [, text, policy, swap, graph] = rows({
      without: ['text', 'routing'],
      swap: { planner: ['ollama:qwen3:4b'] },
      graph: ['single-pass'],
    })
    expect(text!.changes.flatMap(listChangedSettings)).toEqual(['index.tracks.text=false'])
    expect(policy!.changes.flatMap(listChangedSettings)).toEqual(['policy.routing=false'])
    expect(swap!.changes.flatMap(listChangedSettings)).toEqual([
      'models.planner.backend=ollama',
      'models.planner.model=qwen3:4b',
    ])
    expect(graph!.changes.flatMap(listChangedSettings)).toEqual(['graph=single-pass'])
  })

  test.each([
    [{ without: ['serch'] }, /Unknown tool, track or policy "serch"/],
    [{ without: ['overview'] }, /is the name of a policy and of a tool/],
    [{ swap: { readText: ['tesserakt'] } }, /Unknown readText backend/],
    [{ swap: { reader: ['x'] } }, /Unknown role/],
    [{ graph: ['loop'] }, /Unknown graph/],
    [{ fault: ['asr=0.2'] }, /says nothing that can be planted/],
    [{ fault: ['asr:cer=0.2'] }, /Unknown measure/],
    [{ fault: ['asr:wer=2'] }, /must be between 0 and 1/],
    [{ fault: ['tool:nothing=down'] }, /Unknown tool/],
    [{ rows: [{ name: 'both', fault: ['asr:wer=0.1,0.2'] }] }, /sets the fault asr:wer twice/],
    [{}, /nothing to compare/],
  ])('%j is refused with what is wrong', (file, message) => {
    expect(() => rows(file)).toThrow(message)
  })
})

test('faults are read with their strengths', () => {
  expect(readFaults('tool:look=down', ['look'])).toEqual([{ target: 'tool', tool: 'look', amount: 1 }])
  expect(readFaults('frames:drop=0.3,.5', [])).toEqual([
    { target: 'frames', measure: 'drop', amount: 0.3 },
    { target: 'frames', measure: 'drop', amount: 0.5 },
  ])
})

test('commas inside of JSON do not part values', () => {
  expect(splitAtCommas('a, ["b","c,d"],{"e":1,"f":2}')).toEqual(['a', '["b","c,d"]', '{"e":1,"f":2}'])
})

test('the published schema is that of the file (npx longtake bench ablate --schema > docs/ablation.schema.json)', () => {
  const published = readFileSync(new URL('../../../docs/ablation.schema.json', import.meta.url), 'utf8')
  expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(ablationSchema())))
})

test('the example of the guide is such a file', () => {
  const example = readFileSync(new URL('../../../docs/examples/ablation.json', import.meta.url), 'utf8')
  expect(AblationFile.parse(JSON.parse(example)).benchmark).toBe('needle')
})
