import { z } from 'zod'
import type { Backend, Host } from '../../src/core/backend.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Reranker } from '../../src/core/services.ts'
import { hubModel, hubSettings, modelNeeds, modelSetting, onnxFile, openModelFolder } from '../hub/hub-model.ts'
import { Batches } from '../onnx/batches.ts'
import { onnxSettings } from '../onnx/device.ts'
import { lazySession } from '../onnx/session.ts'
import { lazyTokenizer, tokenFeeds } from '../tokens/tokenizer.ts'

// Short names for repositories of the hub.
const models = {
  'ms-marco': 'Xenova/ms-marco-MiniLM-L-6-v2',
  'bge-base': 'Xenova/bge-reranker-base',
}

const Settings = z.strictObject({
  model: modelSetting(models, 'ms-marco'),
  ...hubSettings,
  ...onnxSettings,
  batch: z.number().int().positive().default(16).describe('lines in one run; halved where they do not fit into memory'),
})
type Settings = z.infer<typeof Settings>

const files = ['config.json', 'tokenizer.json', 'tokenizer_config.json']
const wanted = (settings: Settings) => hubModel(settings, models, { files, parts: ['model'] })

// Scores query and line together. Scores of two models are not comparable, so the rating from 1 to 4 preserves the
// order of the lines and means little more.
const crossEncoder: Backend<Reranker, Settings> = {
  summary: 'a small model on this machine reads the query with each line',
  version: '1',
  settings: Settings,
  needs: settings => modelNeeds(wanted(settings)),
  open: openReranker,
}

export default crossEncoder

async function openReranker(settings: Settings, host: Host): Promise<Reranker> {
  const folder = await openModelFolder(wanted(settings), host)
  const session = lazySession(folder.file(onnxFile('model', settings.precision)), settings, host)
  const tokenizer = lazyTokenizer(folder, host)
  const batches = new Batches(settings.batch, line => host.say(line))

  const score = async (query: string, lines: string[], signal: AbortSignal) => {
    const maxTokens = Math.min((await tokenizer.maxTokens()) ?? 512, 512)
    const queries = lines.map(() => query)
    const encoded = await tokenizer.encode(queries, { maxTokens, pairs: lines }, signal)
    const { logits } = await session.run(inputs => tokenFeeds(encoded, inputs), signal)
    if (!(logits?.data instanceof Float32Array))
      throw new UsageError('The model gives no "logits".', {
        hint: 'It is not a cross-encoder; set rerank.model to one.',
      })
    return shares(logits.data, logits.dims[1] ?? 1)
  }
  return {
    async rate(query, passages, signal) {
      const scores = await batches.map(passages, signal, batch => score(query, batch, signal))
      return scores.map(share => ({
        relevance: Math.round((1 + 3 * share) * 1000) / 1000,
        reason: `the cross-encoder gives ${share.toFixed(3)} of 1`,
      }))
    },
    async close() {
      await Promise.all([session.close(), tokenizer.close()])
    },
  }
}

// One number for each line is a logit; of two numbers, the second stands for "relevant".
function shares(logits: Float32Array, width: number): number[] {
  return Array.from({ length: logits.length / width }, (_, row) => {
    const logit = width === 1 ? logits[row]! : logits[row * width + 1]! - logits[row * width]!
    return 1 / (1 + Math.exp(-logit))
  })
}
