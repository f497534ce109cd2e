import { z } from 'zod'

const id = z.number().int().min(0)

// What a Whisper model's generation_config.json says of how it writes.
export const Generation = z.looseObject({
  decoder_start_token_id: id,
  eos_token_id: z.union([id, z.array(id).min(1)]).transform(value => (typeof value === 'number' ? value : value[0])),
  no_timestamps_token_id: id,
  suppress_tokens: z.array(z.number().int()).nullish(),
  begin_suppress_tokens: z.array(z.number().int()).nullish(),
  max_initial_timestamp_index: id.nullish(),
  alignment_heads: z.array(z.tuple([id, id])).nullish(),
  lang_to_id: z.record(z.string(), id).nullish(),
  task_to_id: z.record(z.string(), id).nullish(),
  is_multilingual: z.boolean().default(false),
})
export type Generation = z.infer<typeof Generation>

// What its config.json says of how it is built.
export const WhisperShape = z.looseObject({
  d_model: z.number().int().positive(),
  decoder_attention_heads: z.number().int().positive(),
  decoder_layers: z.number().int().positive(),
  max_target_positions: z.number().int().positive().default(448),
  median_filter_width: z.number().int().positive().default(7),
})
export type WhisperShape = z.infer<typeof WhisperShape>
