import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { records as recordOf } from '../../tests/fuzz/dictionary.ts'
import { recordsOf, samplesOf } from '../../tests/support/benchmark.ts'
import { oraclePath, withOracle } from '../../tests/support/oracle.ts'
import { benchmarkNames, loadBenchmark } from './index.ts'
import { findEdition, readSplit } from './read-split.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-split-'))
})
afterEach(() => rm(folder, { recursive: true }))

// A file below the folder with so many records of the benchmark, as its makers lay them out.
async function put(name: string, path: string, count = 1, more: (i: number) => object = () => ({})): Promise<string> {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  const rows = Array.from({ length: count }, (_, i) => ({ ...recordOf[name], ...more(i) }))
  const text = path.endsWith('.jsonl') ? rows.map(row => `${JSON.stringify(row)}\n`).join('') : JSON.stringify(rows)
  await writeFile(file, text)
  return file
}

// Every split of every benchmark as its makers lay it out: three records of the first, two of the second, one of the third.
const layouts: Record<string, Record<string, string>> = {
  longshot: {
    postvalid_v2: 'postvalid_v2/test.jsonl',
    postvalid_v1: 'postvalid_v1/test.jsonl',
    postvalid_tools_v1: 'postvalid_tools_v1/test.jsonl',
  },
  'cg-bench': { mini: 'cgbench_mini.json', full: 'cgbench.json' },
  allvb: { train: 'allvb_train.json', test: 'allvb_test.json' },
  infinibench: {
    train: 'train/skills_json/global_appearance.json',
    validation: 'validation/skills_json/global_appearance.json',
    test: 'test/skills_json/global_appearance.json',
  },
  'videoeval-pro': { test: 'data/test.jsonl' },
  'video-mme': { test: 'videomme/test.jsonl' },
  lvbench: { test: 'video_info.meta.jsonl' },
  mlvu: { dev: 'MLVU/json/1_plotQA.json', test: 'MLVU_Test/test.json' },
  longvideobench: { validation: 'lvb_val.json', test: 'lvb_test_wo_gt.json' },
  'video-mme-v2': { test: 'test.jsonl' },
  lvomnibench: { '': 'data.json' },
  omnivideobench: { '': 'data.json' },
  hourvideo: { dev: 'hourvideo_dev.json', test: 'hourvideo_test.json' },
  minerva: { '': 'minerva.json' },
  egolife: { '': 'EgoLifeQA_A1_JAKE.json' },
  egomemreason: { '': 'annotations_public.jsonl' },
  needle: { '': 'needle.json' },
}

test('every benchmark has a layout here', () => {
  expect(Object.keys(layouts).sort()).toEqual([...benchmarkNames].sort())
})

for (const [name, layout] of Object.entries(layouts)) {
  test(`${name}: the split that is named is the one that is read, and another name is refused with those found`, async () => {
    const benchmark = await loadBenchmark(name)
    const splits = Object.keys(layout).filter(split => split !== '')
    for (const [i, path] of Object.values(layout).entries()) await put(name, path, 3 - i)
    for (const [i, split] of splits.entries()) {
      expect(await readSplit(benchmark, folder, split)).toMatchObject({ split, records: { length: 3 - i } })
      const file = join(folder, layout[split]!)
      expect(await readSplit(benchmark, file)).toMatchObject({ split, records: { length: 3 - i } })
      for (const other of splits.filter(one => one !== split))
        await expect(readSplit(benchmark, file, other)).rejects.toThrow(`no split "${other}"`)
    }
    const refused = await readSplit(benchmark, folder, 'nonsense').catch(error => error)
    expect(refused).toMatchObject({ exitCode: 2, message: expect.stringContaining('no split "nonsense"') })
    for (const split of splits) expect(refused.hint).toContain(split)
    if (splits.length > 1)
      await expect(readSplit(benchmark, folder)).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringContaining(`${splits.length} splits`),
      })
    else expect((await readSplit(benchmark, folder)).split).toBe(splits[0])
  })
}

test('one split in two formats is two files, and neither is preferred', async () => {
  await put('longshot', 'postvalid_v2_test.jsonl')
  await put('longshot', 'postvalid_v2_test.json', 2)
  const longshot = await loadBenchmark('longshot')
  await expect(readSplit(longshot, folder, 'postvalid_v2')).rejects.toMatchObject({
    exitCode: 2,
    hint: expect.stringMatching(/v2_test\.json, .*v2_test\.jsonl/),
  })
})

test('a file of a name that says nothing is no split', async () => {
  const file = await put('longshot', 'mine.jsonl', 2)
  const longshot = await loadBenchmark('longshot')
  expect(await readSplit(longshot, file)).toMatchObject({ split: undefined, records: { length: 2 } })
  await expect(readSplit(longshot, folder, 'postvalid_v2')).rejects.toMatchObject({
    exitCode: 2,
    hint: 'What lies there names no split: leave --split out.',
  })
})

test('records that say their split are chosen by it', async () => {
  await put('allvb', 'allvb.json', 5, i => ({ id: `q${i}`, split: i < 2 ? 'test' : 'train' }))
  const allvb = await loadBenchmark('allvb')
  expect((await samplesOf(allvb, folder, 'test')).map(({ id }) => id)).toEqual(['q0', 'q1'])
  expect(await recordsOf(allvb, folder, 'train')).toHaveLength(3)
  expect((await readSplit(allvb, folder)).split).toBeUndefined()
  await expect(readSplit(allvb, folder, 'dev')).rejects.toMatchObject({ hint: 'Found there: test, train.' })
})

test('mini is never full: a folder with mini alone has no full', async () => {
  await put('cg-bench', 'cgbench_mini.json')
  const cgBench = await loadBenchmark('cg-bench')
  for (const data of [folder, join(folder, 'cgbench_mini.json')])
    await expect(readSplit(cgBench, data, 'full')).rejects.toMatchObject({ exitCode: 2, hint: 'Found there: mini.' })
})

const mini = '../data/cg-bench/cgbench_mini.json'
withOracle(mini)('the mini set of CG-Bench', () => {
  test('is known by its records, whatever its file is called', async () => {
    const cgBench = await loadBenchmark('cg-bench')
    await cp(oraclePath(mini), join(folder, 'questions.json'))
    expect((await readSplit(cgBench, folder)).split).toBe('mini')
    expect((await readSplit(cgBench, folder, 'mini')).records).toHaveLength(3000)
    await expect(readSplit(cgBench, folder, 'full')).rejects.toThrow('no split "full"')
  })

  test('is refused under the name of full; with a question changed it is neither', async () => {
    const cgBench = await loadBenchmark('cg-bench')
    const file = join(folder, 'cgbench.json')
    await cp(oraclePath(mini), file)
    await expect(readSplit(cgBench, folder)).rejects.toThrow(/is named as full .* holds the questions of mini/)
    const records = JSON.parse(await readFile(file, 'utf8'))
    records[7].question = 'What else?'
    await writeFile(join(folder, 'changed.json'), JSON.stringify(records))
    expect((await readSplit(cgBench, join(folder, 'changed.json'))).split).toBeUndefined()
    expect(findEdition(cgBench, '', 12_129)).toBe('full')
  })
})
