import { z } from 'zod'

const id = z.number().int().min(0)

// What a Whisper model's generation_config.json says of how it writes.
export const Generation = z.looseObject({
  decoder_start_token_id: id,
  eos_token_id: z.union([id, z.tuple([id], id)]).transform(value => (typeof value === 'number' ? value : value[0])),
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

// The token of a language that a person or an audio track names ("en", "eng", "English"); undefined if the model must
// find out by itself.
export function languageToken(language: string | undefined, { lang_to_id }: Generation): number | undefined {
  if (!language || !lang_to_id) return undefined
  return lang_to_id[`<|${languageCode(language)}|>`]
}

// The two-letter code of a language by any of its names.
export function languageCode(language: string): string {
  const lower = language.trim().toLowerCase()
  byName ??= languageNames()
  const named = byName.get(lower)
  if (named) return named
  try {
    return new Intl.Locale(lower).language
  } catch {
    return lower
  }
}

let byName: Map<string, string> | undefined // made when first asked for: ICU takes 10 ms and more for the names

// English names, and the old three-letter codes that Intl does not shorten.
function languageNames(): Map<string, string> {
  const old = { ger: 'de', fre: 'fr', dut: 'nl', chi: 'zh', cze: 'cs', gre: 'el', per: 'fa', rum: 'ro', slo: 'sk' }
  const languageTokens = new Map(Object.entries(old))
  const names = new Intl.DisplayNames(['en'], { type: 'language' })
  const codes =
    'en zh de es ru ko fr ja pt tr pl nl ar sv it id hi fi vi he uk el cs ro da hu no th fa bg hr et lv lt mt sk sl'
  for (const code of codes.split(' ')) languageTokens.set((names.of(code) ?? code).toLowerCase(), code)
  return languageTokens
}
