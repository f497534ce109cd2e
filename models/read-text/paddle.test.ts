import { expect, test } from 'vitest'
import { host } from '../../tests/contracts/backends.ts'
import { decode } from '../prepare/letters.ts'
import { textBoxes } from '../prepare/text-boxes.ts'
import { textReaders } from './index.ts'
import { readCharacters } from './paddle/files.ts'

// Scores of five classes (none, a, b, c, space) with the given one sure in each step.
const scores = (...classes: number[]) =>
  Float32Array.from(classes.flatMap(sure => Array.from({ length: 5 }, (_, i) => (i === sure ? 0.96 : 0.01))))

test('a letter over several steps is one letter, and twice the same with nothing between is one too', () => {
  expect(decode(scores(1, 1, 0, 2, 2, 2), 5, ['a', 'b', 'c']).text).toBe('ab')
  expect(decode(scores(1, 0, 1, 1), 5, ['a', 'b', 'c']).text).toBe('aa')
})

test('the class after the keys is the space, and spaces at the ends go', () => {
  const read = decode(scores(4, 1, 4, 4, 0, 4, 3, 4), 5, ['a', 'b', 'c'])
  expect(read.text).toBe('a c')
  expect(read.confidence).toBeCloseTo(0.96)
})

test('a space that the scores hint at stands between Latin words, not between digits of a time or Chinese letters', () => {
  const hinted = scores(1, 0, 2)
  hinted[1 * 5 + 4] = 0.04
  expect(decode(hinted, 5, ['a', 'b', 'c']).text).toBe('a b')
  expect(decode(hinted, 5, [':', '4', 'c']).text).toBe(':4')
  expect(decode(hinted, 5, ['火', '车', '站']).text).toBe('火车')
})

test('a space that was left out after a word and its mark is known by the gap, and no time or decimal is parted', () => {
  const keys = ['a', ':', '4']
  expect(decode(scores(1, 0, 1, 0, 2, 0, 0, 0, 3), 5, keys).text).toBe('aa: 4')
  expect(decode(scores(1, 0, 1, 0, 2, 0, 3), 5, keys).text).toBe('aa:4')
  expect(decode(scores(3, 0, 3, 0, 2, 0, 0, 0, 3), 5, keys).text).toBe('44:4')
})

test('wide marks become narrow ones in a Latin line, and stay in a Chinese one', () => {
  expect(decode(scores(1, 2, 3), 5, ['f', '（', 'x']).text).toBe('f(x')
  expect(decode(scores(1, 2, 3), 5, ['站', '：', '六']).text).toBe('站：六')
})

test('a nought among small letters is an o, and none among digits or capitals is', () => {
  const keys = ['0', 'a', 'x', 's', 'l', 'o', 'B', '7']
  const read = (text: string) => {
    const classes = keys.length + 2
    const one = (letter: string) =>
      Array.from({ length: classes }, (_, i) => (i === keys.indexOf(letter) + 1 ? 0.9 : 0))
    const none = Array.from({ length: classes }, (_, i) => (i === 0 ? 0.9 : 0))
    return decode(Float32Array.from([...text].flatMap(letter => [...one(letter), ...none])), classes, keys).text
  }
  expect(['0slo', 's0ls', '0xaa', 'B0B', '7007', 'a0'].map(read)).toEqual(['Oslo', 'sols', '0xaa', 'B0B', '7007', 'a0'])
})

test('nothing but "none" is an empty text without confidence', () => {
  expect(decode(scores(0, 0, 0), 5, ['a', 'b', 'c'])).toEqual({ text: '', confidence: 0 })
})

test('a patch of the map becomes a box that is wider than it by half its thickness, inside the picture', () => {
  const [width, height] = [100, 50]
  const map = new Float32Array(width * height)
  for (let y = 20; y < 30; y++) map.fill(0.9, y * width + 10, y * width + 90)
  const [place] = textBoxes(map, { width, height }, { threshold: 0.3, boxThreshold: 0.5 })
  const box = place?.box
  const edge = (80 * 10 * 1.5) / (2 * 90)
  expect(box!.x).toBeCloseTo((10 - edge) / width)
  expect(box!.y).toBeCloseTo((20 - edge) / height)
  expect(box!.x + box!.width).toBeCloseTo((90 + edge) / width)
  expect(box!.y + box!.height).toBeCloseTo((30 + edge) / height)
})

