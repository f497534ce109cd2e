import { type HubModel, type HubSettings, hubModel, onnxFile, type Precision } from '../../hub/hub-model.ts'
import type { ChatModelPart, OnnxChatKind, PartPrecision } from './messages.ts'

// Short names for repositories of the hub: what each is, and a precision of its parts that fits a processor.
const shortNames: Record<string, { repository: string; kind: OnnxChatKind; precision?: PartPrecision }> = {
  'qwen2.5-0.5b': { repository: 'onnx-community/Qwen2.5-0.5B-Instruct', kind: 'text' },
  'qwen3-0.6b': { repository: 'onnx-community/Qwen3-0.6B-ONNX', kind: 'text' },
  'smolvlm-256m': { repository: 'HuggingFaceTB/SmolVLM-256M-Instruct', kind: 'vision' },
  'smolvlm-500m': { repository: 'HuggingFaceTB/SmolVLM-500M-Instruct', kind: 'vision' },
  'smolvlm2-500m': { repository: 'HuggingFaceTB/SmolVLM2-500M-Video-Instruct', kind: 'vision' },
  'gemma-3n-e2b': {
    repository: 'onnx-community/gemma-3n-E2B-it-ONNX',
    kind: 'vision',
    precision: { embed_tokens: 'q8', vision_encoder: 'fp16', audio_encoder: 'q8', decoder_model_merged: 'q4' },
  },
  'gemma-4-e2b': { repository: 'onnx-community/gemma-4-E2B-it-ONNX', kind: 'vision', precision: allParts('q4') },
}

export const chatModelNames = Object.fromEntries(
  Object.entries(shortNames).map(([name, { repository }]) => [name, repository]),
)

export interface WantedChatModel extends HubModel {
  kind: OnnxChatKind
  precision: PartPrecision
  audioEncoder: string // its file; a model without one does not listen
}

type Chosen = Omit<HubSettings, 'precision'> & {
  kind: OnnxChatKind | 'auto'
  precision?: Precision | PartPrecision
}

// The files of a chat model. What its processor reads besides differs from model to model, so that is optional: the
// package names what it misses.
export function wantedChatModel({ precision: asked, ...chosen }: Chosen): WantedChatModel {
  const entry = !chosen.folder && Object.hasOwn(shortNames, chosen.model) ? shortNames[chosen.model] : undefined
  const kind = chosen.kind === 'auto' ? (entry?.kind ?? 'text') : chosen.kind
  const precision = typeof asked === 'string' ? allParts(asked) : { ...entry?.precision, ...asked }
  const file = (part: ChatModelPart) => onnxFile(part, precision[part] ?? 'fp32')
  const audioEncoder = file('audio_encoder')
  const parts: ChatModelPart[] =
    kind === 'text' ? ['model'] : ['embed_tokens', 'vision_encoder', 'decoder_model_merged']
  const model = hubModel({ ...chosen, precision: 'fp32' }, chatModelNames, {
    files: ['config.json', 'tokenizer.json', 'tokenizer_config.json', ...parts.map(file)],
    parts: [],
    optional: [
      'generation_config.json',
      'chat_template.jinja',
      'chat_template.json',
      ...(kind === 'text' ? [] : ['preprocessor_config.json', 'processor_config.json', audioEncoder]),
    ],
  })
  return { ...model, kind, precision, audioEncoder }
}

function allParts(precision: Precision): PartPrecision {
  return {
    model: precision,
    embed_tokens: precision,
    vision_encoder: precision,
    audio_encoder: precision,
    decoder_model_merged: precision,
  }
}
