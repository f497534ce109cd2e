import { z } from 'zod'
import type { Backend, Host } from '../../src/core/backend.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Reranker } from '../../src/core/services.ts'
import { hubModel, hubSettings, modelNeeds, modelSetting, onnxFile, openModelFolder } from '../hub/hub-model.ts'
import { Batches, batchSetting } from '../onnx/batches.ts'
import { onnxSettings } from '../onnx/device.ts'
import { resolveAuto } from '../onnx/resolve-auto.ts'
import { lazySession } from '../onnx/session.ts'
import { lazyTokenizer, tokenFeeds } from '../tokens/tokenizer.ts'

// Short names for repositories of the hub.
const models = {
  mmarco: 'cross-encoder/mmarco-mMiniLMv2-L12-H384-v1',
  'ms-marco': 'Xenova/ms-marco-MiniLM-L-6-v2',
  'bge-base': 'Xenova/bge-reranker-base',
}

const bestBatch = { cpu: 16, card: 64 }

const Settings = z.strictObject({
  model: modelSetting(models, 'mmarco'),
  ...hubSettings,
  ...onnxSettings,
  batch: batchSetting(bestBatch, 'lines in one run'),
})
type Settings = z.infer<typeof Settings>

const files = ['config.json', 'tokenizer.json', 'tokenizer_config.json']
const modelFor = (settings: Settings) =>
  hubModel(settings, models, { files: [...files, modelFile(settings)], parts: [] })

// The makers of mmarco name its file of 8 bits after the processors that it suits.
function modelFile({ model, folder, precision }: Settings): string {
  const isTheirs = model === 'mmarco' && !folder && precision === 'q8'
  return isTheirs ? 'onnx/model_quint8_avx2.onnx' : onnxFile('model', precision)
}

// Scores query and line together. Scores of two models, and of one model in two languages, are not comparable: the rating is the
// rank of a line among those it came with.
const crossEncoder: Backend<Reranker, Settings> = {
  summary: 'a small model on this machine reads the query with each line',
  version: '1',
  settings: Settings,
  resolve: (settings, host) => resolveAuto(settings, host, { wanted: modelFor }),
  needs: settings => modelNeeds(modelFor(settings)),
  open: openReranker,
}

export default crossEncoder

async function openReranker(settings: Settings, host: Host): Promise<Reranker> {
  const folder = await openModelFolder(modelFor(settings), host)
  const session = lazySession(folder.file(modelFile(settings)), settings, host)
  const tokenizer = lazyTokenizer(folder, host)
  const batches = new Batches(settings.batch, bestBatch, line => host.say(line), session)

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
      return scores.map(share => {
        const better = scores.filter(other => other > share).length
        return {
          relevance: grade(better / scores.length),
          reason: `rank ${better + 1} of ${scores.length} by the cross-encoder, which gives ${share.toFixed(3)} of 1`,
        }
      })
    },
    async close() {
      await Promise.all([session.close(), tokenizer.close()])
    },
  }
}

// By the share of lines that are better: the best third 4, the next 3, of the last the better half 2.
function grade(better: number): number {
  if (better < 1 / 3) return 4
  if (better < 2 / 3) return 3
  return better < 5 / 6 ? 2 : 1
}

// One number for each line is a logit; of two numbers, the second stands for "relevant".
function shares(logits: Float32Array, width: number): number[] {
  return Array.from({ length: logits.length / width }, (_, row) => {
    const logit = width === 1 ? logits[row]! : logits[row * width + 1]! - logits[row * width]!
    return 1 / (1 + Math.exp(-logit))
  })
}