test('a patch that is tilted has corners of its own, and a level one has none', () => {
  const [width, height] = [200, 100]
  const map = new Float32Array(width * height)
  const slope = Math.tan((8 * Math.PI) / 180)
  for (let x = 20; x < 160; x++) for (let y = 0; y < 10; y++) map[Math.round(60 - x * slope + y) * width + x] = 0.9
  const [place] = textBoxes(map, { width, height }, { threshold: 0.3, boxThreshold: 0.5 })
  const [[fromX, fromY], [toX, toY]] = place!.corners!
  expect((Math.atan2((toY - fromY) * height, (toX - fromX) * width) * 180) / Math.PI).toBeCloseTo(-8, 0)
  const level = new Float32Array(width * height)
  for (let y = 20; y < 30; y++) level.fill(0.9, y * width + 10, y * width + 190)
  expect(textBoxes(level, { width, height }, { threshold: 0.3, boxThreshold: 0.5 })).toEqual([
    { box: expect.objectContaining({ x: expect.any(Number) }) },
  ])
})

test('patches that are faint or tiny are no text', () => {
  const map = new Float32Array(100 * 50)
  for (let y = 20; y < 30; y++) map.fill(0.4, y * 100 + 10, y * 100 + 90)
  map.fill(0.99, 4005, 4007)
  expect(textBoxes(map, { width: 100, height: 50 }, { threshold: 0.3, boxThreshold: 0.5 })).toEqual([])
})

// As PyYAML writes them, which writes the inference.yml of PaddlePaddle's models.
const description = `PostProcess:
  name: CTCLabelDecode
  character_dict:
  - \u3000
  - '!'
  - ''''
  - '"'
  - \\
  - '#'
  - 'null'
  - 你
  - \u00a0
  - "\\uFEFF"
  - "\\x07"
  - 😀
  - ' '
Global:
  model_name: x
`

test('the characters of a recogniser are read from a list and from its description', () => {
  const characters = ['\u3000', '!', "'", '"', '\\', '#', 'null', '你', '\u00a0', '\ufeff', '\x07', '😀', ' ']
  expect(readCharacters(description, true)).toEqual(characters)
  expect(readCharacters(description.replace(/Global.*/s, ''), true)).toEqual(characters)
  expect(readCharacters('a\r\nb\r\n \r\n', false)).toEqual(['a', 'b', ' '])
  expect(readCharacters('a: 1\n', true)).toEqual([])
})

test('a named model needs the files of its two repositories, and those that are named in place of them', async () => {
  const needs = async (settings: object) => {
    const paddle = await textReaders.load('paddle')
    return paddle.needs?.(paddle.settings.parse(settings))?.map(({ name, model }) => model?.files ?? name)
  }
  const both = [['inference.onnx'], ['inference.onnx', 'inference.yml']]
  expect(await needs({ model: 'ppocr-v5-mobile' })).toEqual(both)
  expect(await needs({})).toEqual(both)
  expect(await needs({ model: 'ppocr-v5-server', detector: '/d' })).toEqual(['the detector file /d', both[1]])
  expect(await needs({ model: 'ppocr-v5-mobile', recognizer: '/r', keys: '/k' })).toEqual([
    ...['the recognizer file /r', 'the keys file /k'],
    both[0],
  ])
  await expect(textReaders.open('paddle', { model: 'ppocr-v5-mobile' }, host)).rejects.toMatchObject({
    message: expect.stringContaining('PaddlePaddle/PP-OCRv5_mobile_det_onnx'),
    hint: 'Run "longtake models pull" with the same --profile and --set.',
  })
})

test('without its files it says which setting is missing, and with a wrong path which file', async () => {
  const some = textReaders.open('paddle', { recognizer: '/no/rec.onnx' }, host)
  await expect(some).rejects.toThrow('detector: name the file of the detector')
  const files = { detector: '/no/det.onnx', recognizer: '/no/rec.onnx', keys: '/no/keys.txt' }
  await expect(textReaders.open('paddle', files, host)).rejects.toMatchObject({
    message: expect.stringContaining('/no/det.onnx'),
    hint: 'Set models.readText.detector to where it lies.',
  })
})
