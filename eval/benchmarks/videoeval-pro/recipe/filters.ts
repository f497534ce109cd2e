import { z } from 'zod'
import { formatTime } from '../../../../src/core/time.ts'
import { fence } from '../../../../src/core/words/fence.ts'
import { askJson } from '../../../recipes/checks/parts/ask.ts'
import { eachItem } from '../../../recipes/checks/parts/verdicts.ts'
import type { ItemCheck } from '../../../recipes/item.ts'
import prompts from './prompts.json' with { type: 'json' }

// The first three filters of the paper; the fourth is K9 with one frame.

export const duration: ItemCheck = {
  k: 0,
  name: 'duration',
  run: (items, { record, thresholds: { seconds = 600 } }) =>
    eachItem(items, ({ video }) => {
      const length = record(video).statistics.duration
      if (length >= seconds) return undefined
      const lengthText = length > 0 ? `its video lasts ${formatTime(length)}` : 'the length of its video is not known'
      return `${lengthText}, ${formatTime(seconds)} at least`
    }),
}

export const shortOptions: ItemCheck = {
  k: 0,
  name: 'short options',
  run: (items, { thresholds: { words = 5 } }) =>
    eachItem(items, ({ options = [] }) => {
      const counts = options.map(option => option.trim().split(/\s+/).length)
      const mean = counts.reduce((sum, one) => sum + one, 0) / Math.max(1, counts.length)
      return mean > words ? `its options have ${mean.toFixed(1)} words on average, ${words} at most` : undefined
    }),
}

const unanswerable =
  /\bwhich of the following\b|\boptions?\b|\b\d{1,2}:\d{2}(?::\d{2})?\b|\bsubtitles? (?:say|read|show|appear)\w*/i

export const answerableByWords: ItemCheck = {
  k: 0,
  name: 'answerable by words',
  run: items =>
    eachItem(items, ({ question }) => {
      const phrase = unanswerable.exec(question)?.[0]
      return phrase && `without options its "${phrase}" cannot be answered`
    }),
}

// Before anything is paid: what make.glance would have to look at and cannot.
export const videoThere: ItemCheck = {
  k: 0,
  name: 'video there',
  optionalRole: 'glance',
  run: (items, { record, models }) =>
    eachItem(items, ({ video }) => {
      if (models('glance').length === 0 || !record(video).absent) return undefined
      return `its video ${record(video).video} is not there, and make.glance looks at it`
    }),
}

const Keep = z.object({ keep: z.boolean() })

// A model that is given only the question. What it does not decide stays.
export const answerable: ItemCheck = {
  k: 0,
  name: 'answerable',
  role: 'check',
  calls: items => items.length,
  run: (items, { models, signal }) =>
    eachItem(items, async item => {
      const [model] = models('check')
      if (!model) return undefined
      const text = [...prompts.answerable, fence('question', item.question)].join('\n')
      const { value, replies } = await askJson(model, { name: 'keep', schema: Keep, text }, signal)
      return value?.keep === false ? { detail: 'discarded by make.check', replies } : undefined
    }),
}
