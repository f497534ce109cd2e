import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { chatModels } from '../../models/chat/index.ts'
import { closeAll, closeLater, testHost } from '../servers/host.ts'
import { hasPackage, packageFolder } from '../support/counterparts.ts'
import { ask } from './ask.ts'
import { handMadeIndex } from './hand-made-index.ts'
import { museum } from './museum.ts'

// A GGUF file of an instruct model under 3B.
const { LONGTAKE_TEST_GGUF: file = '' } = process.env
const missing = existsSync(file)
  ? hasPackage('node-llama-cpp')
    ? ''
    : 'node-llama-cpp is not installed'
  : 'LONGTAKE_TEST_GGUF names no file'

afterAll(closeAll)

describe.skipIf(missing)(`a real small model${missing && ` (skipped: ${missing})`}`, () => {
  test('answers in the whole agent, each time to the end and with evidence', async () => {
    const settings = { folder: dirname(file), file: basename(file), packageFolder, device: 'cpu', threads: 1 }
    const model = closeLater(await chatModels.open('llama-cpp', settings, testHost()))
    const index = handMadeIndex(museum)
    const roles = { graph: 'retrieve-and-write', planner: model, writer: model, verifier: model }
    for (const [question, truth] of [
      ['What is the password?', /blue falcon/i],
      ['How much does a ticket cost?', /twelve|12/],
    ] as const) {
      const { answer, stop, spent } = await ask(index, question, roles)
      expect(stop).toBe('answered')
      expect(answer.text).toMatch(truth)
      expect(answer.sentences[0]?.cites.length).toBeGreaterThan(0)
      expect(spent.outputTokens).toBeGreaterThan(0)
    }
    const { answer } = await ask(index, 'Who won the regatta?', roles)
    expect(answer.abstained).toBe(true)
  }, 300_000)
})
