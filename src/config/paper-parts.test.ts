import { expect, test } from 'vitest'
import { paperDepartures } from './paper-parts.ts'
import { profileSettings, profiles, roleNames } from './profiles.ts'

// What the paper of LongShOTAgent names (appendix B, figure 2), what the profile has, and whether that is the same.
const named = [
  ['transcribe', 'Whisper small', 'whisper/small', 'equal'],
  ['retranscribe', 'Whisper large-v3', 'whisper/onnx-community/whisper-large-v3-ONNX', 'without times of words'],
  ['readText', 'PaddleOCR, no version named', 'paddle/ppocr-v5-server', 'the newest that PaddleOCR has'],
  ['listen', 'Audio Flamingo 3', 'openai/nvidia/audio-flamingo-3-hf', 'equal'],
  ['embedImage', 'SigLIP', 'siglip/Xenova/siglip-base-patch16-512', /size as in the released code/],
  ['planner', 'Qwen3-4B', 'ollama/qwen3:4b-instruct', /2507 instruct build; 4 bits/],
  ['vision', 'Qwen2.5-VL-7B', 'ollama/qwen2.5vl:7b', /not a clip/],
  ['judge', 'Qwen3-14B, /no_think', 'ollama/qwen3:14b', /without its JSON format/],
  ['detect', 'a tool, no model named', 'owl/owlv2', 'none named'],
  ['faces', 'a tool, no model named', 'vlm', 'none named'],
] as const

test.each(named)('%s: the paper has %s, the profile %s', (role, paper, here, why) => {
  const { backend, model } = profiles.paper[role]
  expect(typeof model === 'string' ? `${backend}/${model}` : backend).toBe(here)
  const departure = paperDepartures(profiles.paper).find(({ part }) => part === role)
  if (why === 'equal') expect(departure).toBeUndefined()
  else
    expect(departure).toEqual({
      part: role,
      paper,
      here,
      why: typeof why === 'string' ? why : expect.stringMatching(why),
    })
})

test('every role that departs says from what and why, and the tools are the sixteen of the paper', () => {
  const departures = paperDepartures(profiles.paper)
  for (const { paper, here, why } of departures) for (const text of [paper, here, why]) expect(text).not.toBe('')
  const parts = departures.map(({ part }) => part)
  expect(roleNames.filter(role => !parts.includes(role))).toEqual(['transcribe', 'speakers', 'listen'])
  expect(parts.slice(-2)).toEqual(['control loop', 'web search, code'])
  expect(profileSettings.paper).toMatchObject({ tools: { sets: 'longshot' } })
})

test('a role that is set otherwise departs, also where the profile is the paper', () => {
  const models = { ...profiles.paper, listen: { backend: 'signal' } }
  expect(paperDepartures(models)).toContainEqual({
    part: 'listen',
    paper: 'Audio Flamingo 3',
    here: 'signal',
    why: 'set otherwise than the profile',
  })
})
